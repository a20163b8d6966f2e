#include "core/engine/apireply.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace sandfish {
namespace {

constexpr std::string_view kJsonType = "application/json";

} // namespace

void sendJson(const ReplyPtr &reply, int status, const Json &body)
{
    reply->send(status, kJsonType, dumpJson(body));
}

void sendNothing(const ReplyPtr &reply)
{
    reply->send(204, "", "");
}

void sendError(const ReplyPtr &reply, int status, std::string_view message)
{
    sendJson(reply, status, {{"error", message}});
}

void sendError(const ReplyPtr &reply, const Error &error)
{
    sendError(reply, httpStatusOf(error), error.message);
}

void sendDetail(const ReplyPtr &reply, int status, std::string_view message)
{
    sendJson(reply, status, {{"detail", message}});
}

void sendDetail(const ReplyPtr &reply, const Error &error)
{
    sendDetail(reply, httpStatusOf(error), error.message);
}

void sendInvalid(const ReplyPtr &reply, std::string_view member, std::string_view message, std::string_view type)
{
    Json location = Json::array({"body"});
    if (!member.empty())
        location.push_back(member);
    const Json problem{{"loc", std::move(location)}, {"msg", message}, {"type", type}};
    sendJson(reply, 422, {{"detail", Json::array({problem})}});
}

std::string isoTime(std::chrono::system_clock::time_point time)
{
    using namespace std::chrono;
    const auto ms = duration_cast<milliseconds>(time.time_since_epoch()).count();
    const std::time_t seconds = ms / 1000;
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    char text[40];
    const std::size_t length = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &parts);
    std::snprintf(text + length, sizeof(text) - length, ".%03dZ", static_cast<int>(ms % 1000));
    return text;
}

int httpStatusOf(const Error &error)
{
    switch (error.kind) {
    case Error::Kind::BadRequest:
    case Error::Kind::Unsupported:
    case Error::Kind::Protocol:
        return 400;
    case Error::Kind::Unauthenticated:
        return 401;
    case Error::Kind::Forbidden:
        return 403;
    case Error::Kind::NotFound:
        return 404;
    case Error::Kind::Timeout:
        return 408;
    case Error::Kind::Conflict:
        return 409;
    case Error::Kind::TooLarge:
        return 413;
    case Error::Kind::RateLimited:
        return 429;
    default:
        return 500;
    }
}

std::vector<std::string> pathParts(std::string_view path)
{
    std::vector<std::string> parts;
    while (!path.empty()) {
        const std::size_t end = std::min(path.find('/'), path.size());
        if (end > 0)
            parts.emplace_back(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
    }
    return parts;
}

Result<Json> bodyObject(const HttpRequest &request)
{
    if (request.body.empty())
        return Json::object();
    Result<Json> body = parseJsonObject(request.body);
    if (!body)
        return Error{Error::Kind::BadRequest, body.error().message, body.error().detail};
    return body;
}

std::map<std::string, std::string> stringMap(const Json &object)
{
    std::map<std::string, std::string> map;
    if (!object.is_object())
        return map;
    for (const auto &[name, value] : object.items()) {
        if (value.is_string())
            map[name] = value.get<std::string>();
    }
    return map;
}

} // namespace sandfish
