#include "app/cli/sandboxreport.h"

#include <QDateTime>
#include <QList>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;

QDateTime dateOf(SystemTime time)
{
    return QDateTime::fromMSecsSinceEpoch(
        std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

std::string isoDate(SystemTime time)
{
    return dateOf(time).toUTC().toString(Qt::ISODate).toStdString();
}

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QStringList rowOf(const SandboxInfo &sandbox)
{
    const QString started = sandbox.startedAt ? dateOf(*sandbox.startedAt).toString(u"yyyy-MM-dd HH:mm"_s) : QString();
    const QString memory = sandbox.memoryBytes
        ? QLocale::c().formattedDataSize(*sandbox.memoryBytes, 0, QLocale::DataSizeTraditionalFormat)
        : QString();
    return {text(sandbox.id.value), text(sandbox.name), text(sandboxStateName(sandbox.state)), memory, started,
        text(sandbox.isolation)};
}

} // namespace

Json sandboxJson(const SandboxInfo &sandbox)
{
    Json object{{"id", sandbox.id.value}, {"name", sandbox.name}, {"state", sandboxStateName(sandbox.state)}};
    if (!sandbox.templateName.empty())
        object["template"] = sandbox.templateName;
    if (sandbox.startedAt)
        object["startedAt"] = isoDate(*sandbox.startedAt);
    if (sandbox.endsAt)
        object["endsAt"] = isoDate(*sandbox.endsAt);
    if (sandbox.memoryBytes)
        object["memoryBytes"] = *sandbox.memoryBytes;
    if (!sandbox.isolation.empty())
        object["isolation"] = sandbox.isolation;
    if (!sandbox.metadata.empty())
        object["metadata"] = sandbox.metadata;
    return object;
}

QString sandboxTable(const std::vector<SandboxInfo> &sandboxes)
{
    QList<QStringList> rows{{u"ID"_s, u"NAME"_s, u"STATE"_s, u"MEMORY"_s, u"STARTED"_s, u"ISOLATION"_s}};
    for (const SandboxInfo &sandbox : sandboxes)
        rows.append(rowOf(sandbox));
    QList<qsizetype> widths(rows.first().size(), 0);
    for (const QStringList &row : rows) {
        for (qsizetype i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    QString table;
    for (const QStringList &row : rows) {
        QString line;
        for (qsizetype i = 0; i < row.size(); ++i)
            line += row[i].leftJustified(widths[i] + 2);
        table += line.trimmed() + u'\n';
    }
    return table;
}

} // namespace sandfish
