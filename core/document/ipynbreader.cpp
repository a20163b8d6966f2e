#include "core/document/ipynbreader.h"

#include "core/document/cellreader.h"
#include "core/document/ipynbupgrade.h"
#include "core/document/jsontext.h"
#include "core/protocol/sandboxinfo.h"

#include <QCoreApplication>
#include <QStringDecoder>

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

bool hasConflictMarker(std::string_view text)
{
    return text.starts_with("<<<<<<< ") || text.find("\n<<<<<<< ") != std::string_view::npos;
}

Result<std::string_view> topLevelObject(std::string_view text, std::size_t bomBytes)
{
    const std::size_t start = skipJsonBlanks(text, bomBytes);
    const Result<std::size_t> end = scanJsonValue(text, start);
    const bool hasRest = end && skipJsonBlanks(text, *end) != text.size();
    if ((!end || hasRest) && hasConflictMarker(text))
        return refuse(Error::Kind::Conflict,
            ReaderText::tr(
                "The notebook has merge-conflict markers of git. Resolve the conflict in a text editor or with "
                "git, then open it again."),
            text);
    if (!end)
        return end.error();
    if (hasRest)
        return refuse(Error::Kind::Protocol,
            ReaderText::tr(
                "The file is not valid JSON: there is more text after its end, in %1. Mend it in a text editor, "
                "or open an older copy.")
                .arg(QString::fromStdString(jsonPlace(text, skipJsonBlanks(text, *end)))),
            text.substr(*end));
    const std::string_view object = text.substr(start, *end - start);
    if (!isJsonObject(object))
        return refuse(
            Error::Kind::Protocol, ReaderText::tr("The file is JSON, but no notebook: it holds no object."), object);
    return object;
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
std::string repairedObject(std::string_view object, const JsonLayout &layout, std::vector<QString> &problems)
{
    std::vector<JsonEdit> edits;
    if (!isJsonArray(jsonMember(object, "cells"))) {
        edits.push_back({"cells", "[]"});
        problems.push_back(ReaderText::tr("The file had no list of cells."));
    }
    if (!isJsonObject(jsonMember(object, "metadata"))) {
        edits.push_back({"metadata", "{}"});
        problems.push_back(ReaderText::tr("The notebook's metadata was missing or no object."));
    }
    if (jsonInteger(jsonMember(object, "nbformat"), -1) != 4) {
        edits.push_back({"nbformat", "4"});
        problems.push_back(ReaderText::tr("The file did not tell its format; it was read as nbformat 4."));
    }
    if (jsonInteger(jsonMember(object, "nbformat_minor"), -1) < 0) {
        edits.push_back({"nbformat_minor", "0"});
        problems.push_back(ReaderText::tr("The file did not tell its minor format; it was read as nbformat 4.0."));
    }
    return edits.empty() ? std::string() : patchedObject(object, edits, layout, 0);
}

TextSpan spanOf(std::string_view part, const QByteArray &bytes)
{
    return {static_cast<std::size_t>(part.data() - bytes.constData()), part.size()};
}

void index(std::string_view object, ParsedNotebook &notebook)
{
    const std::string_view cells = jsonMember(object, "cells");
    const std::string_view metadata = jsonMember(object, "metadata");
    notebook.cells = spanOf(cells, notebook.bytes);
    notebook.metadata = spanOf(metadata, notebook.bytes);
    notebook.minor = static_cast<int>(jsonInteger(jsonMember(object, "nbformat_minor"), 0));
    notebook.language = languageOf(metadata);
    CellReader reader(notebook);
    for (const std::string_view cell : jsonElements(cells))
        reader.read(cell);
    reader.repairIds();
}

Result<std::shared_ptr<ParsedNotebook>> parse(std::shared_ptr<ParsedNotebook> notebook)
{
    const std::string_view text = viewOf(notebook->bytes);
    const std::size_t bomBytes = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    const Result<std::string_view> object = topLevelObject(text, bomBytes);
    if (!object)
        return object.error();
    notebook->layout = JsonLayout::detect(*object);
    const bool isOld = !jsonMember(*object, "worksheets").empty() && jsonMember(*object, "cells").empty();
    const std::int64_t major = jsonInteger(jsonMember(*object, "nbformat"), isOld ? 3 : 4);
    if (major > 4)
        return refuse(Error::Kind::Unsupported,
            ReaderText::tr(
                "The notebook is in format %1, which is newer than this program knows (4). Save it as format 4 "
                "with the program that wrote it.")
                .arg(major),
            text);
    if (major < 4) {
        notebook->bytes = QByteArray::fromStdString(upgradedNotebook(jsonTree(*object)));
        notebook->isRepaired = notebook->isUpgraded = true;
        notebook->problems.push_back(
            ReaderText::tr("The notebook was in the old format %1 and was upgraded.").arg(major));
        return parse(std::move(notebook));
    }
    const std::string repaired = repairedObject(*object, notebook->layout, notebook->problems);
    if (!repaired.empty()) {
        const std::size_t begin = spanOf(*object, notebook->bytes).begin;
        notebook->bytes.replace(
            static_cast<qsizetype>(begin), static_cast<qsizetype>(object->size()), QByteArray::fromStdString(repaired));
        notebook->isRepaired = true;
        return parse(std::move(notebook));
    }
    index(*object, *notebook);
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
    if (notebook->bytes.trimmed().isEmpty()) {
        notebook->bytes = emptyNotebookBytes({});
        notebook->problems.push_back(ReaderText::tr("The file was empty; it is treated as a new notebook."));
        notebook->isRepaired = true;
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
