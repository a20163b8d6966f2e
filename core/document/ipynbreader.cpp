#include "core/document/ipynbreader.h"

#include "core/document/cellreader.h"
#include "core/document/ipynbupgrade.h"
#include "core/document/jsontext.h"
#include "core/protocol/sandboxinfo.h"

#include <QCoreApplication>
#include <QStringDecoder>

#include <algorithm>

namespace sandfish {
namespace {

constexpr qsizetype kMaxFileBytes = qsizetype(2) << 30;

struct ReaderText
{
    Q_DECLARE_TR_FUNCTIONS(sandfish::ParsedNotebook)
};

std::string_view viewOf(const QByteArray &bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

Error refuse(Error::Kind kind, const QString &message, std::string_view detail)
{
    return Error{kind, message.toStdString(), std::string(detail.substr(0, 200))};
}

// UTF-16 is converted; the BOM of UTF-8 stays.
QByteArray asUtf8(const QByteArray &bytes, std::vector<QString> &problems)
{
    const auto encoding = QStringConverter::encodingForData(bytes, u'{');
    if (!encoding || *encoding == QStringConverter::Utf8)
        return bytes;
    problems.push_back(ReaderText::tr("The file was in UTF-16; it will be saved in UTF-8, as Jupyter wants it."));
    return QString(QStringDecoder(*encoding)(bytes)).toUtf8();
}

// QByteArray::trimmed() would copy the whole file.
bool isBlank(const QByteArray &bytes)
{
    constexpr std::string_view kBlanks = " \t\n\v\f\r";
    return viewOf(bytes).find_first_not_of(kBlanks) == std::string_view::npos;
}

bool hasConflictMarker(std::string_view text)
{
    return text.starts_with("<<<<<<< ") || text.find("\n<<<<<<< ") != std::string_view::npos;
}

// The notebook's members, its cells and their members.
bool isPartOfOutline(const JsonNode &container)
{
    constexpr std::size_t kMember = 1, kCell = 2;
    return container.depth == 0 || container.depth == kCell
        || (container.depth == kMember && container.key == "\"cells\"");
}

Result<JsonOutline> outlineOf(std::string_view text, std::size_t bomBytes)
{
    const std::size_t start = skipJsonBlanks(text, bomBytes);
    Result<JsonOutline> outline = scanJsonOutline(text, start, isPartOfOutline);
    const bool hasRest = outline && skipJsonBlanks(text, outline->end) != text.size();
    if ((!outline || hasRest) && hasConflictMarker(text))
        return refuse(Error::Kind::Conflict,
            ReaderText::tr(
                "The notebook has merge-conflict markers of git. Resolve the conflict in a text editor or with "
                "git, then open it again."),
            text);
    if (!outline)
        return outline;
    if (hasRest)
        return refuse(Error::Kind::Protocol,
            ReaderText::tr(
                "The file is not valid JSON: there is more text after its end, in %1. Mend it in a text editor, "
                "or open an older copy.")
                .arg(QString::fromStdString(jsonPlace(text, skipJsonBlanks(text, outline->end)))),
            text.substr(outline->end));
    if (!isJsonObject(outline->nodes.front().value))
        return refuse(Error::Kind::Protocol, ReaderText::tr("The file is JSON, but no notebook: it holds no object."),
            outline->nodes.front().value);
    return outline;
}

std::vector<JsonMember> topMembers(const JsonOutline &outline)
{
    std::vector<JsonMember> members;
    for (const JsonNode &node : outline.nodes)
        if (node.depth == 1)
            members.push_back(node);
    return members;
}

QString languageOf(std::string_view metadata)
{
    const std::string_view info = jsonMember(metadata, "language_info");
    const std::string_view kernel = jsonMember(metadata, "kernelspec");
    for (const std::string_view value :
        {jsonMember(kernel, "language"), jsonMember(info, "name"), jsonMember(kernel, "name")}) {
        const QString name = jsonMultiline(value).trimmed().toLower();
        if (name.isEmpty())
            continue;
        const std::string normalised = normalisedLanguage(name.toStdString());
        return normalised.empty() ? name : QString::fromStdString(normalised);
    }
    return {};
}

// Makes the members that the rest relies on; an empty text if all are there.
std::string repairedObject(std::string_view object, const std::vector<JsonMember> &members, const JsonLayout &layout,
    std::vector<QString> &problems)
{
    std::vector<JsonEdit> edits;
    if (!isJsonArray(jsonMember(members, "cells"))) {
        edits.push_back({"cells", "[]"});
        problems.push_back(ReaderText::tr("The file had no list of cells."));
    }
    if (!isJsonObject(jsonMember(members, "metadata"))) {
        edits.push_back({"metadata", "{}"});
        problems.push_back(ReaderText::tr("The notebook's metadata was missing or no object."));
    }
    if (jsonInteger(jsonMember(members, "nbformat"), -1) != 4) {
        edits.push_back({"nbformat", "4"});
        problems.push_back(ReaderText::tr("The file did not tell its format; it was read as nbformat 4."));
    }
    if (jsonInteger(jsonMember(members, "nbformat_minor"), -1) < 0) {
        edits.push_back({"nbformat_minor", "0"});
        problems.push_back(ReaderText::tr("The file did not tell its minor format; it was read as nbformat 4.0."));
    }
    return edits.empty() ? std::string() : patchedObject(object, edits, layout, 0);
}

TextSpan spanOf(std::string_view part, const QByteArray &bytes)
{
    return {static_cast<std::size_t>(part.data() - bytes.constData()), part.size()};
}

void readCells(const JsonOutline &outline, std::string_view cells, ParsedNotebook &notebook)
{
    const auto isCells = [cells](const JsonNode &node) { return node.depth == 1 && node.value.data() == cells.data(); };
    const auto at = std::find_if(outline.nodes.begin(), outline.nodes.end(), isCells) - outline.nodes.begin();
    const JsonNodes nodes = outline.inside(static_cast<std::size_t>(at));
    CellReader reader(notebook);
    for (std::size_t i = 0; i < nodes.size();) {
        std::size_t end = i + 1;
        while (end < nodes.size() && nodes[end].depth > nodes[i].depth)
            ++end;
        reader.read(nodes[i].value, nodes.subspan(i + 1, end - i - 1));
        i = end;
    }
    reader.repairIds();
}

void index(const JsonOutline &outline, const std::vector<JsonMember> &members, ParsedNotebook &notebook)
{
    const std::string_view cells = jsonMember(members, "cells");
    const std::string_view metadata = jsonMember(members, "metadata");
    notebook.cells = spanOf(cells, notebook.bytes);
    notebook.metadata = spanOf(metadata, notebook.bytes);
    notebook.minor = static_cast<int>(jsonInteger(jsonMember(members, "nbformat_minor"), 0));
    notebook.language = languageOf(metadata);
    readCells(outline, cells, notebook);
    if (!notebook.records.empty()) {
        const TextSpan &first = notebook.records.front()->origin, &last = notebook.records.back()->origin;
        notebook.cellRun = {first.begin, last.end() - first.begin};
    }
}

Error tooNew(std::int64_t major, std::string_view text)
{
    return refuse(Error::Kind::Unsupported,
        ReaderText::tr("The notebook is in format %1, which is newer than this program knows (4). Save it as format 4 "
                       "with the program that wrote it.")
            .arg(major),
        text);
}

Result<std::shared_ptr<ParsedNotebook>> parse(std::shared_ptr<ParsedNotebook> notebook)
{
    const std::string_view text = viewOf(notebook->bytes);
    const std::size_t bomBytes = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    const Result<JsonOutline> outline = outlineOf(text, bomBytes);
    if (!outline)
        return outline.error();
    const std::string_view object = outline->nodes.front().value;
    const std::vector<JsonMember> members = topMembers(*outline);
    notebook->layout = JsonLayout::detect(object, members);
    if (!isJsonArray(jsonMember(members, "cells")) && jsonMember(members, "worksheets").empty())
        notebook->lacksCells = true;
    const bool isOld = !jsonMember(members, "worksheets").empty() && jsonMember(members, "cells").empty();
    const std::int64_t major = jsonInteger(jsonMember(members, "nbformat"), isOld ? 3 : 4);
    if (major > 4)
        return tooNew(major, text);
    if (major < 4) {
        notebook->bytes = QByteArray::fromStdString(upgradedNotebook(jsonTree(object)));
        notebook->isRepaired = notebook->isUpgraded = true;
        notebook->problems.push_back(
            ReaderText::tr("The notebook was in the old format %1 and was upgraded.").arg(major));
        return parse(std::move(notebook));
    }
    const std::string repaired = repairedObject(object, members, notebook->layout, notebook->problems);
    if (!repaired.empty()) {
        const std::size_t begin = spanOf(object, notebook->bytes).begin;
        notebook->bytes.replace(
            static_cast<qsizetype>(begin), static_cast<qsizetype>(object.size()), QByteArray::fromStdString(repaired));
        notebook->isRepaired = true;
        return parse(std::move(notebook));
    }
    index(*outline, members, *notebook);
    return notebook;
}

} // namespace

Result<std::shared_ptr<ParsedNotebook>> parseNotebook(const QByteArray &bytes)
{
    if (bytes.size() > kMaxFileBytes)
        return refuse(Error::Kind::TooLarge,
            ReaderText::tr("The file has %1 GB; notebooks are read up to 2 GB. Clear its outputs with another program.")
                .arg(bytes.size() >> 30),
            {});
    auto notebook = std::make_shared<ParsedNotebook>();
    notebook->bytes = asUtf8(bytes, notebook->problems);
    notebook->isRepaired = !notebook->problems.empty();
    if (isBlank(notebook->bytes)) {
        notebook->bytes = emptyNotebookBytes({});
        notebook->problems.push_back(ReaderText::tr("The file was empty; it is treated as a new notebook."));
        notebook->isRepaired = notebook->lacksCells = true;
    }
    return parse(std::move(notebook));
}

std::vector<std::pair<std::string, Json>> languageMetadata(const QString &language)
{
    struct Kernel
    {
        const char *language, *name, *displayName;
    };
    static constexpr Kernel kKernels[] = {
        {"python", "python3", "Python 3"}, {"javascript", "javascript", "JavaScript"}, {"bash", "bash", "Bash"}};
    const std::string wanted = language.toStdString();
    std::string name = wanted, displayName = wanted;
    for (const Kernel &kernel : kKernels)
        if (wanted == kernel.language) {
            name = kernel.name;
            displayName = kernel.displayName;
        }
    return {{"kernelspec", {{"display_name", displayName}, {"language", wanted}, {"name", name}}},
        {"language_info", {{"name", wanted}}}};
}

QByteArray emptyNotebookBytes(const QString &language)
{
    Json metadata = Json::object();
    if (!language.isEmpty())
        for (const auto &[key, value] : languageMetadata(language))
            metadata[key] = value;
    std::string text;
    JsonLayout().appendValue(
        {{"cells", Json::array()}, {"metadata", metadata}, {"nbformat", 4}, {"nbformat_minor", 5}}, 0, text);
    return QByteArray::fromStdString(text + "\n");
}

} // namespace sandfish
