#include "ui/panels/statewords.h"

#include <QCoreApplication>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("sandfish::StateWords", text);
}

StateLook runningLook()
{
    return {u"dot"_s, tr("Running"), ColorToken::Run};
}

StateLook unknownLook()
{
    return {u"unknown"_s, tr("Unknown"), ColorToken::Unknown};
}

} // namespace

StateLook lookOf(SandboxState state)
{
    switch (state) {
    case SandboxState::Creating:
        return {u"running"_s, tr("Starting"), ColorToken::Accent};
    case SandboxState::Running:
        return runningLook();
    case SandboxState::Pausing:
        return {u"pausing"_s, tr("Pausing"), ColorToken::Sand};
    case SandboxState::Paused:
        return {u"pause"_s, tr("Paused"), ColorToken::Sand};
    case SandboxState::Resuming:
        return {u"resuming"_s, tr("Resuming"), ColorToken::Sand};
    case SandboxState::Stopping:
        return {u"kill"_s, tr("Stopping"), ColorToken::Text3};
    case SandboxState::Stopped:
        return {u"interrupt"_s, tr("Stopped"), ColorToken::Text3};
    case SandboxState::Busy:
        return {u"running"_s, tr("Changing"), ColorToken::Accent};
    case SandboxState::Failed:
        return {u"error"_s, tr("Failed"), ColorToken::Error};
    case SandboxState::Gone:
        return {u"gone"_s, tr("Gone"), ColorToken::Text3};
    case SandboxState::Unknown:
        break;
    }
    return unknownLook();
}

StateLook lookOf(NotebookSession::State state)
{
    switch (state) {
    case NotebookSession::State::NoSandbox:
        return {u"queued"_s, tr("Starts with the first run"), ColorToken::Text3};
    case NotebookSession::State::Starting:
        return {u"running"_s, tr("Starting"), ColorToken::Accent};
    case NotebookSession::State::Ready:
        return {u"dot"_s, tr("Ready"), ColorToken::Run};
    case NotebookSession::State::Busy:
        return runningLook();
    case NotebookSession::State::Pausing:
        return lookOf(SandboxState::Pausing);
    case NotebookSession::State::Paused:
        return lookOf(SandboxState::Paused);
    case NotebookSession::State::Resuming:
        return lookOf(SandboxState::Resuming);
    case NotebookSession::State::Reconnecting:
        return {u"connection"_s, tr("Reconnecting"), ColorToken::Warn};
    case NotebookSession::State::Failed:
        return {u"error"_s, tr("Failed"), ColorToken::Error};
    case NotebookSession::State::Gone:
        return lookOf(SandboxState::Gone);
    }
    return unknownLook();
}

QString minutesText(std::chrono::milliseconds time)
{
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    const QString tail =
        u"%1:%2"_s.arg(seconds / 60 % 60, seconds >= 3600 ? 2 : 1, 10, '0'_L1).arg(seconds % 60, 2, 10, '0'_L1);
    return seconds >= 3600 ? u"%1:%2"_s.arg(QString::number(seconds / 3600), tail) : tail;
}

QString sizeText(std::int64_t sizeBytes)
{
    return QLocale().formattedDataSize(sizeBytes, sizeBytes < 1'000'000'000 ? 0 : 1, QLocale::DataSizeSIFormat);
}

QString keptText(PauseKeeps keeps)
{
    switch (keeps) {
    case PauseKeeps::FilesAndMemory:
        return tr("memory kept");
    case PauseKeeps::FilesOnly:
        return tr("files only");
    case PauseKeeps::Unknown:
        break;
    }
    return tr("kept: unknown");
}

QString languageIcon(const QString &language)
{
    static const QStringList known{u"python"_s, u"javascript"_s, u"bash"_s};
    return known.contains(language) ? language : u"code"_s;
}

} // namespace sandfish
