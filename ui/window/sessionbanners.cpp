#include "ui/window/sessionbanners.h"

#include "core/providers/provider.h"
#include "core/session/notebooksession.h"
#include "ui/panels/bannerstack.h"
#include "ui/panels/statewords.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLocale>
#include <QTime>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

using State = NotebookSession::State;

const QString kStateId = u"state"_s;
const QString kErrorId = u"error"_s;
const QString kResumeId = u"resume"_s;

QString keptSentence(PauseKeeps keeps, const QString &provider)
{
    switch (keeps) {
    case PauseKeeps::FilesAndMemory:
        return SessionBanners::tr("Variables and files are kept.");
    case PauseKeeps::FilesOnly:
        return SessionBanners::tr("%1 reports files as kept, memory not. Variables will be gone after resume.")
            .arg(provider);
    case PauseKeeps::Unknown:
        break;
    }
    return SessionBanners::tr("%1 does not report what is kept. Treat variables as lost until checked.").arg(provider);
}

/// Hours and minutes as the locale has them; its short form may have seconds.
QString clockTime(QTime time)
{
    const QLocale locale;
    return locale.toString(time, locale.timeFormat(QLocale::ShortFormat).remove(u":ss"_s));
}

} // namespace

std::pair<QString, QString> splitSentence(const QString &message)
{
    const qsizetype end = message.indexOf(u". "_s);
    return end < 0 ? std::pair(message, QString()) : std::pair(message.first(end + 1), message.sliced(end + 2));
}

SessionBanners::SessionBanners(NotebookSession *session, BannerStack *banners, QObject *parent)
    : QObject(parent)
    , m_session(session)
    , m_banners(banners)
{
    connect(session, &NotebookSession::stateChanged, this, &SessionBanners::follow);
    connect(session, &NotebookSession::failed, this, [this](const Error &error) {
        m_waiting.clear();
        showError(error);
    });
    connect(session, &NotebookSession::noticed, this, &SessionBanners::showNotice);
    connect(session, &NotebookSession::resumeNeeded, this, &SessionBanners::offerResume);
    connect(banners, &BannerStack::dismissed, this, [this](const QString &id) {
        if (id == kResumeId)
            cancelResume();
    });
}

QString SessionBanners::sandboxName() const
{
    const QString name = QString::fromStdString(m_session->sandbox().name);
    return name.isEmpty() ? tr("The sandbox") : name;
}

QString SessionBanners::providerName() const
{
    return m_session->provider() ? m_session->provider()->displayName() : tr("The provider");
}

void SessionBanners::follow()
{
    const State state = m_session->state();
    if (state != State::Paused && state != State::Resuming)
        cancelResume();
    switch (state) {
    case State::Paused:
        showPaused();
        return;
    case State::Reconnecting:
        showReconnecting();
        return;
    case State::Gone:
        showGone();
        return;
    case State::Ready:
    case State::Busy:
        m_banners->remove(kErrorId);
        break;
    default:
        break;
    }
    m_banners->remove(kStateId);
    if (state == State::Ready && !m_waiting.empty())
        m_session->runCells(std::exchange(m_waiting, {}));
}

void SessionBanners::showPaused()
{
    BannerContent content;
    content.id = kStateId;
    content.severity = BannerContent::Severity::Paused;
    content.title = tr("%1 is paused").arg(sandboxName());
    content.text = keptSentence(m_session->sandbox().pauseKeeps, providerName());
    content.works = tr("Works now: edit, search, save");
    content.needs = tr("Needs resume: run, restart");
    const QString now = clockTime(QTime::currentTime());
    const bool isHere =
        m_session->provider() && m_session->provider()->capabilities().testFlag(Provider::Capability::FolderBinds);
    content.note = isHere ? tr("Not kept: network connections. Compute stopped %1.").arg(now)
                          : tr("Not kept: network connections. Compute stopped %1; storage may be billed.").arg(now);
    content.actions = {{tr("Resume"), [this] { m_session->resume(); }, true, u"resume"_s},
        {tr("Details"), [this] { emit detailsRequested(); }}};
    content.isDismissible = false;
    m_banners->put(content);
}

void SessionBanners::showReconnecting()
{
    BannerContent content;
    content.id = kStateId;
    content.severity = BannerContent::Severity::Info;
    content.icon = u"connection"_s;
    content.title = tr("Reconnecting to %1.").arg(providerName());
    content.text = tr("Output sent meanwhile may be missing.");
    content.isDismissible = false;
    m_banners->put(content);
}

void SessionBanners::showGone()
{
    BannerContent content;
    content.id = kStateId;
    content.severity = BannerContent::Severity::Error;
    content.icon = u"gone"_s;
    content.title = tr("%1 is gone.").arg(sandboxName());
    content.text = tr("%1 no longer knows it. Your notebook and its outputs are complete.").arg(providerName());
    content.actions = {{tr("Create a new sandbox"), [this] { m_session->start(); }}};
    m_banners->put(content);
}

void SessionBanners::offerResume(const std::vector<CellId> &ids)
{
    BannerContent content;
    content.id = kResumeId;
    // Above the state's own banner: it is a question that waits.
    content.severity = BannerContent::Severity::Warning;
    content.icon = u"pause"_s;
    content.title = tr("%1 is paused.").arg(sandboxName());
    content.text = ids.size() == 1 ? tr("Resume it and run this cell?")
                                   : tr("Resume it and run %n cells?", nullptr, int(ids.size()));
    content.actions = {
        {tr("Resume and run"), [this, ids] { resumeAndRun(ids); }, true}, {tr("Cancel"), [this] { cancelResume(); }}};
    content.isDismissible = false;
    m_banners->put(content);
    emit askingChanged(true);
}

void SessionBanners::resumeAndRun(const std::vector<CellId> &ids)
{
    // While it is still pausing the question stays.
    if (m_session->state() != State::Paused)
        return;
    cancelResume();
    m_waiting = ids;
    m_session->resume();
}

void SessionBanners::cancelResume()
{
    m_banners->remove(kResumeId);
    emit askingChanged(false);
}

void SessionBanners::showNotice(const QString &text)
{
    const auto [fact, advice] = splitSentence(text);
    BannerContent content;
    content.id = u"notice"_s;
    content.title = fact;
    content.text = advice;
    m_banners->put(content);
}

void SessionBanners::showError(const Error &error, const QString &id)
{
    if (error.kind == Error::Kind::Cancelled)
        return;
    const auto [fact, advice] = splitSentence(QString::fromStdString(error.message));
    BannerContent content;
    content.id = id;
    content.severity = BannerContent::Severity::Error;
    content.title = fact;
    content.text = advice;
    if (id == kErrorId && m_session->state() == State::Failed)
        content.actions.push_back({tr("Try again"), [this] {
                                       m_banners->remove(kErrorId);
                                       m_session->start();
                                   }});
    const QString detail = QString::fromStdString(error.detail);
    if (!detail.isEmpty()) {
        const QString report = u"%1\n%2\n%3"_s.arg(fact, advice, detail);
        content.actions.push_back({tr("Copy details"), [report] { QGuiApplication::clipboard()->setText(report); }});
    }
    m_banners->put(content);
}

} // namespace sandfish
