#include "core/engine/daytonalist.h"

#include "core/engine/daytonareply.h"
#include "core/engine/httptext.h"

#include <algorithm>
#include <cstdio>

namespace sandfish {
namespace {

using SandboxPtr = SandboxRegistry::SandboxPtr;

constexpr int kDefaultPage = 100;
constexpr int kLargestPage = 200;

struct ListQuery
{
    std::string id;
    std::string name;
    std::map<std::string, std::string> labels;
    std::vector<std::string> states;
    std::vector<std::string> snapshots;
    std::string isPublic;
    std::string sort;
    bool isDescending = true;
    std::size_t limit = kDefaultPage;
    std::string cursor;
};

Result<ListQuery> listQueryFrom(const HttpRequest &request)
{
    const auto value = [&](const char *name) {
        const auto found = request.query.find(name);
        return found == request.query.end() ? std::string() : found->second;
    };
    ListQuery query{value("id"), value("name"), {}, queryValues(request.queryText, "states"),
        queryValues(request.queryText, "snapshots"), value("isPublic"), value("sort"), value("order") != "asc",
        kDefaultPage, value("cursor")};
    if (const std::string labels = value("labels"); !labels.empty()) {
        const Result<Json> object = parseJsonObject(labels);
        if (!object)
            return Error{Error::Kind::BadRequest, "labels must be a JSON object of strings"};
        query.labels = stringMap(*object);
    }
    if (const std::string limit = value("limit"); !limit.empty()) {
        const int number = std::atoi(limit.c_str());
        if (number < 1 || number > kLargestPage)
            return Error{Error::Kind::BadRequest, "limit must be a number from 1 to 200"};
        query.limit = static_cast<std::size_t>(number);
    }
    return query;
}

bool holds(const std::vector<std::string> &wanted, std::string_view value)
{
    return wanted.empty() || std::find(wanted.begin(), wanted.end(), value) != wanted.end();
}

bool matches(const LocalSandbox &sandbox, const ListQuery &query)
{
    const LocalSandboxSpec &spec = sandbox.spec();
    const bool isPublic = spec.daytona && spec.daytona->isPublic;
    const std::string &name = spec.common.name.empty() ? spec.id.value : spec.common.name;
    return spec.id.value.starts_with(query.id) && name.starts_with(query.name)
        && holds(query.states, daytonaStateName(sandbox)) && holds(query.snapshots, spec.common.templateName)
        && (query.isPublic.empty() || (query.isPublic == "true") == isPublic)
        && std::all_of(query.labels.begin(), query.labels.end(), [&](const auto &label) {
               const auto found = spec.common.metadata.find(label.first);
               return found != spec.common.metadata.end() && found->second == label.second;
           });
}

// Ordered by the sort key, and by the id where keys are equal; texts of one length for times and sizes.
std::string sortKey(const LocalSandbox &sandbox, const ListQuery &query, const DaytonaTimers &timers)
{
    const SandboxInfo info = sandbox.info();
    std::string key;
    if (query.sort == "name") {
        key = info.name;
    } else if (query.sort == "memoryGib") {
        char size[24];
        std::snprintf(size, sizeof(size), "%020lld", static_cast<long long>(info.memoryLimitBytes.value_or(0)));
        key = size;
    } else if (query.sort == "lastActivityAt") {
        key = isoTime(timers.lastActivity(sandbox));
    } else if (query.sort.empty() || query.sort == "createdAt") {
        key = isoTime(*info.startedAt);
    }
    return key + '\n' + info.id.value;
}

std::string hexOf(std::string_view text)
{
    std::string hex;
    for (const char c : text) {
        char digits[3];
        std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
        hex += digits;
    }
    return hex;
}

} // namespace

Result<DaytonaPage> daytonaPage(
    const SandboxRegistry &registry, const DaytonaTimers &timers, const HttpRequest &request)
{
    const Result<ListQuery> query = listQueryFrom(request);
    if (!query)
        return query.error();
    std::vector<std::pair<std::string, SandboxPtr>> rows;
    for (const SandboxPtr &sandbox : registry.all()) {
        if (matches(*sandbox, *query))
            rows.emplace_back(hexOf(sortKey(*sandbox, *query, timers)), sandbox);
    }
    std::sort(rows.begin(), rows.end(),
        [&](const auto &a, const auto &b) { return query->isDescending ? b.first < a.first : a.first < b.first; });
    DaytonaPage page;
    std::string last;
    for (const auto &[key, sandbox] : rows) {
        const bool isBehind = query->isDescending ? key < query->cursor : query->cursor < key;
        if (!query->cursor.empty() && !isBehind)
            continue;
        if (page.sandboxes.size() == query->limit) {
            page.nextCursor = last;
            break;
        }
        page.sandboxes.push_back(sandbox);
        last = key;
    }
    return page;
}

} // namespace sandfish
