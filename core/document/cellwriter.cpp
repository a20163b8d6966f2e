#include "core/document/ipynbwriter.h"
#include "core/document/jsontext.h"
#include "core/document/outputcodec.h"

#include <algorithm>
#include <unordered_map>

namespace sandfish {
namespace {

constexpr int kCellDepth = 2;
constexpr int kMemberDepth = kCellDepth + 1;

std::string quoted(const QString &text, const JsonLayout &layout)
{
    std::string out;
    layout.appendString(utf8WithSurrogates(text), out);
    return out;
}

const char *typeText(Cell::Type type)
{
    switch (type) {
    case Cell::Type::Code:
        return "\"code\"";
    case Cell::Type::Markdown:
        return "\"markdown\"";
    case Cell::Type::Raw:
        break;
    }
    return "\"raw\"";
}

// Lines that the file has already keep their bytes, so that its way of escaping gives no noise in a diff.
std::string sourceText(const QString &source, std::string_view before, const JsonLayout &layout)
{
    const std::string text = utf8WithSurrogates(source);
    std::string out;
    if (isJsonString(before)) {
        layout.appendString(text, out);
        return out;
    }
    std::unordered_map<std::string, std::string_view> known;
    for (const std::string_view line : jsonElements(before))
        if (isJsonString(line))
            known.emplace(utf8WithSurrogates(jsonQString(line)), line);
    std::vector<std::string> lines;
    for (const std::string_view line : pythonLines(text)) {
        const auto it = known.find(std::string(line));
        if (it != known.end())
            lines.emplace_back(it->second);
        else
            layout.appendString(line, lines.emplace_back());
    }
    layout.appendArray(lines, kMemberDepth, out);
    return out;
}

std::string outputsText(const CellRecord &record, const NotebookFrame &frame)
{
    if (record.hasUnparsedOutputs)
        return std::string(record.outputs.in(frame.bytes));
    std::vector<std::string> outputs;
    for (const Output &output : record.cell.outputs) {
        const auto origin = std::find_if(record.outputOrigins.begin(), record.outputOrigins.end(),
            [&](const OutputOrigin &o) { return o.serial == output.serial && o.revision == output.revision; });
        if (origin != record.outputOrigins.end())
            outputs.emplace_back(origin->span.in(frame.bytes));
        else
            appendOutput(output, frame.layout, kMemberDepth + 1, outputs.emplace_back());
    }
    std::string out;
    frame.layout.appendArray(outputs, kMemberDepth, out);
    return out;
}

// Replaces metadata.<group>.<key>; an empty group goes.
void editGroup(
    std::string &metadata, std::string_view group, const std::vector<JsonEdit> &edits, const JsonLayout &layout)
{
    const std::string_view before = jsonMember(metadata, group);
    const bool isAllRemoval =
        std::none_of(edits.begin(), edits.end(), [](const JsonEdit &e) { return e.value.has_value(); });
    if (isAllRemoval && !isJsonObject(before))
        return;
    const std::string after =
        patchedObject(isJsonObject(before) ? before : std::string_view("{}"), edits, layout, kMemberDepth + 1);
    JsonEdit edit{std::string(group), after};
    if (after == "{}")
        edit.value.reset();
    metadata = patchedObject(metadata, {edit}, layout, kMemberDepth);
}

std::string timeText(const QDateTime &time)
{
    return '"' + time.toUTC().toString(Qt::ISODateWithMs).toStdString() + '"';
}

void editExecution(std::string &metadata, const CellRun &run, const JsonLayout &layout)
{
    const bool isKnown = run.startedAt.isValid();
    const QDateTime end = run.startedAt.addMSecs(run.duration.count());
    const auto at = [&](const QDateTime &time) {
        return isKnown ? std::optional<std::string>(timeText(time)) : std::nullopt;
    };
    editGroup(metadata, "execution",
        {{"iopub.execute_input", at(run.startedAt)}, {"iopub.status.busy", at(run.startedAt)},
            {"iopub.status.idle", at(end)}, {"shell.execute_reply", at(end)}},
        layout);
}

std::string metadataText(const CellRecord &record, std::string_view before, const JsonLayout &layout)
{
    std::string metadata(isJsonObject(before) ? before : std::string_view("{}"));
    const Cell &cell = record.cell;
    if (record.changes & CellRecord::LanguageChanged) {
        const bool hasLanguage = !cell.language.isEmpty();
        editGroup(metadata, "sandfish",
            {{"language", hasLanguage ? std::optional(quoted(cell.language, layout)) : std::nullopt}}, layout);
        editGroup(metadata, "vscode", {{"languageId", std::nullopt}}, layout);
    }
    if (record.changes & CellRecord::CollapsedChanged) {
        std::vector<JsonEdit> collapsed{{"collapsed", std::nullopt}};
        if (cell.outputsCollapsed)
            collapsed.front().value = "true";
        metadata = patchedObject(metadata, collapsed, layout, kMemberDepth);
        editGroup(metadata, "jupyter",
            {{"outputs_hidden", cell.outputsCollapsed ? std::optional<std::string>("true") : std::nullopt}}, layout);
    }
    if (record.changes & CellRecord::ExecutionChanged)
        editExecution(metadata, cell.run, layout);
    return metadata;
}

std::string countText(const Cell &cell)
{
    return cell.executionCount > 0 ? std::to_string(cell.executionCount) : "null";
}

std::string newCellText(const CellRecord &record, const NotebookFrame &frame)
{
    const Cell &cell = record.cell;
    const bool isCode = cell.type == Cell::Type::Code;
    std::vector<std::pair<std::string, std::string>> members{{"cell_type", typeText(cell.type)}};
    if (isCode)
        members.emplace_back("execution_count", countText(cell));
    if (frame.minor >= 5)
        members.emplace_back("id", quoted(cell.id.value, frame.layout));
    members.emplace_back("metadata", metadataText(record, {}, frame.layout));
    if (isCode)
        members.emplace_back("outputs", outputsText(record, frame));
    members.emplace_back("source", sourceText(cell.source, {}, frame.layout));
    std::string out;
    frame.layout.appendObject(members, kCellDepth, out);
    return out;
}

constexpr unsigned kMetadataChanges =
    CellRecord::LanguageChanged | CellRecord::CollapsedChanged | CellRecord::ExecutionChanged;

std::vector<JsonEdit> editsOf(const CellRecord &record, std::string_view before, const NotebookFrame &frame)
{
    const Cell &cell = record.cell;
    const bool isCode = cell.type == Cell::Type::Code;
    const bool typeChanged = record.changes & CellRecord::TypeChanged;
    std::vector<JsonEdit> edits;
    if (typeChanged)
        edits.push_back({"cell_type", typeText(cell.type)});
    if (typeChanged && !isCode) {
        edits.push_back({"execution_count", std::nullopt});
        edits.push_back({"outputs", std::nullopt});
    }
    if (typeChanged && isCode)
        edits.push_back({"attachments", std::nullopt});
    if (isCode && (typeChanged || (record.changes & CellRecord::CountChanged)))
        edits.push_back({"execution_count", countText(cell)});
    if (isCode && (typeChanged || (record.changes & CellRecord::OutputsChanged)))
        edits.push_back({"outputs", outputsText(record, frame)});
    if ((record.changes & CellRecord::IdChanged) && frame.minor >= 5)
        edits.push_back({"id", quoted(cell.id.value, frame.layout)});
    if (record.changes & kMetadataChanges)
        edits.push_back({"metadata", metadataText(record, jsonMember(before, "metadata"), frame.layout)});
    if (record.changes & CellRecord::SourceChanged)
        edits.push_back({"source", sourceText(cell.source, jsonMember(before, "source"), frame.layout)});
    return edits;
}

} // namespace

std::string cellText(const CellRecord &record, const NotebookFrame &frame)
{
    const std::string_view before = record.origin.in(frame.bytes);
    if (record.origin.isEmpty() || !isJsonObject(before))
        return newCellText(record, frame);
    return patchedObject(before, editsOf(record, before, frame), frame.layout, kCellDepth);
}

} // namespace sandfish
