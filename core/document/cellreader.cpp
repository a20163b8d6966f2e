#include "core/document/cellreader.h"

#include "core/protocol/sandboxinfo.h"

#include <QCoreApplication>
#include <QRandomGenerator>
#include <QSet>

#include <algorithm>

namespace sandfish {
namespace {

struct CellText
{
    Q_DECLARE_TR_FUNCTIONS(sandfish::ParsedNotebook)
};

QDateTime timeOf(std::string_view metadata, std::string_view name)
{
    return QDateTime::fromString(jsonMultiline(jsonMember(metadata, name)), Qt::ISODateWithMs);
}

void readExecution(std::string_view execution, CellRun &run)
{
    const QDateTime start = timeOf(execution, "iopub.execute_input");
    const QDateTime end = timeOf(execution, "shell.execute_reply");
    run.startedAt = start;
    if (start.isValid() && end.isValid() && end >= start)
        run.duration = std::chrono::milliseconds(start.msecsTo(end));
}

QString cellLanguage(std::string_view metadata)
{
    const std::string_view own = jsonMember(jsonMember(metadata, "sandfish"), "language");
    const std::string_view value = own.empty() ? jsonMember(jsonMember(metadata, "vscode"), "languageId") : own;
    if (!isJsonString(value))
        return {};
    const QString name = jsonQString(value).trimmed().toLower();
    const std::string normalised = normalisedLanguage(name.toStdString());
    return normalised.empty() ? name : QString::fromStdString(normalised);
}

bool hasTag(std::string_view metadata, std::string_view tag)
{
    const std::vector<std::string_view> tags = jsonElements(jsonMember(metadata, "tags"));
    return std::any_of(tags.begin(), tags.end(),
        [tag](std::string_view text) { return isJsonString(text) && jsonQString(text).toStdString() == tag; });
}

} // namespace

CellReader::CellReader(ParsedNotebook &notebook)
    : m_notebook(notebook)
{
}

void CellReader::tolerate(const QString &sentence)
{
    // A file of 10,000 broken cells needs no 10,000 sentences.
    constexpr std::size_t kMaxProblems = 50;
    if (m_notebook.problems.size() < kMaxProblems)
        m_notebook.problems.push_back(sentence);
}

void CellReader::read(std::string_view text, JsonNodes members)
{
    auto record = std::make_shared<CellRecord>();
    record->origin = {static_cast<std::size_t>(text.data() - m_notebook.bytes.constData()), text.size()};
    record->index = record->filePosition = static_cast<qsizetype>(m_notebook.records.size());
    if (isJsonObject(text)) {
        readMembers(members, *record);
    } else {
        record->cell.type = Cell::Type::Raw;
        record->cell.source = jsonMultiline(text);
        tolerate(CellText::tr("Cell %1 is no object; it is kept as it is.").arg(record->index + 1));
    }
    m_notebook.records.push_back(std::move(record));
}

void CellReader::readMembers(JsonNodes members, CellRecord &record)
{
    Cell &cell = record.cell;
    cell.type = Cell::Type::Raw;
    QString type;
    for (const JsonNode &member : members) {
        if (member.name() == "cell_type")
            type = jsonMultiline(member.value);
        else if (member.name() == "source")
            cell.source = jsonMultiline(member.value);
        else if (member.name() == "id" && isJsonString(member.value))
            cell.id.value = jsonQString(member.value);
        else if (member.name() == "execution_count")
            cell.executionCount = static_cast<int>(std::clamp<std::int64_t>(jsonInteger(member.value, 0), 0, 1 << 30));
        else if (member.name() == "metadata")
            readMetadata(member.value, cell);
        else if (member.name() == "outputs" && isJsonArray(member.value))
            record.outputs = {
                static_cast<std::size_t>(member.value.data() - m_notebook.bytes.constData()), member.value.size()};
    }
    if (type == QLatin1String("code"))
        cell.type = Cell::Type::Code;
    else if (type == QLatin1String("markdown"))
        cell.type = Cell::Type::Markdown;
    else if (type != QLatin1String("raw"))
        tolerate(CellText::tr("Cell %1 is of a kind that is not known; it is kept as it is.").arg(record.index + 1));
    constexpr std::size_t kEmptyArrayBytes = 2;
    record.hasUnparsedOutputs = cell.type == Cell::Type::Code && record.outputs.size > kEmptyArrayBytes;
}

void CellReader::readMetadata(std::string_view metadata, Cell &cell) const
{
    if (metadata.size() <= 2)
        return;
    cell.language = cellLanguage(metadata);
    cell.mayFail = hasTag(metadata, "raises-exception");
    cell.outputsCollapsed = jsonMember(metadata, "collapsed") == "true"
        || jsonMember(jsonMember(metadata, "jupyter"), "outputs_hidden") == "true";
    readExecution(jsonMember(metadata, "execution"), cell.run);
}

void CellReader::repairIds()
{
    QSet<QString> taken;
    qsizetype repaired = 0;
    const bool needsIds = m_notebook.minor >= 5;
    for (const auto &record : m_notebook.records) {
        QString &id = record->cell.id.value;
        const bool isGood = isValidCellId(id) && !taken.contains(id);
        if (!isGood) {
            do
                id = makeCellId().value;
            while (taken.contains(id));
            const bool isObject = m_notebook.bytes.at(static_cast<qsizetype>(record->origin.begin)) == '{';
            if (needsIds && isObject) {
                record->changes |= CellRecord::IdChanged;
                ++repaired;
            }
        }
        taken.insert(id);
    }
    if (repaired == 0)
        return;
    m_notebook.isRepaired = true;
    tolerate(CellText::tr("%n cell(s) had no id, or one that is used twice or not allowed, and got a new one.", nullptr,
        static_cast<int>(repaired)));
}

CellId makeCellId()
{
    return {QString::number(QRandomGenerator::global()->generate(), 16).rightJustified(8, u'0')};
}

bool isValidCellId(QStringView id)
{
    const auto isAllowed = [](QChar c) {
        return (c >= u'a' && c <= u'z') || (c >= u'A' && c <= u'Z') || (c >= u'0' && c <= u'9') || c == u'-'
            || c == u'_';
    };
    return !id.isEmpty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), isAllowed);
}

} // namespace sandfish
