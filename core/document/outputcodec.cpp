#include "core/document/outputcodec.h"

#include "core/document/jsontext.h"

#include <algorithm>
#include <atomic>

namespace sandfish {
namespace {

using Members = std::vector<std::pair<std::string, std::string>>;

Json valueOfType(std::string_view type, std::string_view value)
{
    return isJsonMimeType(type) || isJsonObject(value) ? jsonTree(value) : Json(jsonMultilineUtf8(value));
}

MimeBundle readBundle(std::string_view data)
{
    MimeBundle bundle;
    for (const JsonMember &member : jsonMembers(data)) {
        const std::string type = jsonUtf8(member.key);
        bundle.set(type, valueOfType(type, member.value));
    }
    return bundle;
}

ErrorOutput readError(const std::vector<JsonMember> &members)
{
    ErrorOutput error;
    error.name = jsonMultilineUtf8(jsonMember(members, "ename"));
    error.message = jsonMultilineUtf8(jsonMember(members, "evalue"));
    const std::string_view traceback = jsonMember(members, "traceback");
    if (isJsonString(traceback))
        error.traceback.push_back(jsonUtf8(traceback));
    for (const std::string_view line : jsonElements(traceback))
        error.traceback.push_back(jsonMultilineUtf8(line));
    return error;
}

void readStream(const std::vector<JsonMember> &members, Output &output)
{
    output.kind = Output::Kind::Stream;
    if (jsonUtf8(jsonMember(members, "name")) == "stderr")
        output.channel = StreamText::Channel::Stderr;
    output.text = std::make_shared<OutputText>();
    output.text->append(jsonMultilineUtf8(jsonMember(members, "text")));
}

// nbformat cuts these into lines; everything else stays one string.
bool isSplitIntoLines(std::string_view type)
{
    return type.starts_with("text/") || type == "image/svg+xml" || type == "application/javascript";
}

std::string bundleText(const MimeBundle &data, const JsonLayout &layout, int depth)
{
    Members members;
    for (const MimeEntry &entry : data.entries()) {
        std::string value;
        if (entry.value.is_string() && isSplitIntoLines(entry.type))
            layout.appendMultiline(entry.value.get_ref<const std::string &>(), depth + 1, value);
        else
            layout.appendValue(entry.value, depth + 1, value);
        members.emplace_back(entry.type, std::move(value));
    }
    std::sort(members.begin(), members.end());
    std::string out;
    layout.appendObject(members, depth, out);
    return out;
}

std::string quoted(std::string_view text, const JsonLayout &layout)
{
    std::string out;
    layout.appendString(text, out);
    return out;
}

std::string valueText(const Json &value, const JsonLayout &layout, int depth)
{
    std::string out;
    layout.appendValue(value, depth, out);
    return out;
}

Members streamMembers(const Output &output, const JsonLayout &layout, int depth)
{
    std::string text;
    layout.appendMultiline(output.text->toUtf8(), depth + 1, text);
    return {{"name", output.channel == StreamText::Channel::Stderr ? "\"stderr\"" : "\"stdout\""},
        {"output_type", "\"stream\""}, {"text", std::move(text)}};
}

Members dataMembers(const Output &output, const JsonLayout &layout, int depth)
{
    Members members{{"data", bundleText(output.data, layout, depth + 1)}};
    const bool isResult = output.kind == Output::Kind::Result;
    if (isResult)
        members.emplace_back(
            "execution_count", output.executionCount > 0 ? std::to_string(output.executionCount) : "null");
    const Json &metadata = output.metadata;
    members.emplace_back("metadata", metadata.is_object() ? valueText(metadata, layout, depth + 1) : "{}");
    members.emplace_back("output_type", isResult ? "\"execute_result\"" : "\"display_data\"");
    return members;
}

Members errorMembers(const ErrorOutput &error, const JsonLayout &layout, int depth)
{
    return {{"ename", quoted(error.name, layout)}, {"evalue", quoted(error.message, layout)},
        {"output_type", "\"error\""}, {"traceback", valueText(Json(error.traceback), layout, depth + 1)}};
}

} // namespace

std::uint64_t nextOutputSerial()
{
    static std::atomic<std::uint64_t> serial{0};
    return ++serial;
}

Output readOutput(std::string_view text)
{
    Output output;
    output.serial = nextOutputSerial();
    const std::vector<JsonMember> members = jsonMembers(text);
    const std::string type = jsonUtf8(jsonMember(members, "output_type"));
    if (type == "stream") {
        readStream(members, output);
    } else if (type == "display_data" || type == "execute_result") {
        output.kind = type == "display_data" ? Output::Kind::Display : Output::Kind::Result;
        output.data = readBundle(jsonMember(members, "data"));
        if (const std::string_view metadata = jsonMember(members, "metadata"); isJsonObject(metadata))
            output.metadata = jsonTree(metadata);
        output.executionCount = static_cast<int>(jsonInteger(jsonMember(members, "execution_count"), 0));
    } else if (type == "error") {
        output.kind = Output::Kind::Error;
        output.error = readError(members);
    } else {
        output.kind = Output::Kind::Unknown;
        output.raw = jsonTree(text);
    }
    return output;
}

void appendOutput(const Output &output, const JsonLayout &layout, int depth, std::string &out)
{
    switch (output.kind) {
    case Output::Kind::Stream:
        return layout.appendObject(streamMembers(output, layout, depth), depth, out);
    case Output::Kind::Display:
    case Output::Kind::Result:
        return layout.appendObject(dataMembers(output, layout, depth), depth, out);
    case Output::Kind::Error:
        return layout.appendObject(errorMembers(output.error, layout, depth), depth, out);
    case Output::Kind::Unknown:
        return layout.appendValue(output.raw, depth, out);
    }
}

void readOutputs(CellRecord &record, const QByteArray &file)
{
    record.hasUnparsedOutputs = false;
    for (const std::string_view text : jsonElements(record.outputs.in(file))) {
        Output output = readOutput(text);
        const auto begin = static_cast<std::size_t>(text.data() - file.constData());
        record.outputOrigins.push_back({output.serial, output.revision, {begin, text.size()}});
        record.cell.outputs.push_back(std::move(output));
    }
}

} // namespace sandfish
