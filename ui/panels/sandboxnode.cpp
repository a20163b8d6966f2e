#include "ui/panels/sandboxnode.h"

#include "core/providers/provider.h"
#include "ui/panels/statewords.h"

#include <QLocale>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

QString timeText(SystemTime time)
{
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
    return QLocale().toString(QDateTime::fromMSecsSinceEpoch(milliseconds).time(), QLocale::ShortFormat);
}

QString detailOf(const SandboxInfo &info)
{
    QStringList parts;
    if (!info.isolation.empty())
        parts << SandboxModel::tr("isolation: %1").arg(QString::fromStdString(info.isolation));
    else if (!info.templateName.empty())
        parts << QString::fromStdString(info.templateName);
    if (info.state == SandboxState::Paused)
        parts << keptText(info.pauseKeeps);
    else if (info.endsAt)
        parts << SandboxModel::tr("ends %1").arg(timeText(*info.endsAt));
    return parts.join(u" · "_s);
}

StateLook contextLook(ContextState state)
{
    switch (state) {
    case ContextState::Starting:
        return {{}, SandboxModel::tr("starting"), ColorToken::Accent};
    case ContextState::Idle:
        return {{}, SandboxModel::tr("idle"), ColorToken::Text2};
    case ContextState::Busy:
        return {{}, SandboxModel::tr("running"), ColorToken::Accent};
    case ContextState::Dead:
        return {{}, SandboxModel::tr("ended"), ColorToken::Error};
    case ContextState::Unknown:
        break;
    }
    return {{}, SandboxModel::tr("unknown"), ColorToken::Unknown};
}

QVariant lookData(const StateLook &look, int role)
{
    switch (role) {
    case SandboxModel::StateWordRole:
        return look.word;
    case SandboxModel::StateIconRole:
        return look.icon;
    case SandboxModel::StateColorRole:
        return int(look.color);
    default:
        return {};
    }
}

StateLook providerLook(const QString &problem, std::size_t sandboxCount)
{
    if (!problem.isEmpty())
        return {u"gone"_s, SandboxModel::tr("Not connected"), ColorToken::Text2};
    return {{}, sandboxCount == 0 ? QString() : QLocale().toString(qulonglong(sandboxCount)), ColorToken::Text3};
}

QVariant sandboxData(const SandboxInfo &info, const QDateTime &readAt, std::size_t contextCount, int role)
{
    const QString name = QString::fromStdString(info.name.empty() ? info.id.value : info.name);
    const StateLook look = lookOf(info.state);
    switch (role) {
    case Qt::DisplayRole:
        return name;
    case SandboxModel::DetailRole:
        return detailOf(info);
    case Qt::ToolTipRole:
        return SandboxModel::tr("%1, read %2").arg(look.word, QLocale().toString(readAt.time(), QLocale::LongFormat));
    case Qt::AccessibleTextRole:
        return u"%1, %2, %3, %4"_s.arg(name, look.word, detailOf(info),
            contextCount == 1 ? SandboxModel::tr("1 context")
                              : SandboxModel::tr("%n contexts", nullptr, int(contextCount)));
    default:
        return lookData(look, role);
    }
}

QVariant contextData(const ContextInfo &info, int role)
{
    const QString language = languageName(QString::fromStdString(info.language));
    const StateLook look = contextLook(info.state);
    switch (role) {
    case Qt::DisplayRole:
        return info.version.empty() ? language : language + u' ' + QString::fromStdString(info.version);
    case Qt::DecorationRole:
        return languageIcon(QString::fromStdString(info.language));
    case Qt::ToolTipRole:
        return QString::fromStdString(info.cwd);
    case Qt::AccessibleTextRole:
        return u"%1, %2"_s.arg(language, look.word);
    default:
        return lookData(look, role);
    }
}

} // namespace

int SandboxModel::Node::row() const
{
    if (!parent)
        return -1;
    const auto &siblings = parent->children;
    const auto it = std::find_if(siblings.begin(), siblings.end(), [this](const auto &n) { return n.get() == this; });
    return int(it - siblings.begin());
}

QVariant SandboxModel::Node::data(int role) const
{
    if (role == KindRole)
        return int(kind);
    if (kind == Kind::Sandbox)
        return sandboxData(sandbox, readAt, children.size(), role);
    if (kind == Kind::Context)
        return contextData(context, role);
    const StateLook look = providerLook(problem, children.size());
    switch (role) {
    case Qt::DisplayRole:
        return provider->displayName();
    case Qt::DecorationRole:
        return u"provider"_s;
    case Qt::ToolTipRole:
        return problem;
    case Qt::AccessibleTextRole:
        return u"%1, %2"_s.arg(provider->displayName(), problem.isEmpty() ? tr("connected") : problem);
    default:
        return lookData(look, role);
    }
}

} // namespace sandfish
