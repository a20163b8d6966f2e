#pragma once

#include "core/base/json.h"
#include "core/engine/httpserver.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

using ReplyPtr = std::shared_ptr<HttpReply>;

void sendJson(const ReplyPtr &reply, int status, const Json &body);
void sendNothing(const ReplyPtr &reply);
/// `{"error": message}`, as the control plane answers.
void sendError(const ReplyPtr &reply, int status, std::string_view message);
void sendError(const ReplyPtr &reply, const Error &error);
/// `{"detail": message}`, as the code server answers.
void sendDetail(const ReplyPtr &reply, int status, std::string_view message);
void sendDetail(const ReplyPtr &reply, const Error &error);
/// 422 with the list that the code server's framework gives.
void sendInvalid(const ReplyPtr &reply, std::string_view member, std::string_view message, std::string_view type);

/// ISO 8601 in UTC, with milliseconds.
std::string isoTime(std::chrono::system_clock::time_point time);

/// The HTTP status for an error of the engine.
int httpStatusOf(const Error &error);

/// The non-empty parts of a path.
std::vector<std::string> pathParts(std::string_view path);

/// The body as an object; an empty body is an empty object. Kind::BadRequest otherwise.
Result<Json> bodyObject(const HttpRequest &request);

/// The string members of an object, all others left out.
std::map<std::string, std::string> stringMap(const Json &object);

} // namespace sandfish
