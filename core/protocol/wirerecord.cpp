#include "core/protocol/wirerecord.h"

#include "core/protocol/streamrecord.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sandfish {
namespace {

using namespace std::string_view_literals;

constexpr std::array kOutcomes{
    std::pair{Outcome::Ok, "ok"sv},
    std::pair{Outcome::CodeError, "error"sv},
    std::pair{Outcome::TimedOut, "timeout"sv},
    std::pair{Outcome::Interrupted, "interrupted"sv},
    std::pair{Outcome::Aborted, "aborted"sv},
    std::pair{Outcome::ConnectionLost, "lost"sv},
    std::pair{Outcome::Crashed, "crashed"sv},
    std::pair{Outcome::Rejected, "rejected"sv},
};

std::vector<std::string> tracebackFrom(const Json &object)
{
    const Json &value = memberOrNull(object, "traceback");
    std::vector<std::string> lines;
    if (value.is_string() && !value.get_ref<const std::string &>().empty())
        lines.push_back(value.get<std::string>());
    if (value.is_array()) {
        for (const Json &line : value) {
            if (line.is_string())
                lines.push_back(line.get<std::string>());
        }
    }
    return lines;
}

// The seed sends `data` of application/json as JSON text (protocols.md §1.4).
ExecutionEvent seedResult(const Json &object)
{
    const std::string mime = stringOr(object, "mime", "text/plain");
    const std::string data = stringOr(object, "data", "");
    ExecuteResult result;
    if (isJsonMimeType(mime)) {
        Result<Json> parsed = parseJson(data);
        if (parsed)
            result.data.set(mime, parsed.take());
        result.data.set("text/plain", data);
    } else {
        result.data.set(mime, data);
    }
    return result;
}

ExecutionEvent bundleEvent(const Json &object)
{
    MimeBundle data = MimeBundle::fromJson(memberOrNull(object, "data"));
    const Json &metadata = memberOrNull(object, "metadata");
    Json meta = metadata.is_object() ? metadata : Json::object();
    if (stringOr(object, "role", "display") == "result")
        return ExecuteResult{std::move(data), std::move(meta)};
    return DisplayData{
        std::move(data), std::move(meta), stringOr(object, "display_id", ""), boolOr(object, "update", false)};
}

ExecutionStarted startedFrom(const Json &object)
{
    ExecutionStarted started{static_cast<int>(integerOr(object, "execution_count", 0))};
    const Json &checkpoint = memberOrNull(object, "checkpoint");
    if (!checkpoint.is_object())
        return started;
    started.checkpoint = CheckpointRef{stringOr(checkpoint, "id", ""), {}};
    for (const Json &reason : memberOrNull(checkpoint, "inexact")) {
        if (reason.is_string())
            started.checkpoint->inexact.push_back(reason.get<std::string>());
    }
    return started;
}

std::variant<ExecutionEvent, WireRecord::Done, WireRecord::Ignored> contentFrom(const Json &object)
{
    const std::string type = stringOr(object, "type", "");
    if (type == "stdout" || type == "stderr") {
        const auto channel = type == "stdout" ? StreamText::Channel::Stdout : StreamText::Channel::Stderr;
        return ExecutionEvent(StreamText{channel, stringOr(object, "data", ""), boolOr(object, "late", false)});
    }
    if (type == "result")
        return seedResult(object);
    if (type == "bundle")
        return bundleEvent(object);
    if (type == "error")
        return ExecutionEvent(
            ErrorOutput{stringOr(object, "name", ""), stringOr(object, "message", ""), tracebackFrom(object)});
    if (type == "done") {
        return WireRecord::Done{static_cast<int>(integerOr(object, "execution_count", 0)),
            outcomeFromName(stringOr(object, "status", "ok")), std::chrono::milliseconds(integerOr(object, "ms", 0)),
            stringOr(object, "reason", "")};
    }
    if (type == "clear")
        return ExecutionEvent(ClearOutput{boolOr(object, "wait", false)});
    if (type == "input_request")
        return ExecutionEvent(InputRequest{stringOr(object, "prompt", ""), boolOr(object, "password", false)});
    if (type == "started")
        return ExecutionEvent(startedFrom(object));
    if (type == "notice")
        return ExecutionEvent(Notice{stringOr(object, "text", "")});
    return WireRecord::Ignored{type};
}

std::string joinedTraceback(const ErrorOutput &error)
{
    std::string joined;
    for (const std::string &part : error.traceback) {
        if (!joined.empty() && joined.back() != '\n')
            joined += '\n';
        joined += part;
    }
    return joined;
}

// What the seed's own server would have chosen of a bundle: figure, HTML, JSON, text (protocols.md §1.4).
Json seedResultItem(const MimeBundle &data)
{
    static constexpr std::array kOrder{"image/png"sv, "image/jpeg"sv, "image/svg+xml"sv, "text/html"sv,
        "text/markdown"sv, "application/json"sv, "text/latex"sv, "text/plain"sv};
    for (std::string_view type : kOrder) {
        const Json *value = data.find(type);
        if (!value)
            continue;
        return {{"type", "result"}, {"mime", type},
            {"data", value->is_string() && !isJsonMimeType(type) ? value->get<std::string>() : dumpJson(*value)}};
    }
    const MimeEntry &first = data.entries().front();
    return {{"type", "result"}, {"mime", first.type},
        {"data", first.value.is_string() ? first.value.get<std::string>() : dumpJson(first.value)}};
}

void appendRecord(Json record, WireDialect dialect, std::uint64_t sequence, std::string &out)
{
    if (dialect == WireDialect::Full)
        record["seq"] = sequence;
    out += dumpJson(record);
    out += '\n';
}

struct Encoder
{
    WireDialect dialect;
    std::uint64_t sequence;
    std::int64_t unixMs;
    std::string &out;

    void operator()(const StreamText &stream) const
    {
        encodeTextHead(stream, unixMs, out);
        encodeTextTail(dialect, sequence, stream.isLate, out);
    }
    void operator()(const DisplayData &display) const
    {
        if (dialect == WireDialect::Seed) {
            if (!display.isUpdate && !display.data.isEmpty())
                appendRecord(seedResultItem(display.data), dialect, sequence, out);
            return;
        }
        Json record{
            {"type", "bundle"}, {"role", "display"}, {"data", display.data.toJson()}, {"metadata", display.metadata}};
        if (!display.displayId.empty())
            record["display_id"] = display.displayId;
        if (display.isUpdate)
            record["update"] = true;
        appendRecord(std::move(record), dialect, sequence, out);
    }
    void operator()(const ExecuteResult &result) const
    {
        if (dialect == WireDialect::Seed) {
            if (!result.data.isEmpty())
                appendRecord(seedResultItem(result.data), dialect, sequence, out);
            return;
        }
        appendRecord(
            {{"type", "bundle"}, {"role", "result"}, {"data", result.data.toJson()}, {"metadata", result.metadata}},
            dialect, sequence, out);
    }
    void operator()(const ErrorOutput &error) const
    {
        appendRecord({{"type", "error"}, {"name", error.name}, {"message", error.message},
                         {"traceback", joinedTraceback(error)}},
            dialect, sequence, out);
    }
    void operator()(const ClearOutput &clear) const { full({{"type", "clear"}, {"wait", clear.waits}}); }
    void operator()(const InputRequest &request) const
    {
        full({{"type", "input_request"}, {"prompt", request.prompt}, {"password", request.isPassword}});
    }
    void operator()(const ExecutionStarted &started) const
    {
        Json record{{"type", "started"}, {"execution_count", started.executionCount}};
        if (started.checkpoint)
            record["checkpoint"] = {{"id", started.checkpoint->id}, {"inexact", started.checkpoint->inexact}};
        full(std::move(record));
    }
    void operator()(const Notice &notice) const { full({{"type", "notice"}, {"text", notice.text}}); }

    void full(Json record) const
    {
        if (dialect == WireDialect::Full)
            appendRecord(std::move(record), dialect, sequence, out);
    }
};

} // namespace

Result<WireRecord> decodeWireRecord(std::string_view line)
{
    if (std::optional<WireRecord> stream = decodeStreamRecord(line))
        return std::move(*stream);
    const Result<Json> object = parseJsonObject(line);
    if (!object)
        return object.error();
    WireRecord record;
    record.sequence = static_cast<std::uint64_t>(std::max<std::int64_t>(0, integerOr(*object, "seq", 0)));
    record.content = contentFrom(*object);
    return record;
}

void encodeEvent(
    const ExecutionEvent &event, WireDialect dialect, std::uint64_t sequence, std::int64_t unixMs, std::string &out)
{
    std::visit(Encoder{dialect, sequence, unixMs, out}, event);
}

void encodeTextHead(const StreamText &text, std::int64_t unixMs, std::string &out)
{
    out += text.channel == StreamText::Channel::Stdout ? R"({"type":"stdout","data":)" : R"({"type":"stderr","data":)";
    appendJsonString(text.text, out);
    out += R"(,"ts":)" + std::to_string(unixMs);
}

void encodeTextTail(WireDialect dialect, std::uint64_t sequence, bool isLate, std::string &out)
{
    if (dialect == WireDialect::Full) {
        out += R"(,"seq":)" + std::to_string(sequence);
        if (isLate)
            out += R"(,"late":true)";
    }
    out += "}\n";
}

void encodeDone(const WireRecord::Done &done, WireDialect dialect, std::uint64_t sequence, std::string &out)
{
    Json record{{"type", "done"}, {"execution_count", done.executionCount}};
    if (dialect == WireDialect::Full) {
        record["status"] = outcomeName(done.outcome);
        record["ms"] = done.duration.count();
        if (!done.reason.empty())
            record["reason"] = done.reason;
    }
    appendRecord(std::move(record), dialect, sequence, out);
}

void appendJsonString(std::string_view text, std::string &out)
{
    static constexpr char kHex[] = "0123456789abcdef";
    out += '"';
    std::size_t start = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        out.append(text, start, i - start);
        start = i + 1;
        if (c == '\n')
            out += "\\n";
        else if (c == '"' || c == '\\')
            (out += '\\') += static_cast<char>(c);
        else
            ((out += "\\u00") += kHex[c >> 4]) += kHex[c & 15];
    }
    out.append(text, start, std::string_view::npos);
    out += '"';
}

std::string_view outcomeName(Outcome outcome)
{
    const auto it =
        std::find_if(kOutcomes.begin(), kOutcomes.end(), [&](const auto &row) { return row.first == outcome; });
    return it == kOutcomes.end() ? "ok"sv : it->second;
}

Outcome outcomeFromName(std::string_view name)
{
    const auto it =
        std::find_if(kOutcomes.begin(), kOutcomes.end(), [&](const auto &row) { return row.second == name; });
    return it == kOutcomes.end() ? Outcome::Ok : it->first;
}

} // namespace sandfish
