#include "ui/panels/variablewords.h"

#include "core/providers/provider.h"
#include "core/session/notebooksession.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using State = VariableWatch::State;

QString tr(const char *text)
{
    return QCoreApplication::translate("sandfish::Variables", text);
}

// Their text tells nothing that the name does not.
bool isCode(const std::string &type)
{
    constexpr std::array kTypes{"function", "builtin_function_or_method", "type", "method"};
    return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end();
}

bool isText(const VariableInfo &info)
{
    constexpr std::array kTypes{"str", "string", "bytes", "bytearray", "string (exported)"};
    return std::find(kTypes.begin(), kTypes.end(), info.type) != kTypes.end();
}

QString sandboxName(const VariableWatch &watch)
{
    return watch.session() ? QString::fromStdString(watch.session()->sandbox().name) : QString();
}

QString providerName(const VariableWatch &watch)
{
    const Provider *provider = watch.session() ? watch.session()->provider() : nullptr;
    return provider ? provider->displayName() : tr("This service");
}

QString countText(const VariableList &list)
{
    const auto listed = static_cast<int>(list.variables.size());
    if (list.total > listed)
        return tr("%L1 of %L2 variables").arg(listed).arg(list.total);
    return listed == 1 ? tr("1 variable") : tr("%L1 variables").arg(listed);
}

QString totalSizeText(const VariableList &list)
{
    std::int64_t sum = 0;
    for (const VariableInfo &info : list.variables)
        sum += info.sizeBytes.value_or(0);
    return sum > 0 ? u", "_s + objectSizeText(sum) : QString();
}

} // namespace

QString objectSizeText(std::int64_t sizeBytes)
{
    if (sizeBytes < 1000)
        return tr("%L1 B").arg(sizeBytes);
    return QLocale().formattedDataSize(sizeBytes, 1, QLocale::DataSizeSIFormat);
}

QString shapeText(const VariableInfo &info)
{
    if (!info.shape || info.shape->empty())
        return {};
    if (info.shape->size() == 1) {
        const std::int64_t count = info.shape->front();
        if (isText(info))
            return count == 1 ? tr("1 character") : tr("%L1 characters").arg(count);
        return count == 1 ? tr("1 item") : tr("%L1 items").arg(count);
    }
    QStringList parts;
    for (const std::int64_t part : *info.shape)
        parts.append(QLocale().toString(static_cast<qlonglong>(part)));
    return parts.join(u" \u00d7 "_s);
}

QString shortTypeText(const VariableInfo &info)
{
    const QString whole = QString::fromStdString(info.type);
    return info.type == "type" ? tr("class") : whole.mid(whole.lastIndexOf(u'.') + 1);
}

QString valueText(const VariableInfo &info)
{
    if (info.value)
        return QString::fromStdString(*info.value).simplified();
    return info.type.empty() ? tr("not read in time") : tr("repr timed out");
}

QString summaryText(const VariableInfo &info)
{
    const QString type = shortTypeText(info);
    if (isCode(info.type))
        return type;
    const QString shape = shapeText(info);
    if (shape.isEmpty() || isText(info))
        return type.isEmpty() ? valueText(info) : type + u' ' + valueText(info);
    return info.shape->size() > 1 ? type + u' ' + shape : tr("%1, %2").arg(type, shape);
}

EmptyWords emptyWordsOf(const VariableWatch &watch)
{
    const QString icon = u"variables"_s;
    switch (watch.state()) {
    case State::NoNotebook:
        return {icon, tr("No notebook"), tr("Open a notebook to see its variables here.")};
    case State::Unsupported:
        return {icon, tr("No variables to show"), tr("%1 cannot list variables.").arg(providerName(watch))};
    case State::Paused:
        return {u"pause"_s, tr("%1 is paused").arg(sandboxName(watch)), tr("Resume it to see its variables.")};
    case State::Busy:
        return {u"running"_s, tr("A cell is running"), tr("Variables are read when it has ended.")};
    case State::Reading:
        return {icon, tr("Reading variables"), {}};
    case State::Failed:
        return {u"warning"_s, tr("The variables were not read"), watch.errorText()};
    case State::NoContext:
    case State::Current:
        break;
    }
    return {icon, tr("No variables yet"), tr("Run a cell to see its variables here.")};
}

QString noteText(const VariableWatch &watch)
{
    if (!watch.readAt().isValid())
        return {};
    const QString time = QLocale().toString(watch.readAt().time(), u"HH:mm:ss"_s);
    switch (watch.state()) {
    case State::Busy:
        return tr("A cell is running. Values of %1").arg(time);
    case State::Paused:
        return tr("%1 is paused. Values of %2").arg(sandboxName(watch), time);
    case State::Failed:
        return tr("Not read again: %1 Values of %2").arg(watch.errorText(), time);
    default:
        return tr("%1%2. Updated %3").arg(countText(watch.variables()), totalSizeText(watch.variables()), time);
    }
}

} // namespace sandfish
