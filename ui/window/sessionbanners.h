#pragma once

#include "core/base/error.h"
#include "core/document/cell.h"

#include <QObject>

#include <utility>
#include <vector>

namespace sandfish {

class BannerStack;
class NotebookSession;

/// The first sentence is the fact, the rest is what to do.
std::pair<QString, QString> splitSentence(const QString &message);

/// Tells by banners what the sandbox of one notebook does: paused, reconnecting, failed, gone; and asks whether to
/// resume when a run needs it (DESIGN.md §6). Thread: GUI.
class SessionBanners : public QObject
{
    Q_OBJECT
public:
    /// Both outlive the object.
    SessionBanners(NotebookSession *session, BannerStack *banners, QObject *parent = nullptr);

    /// A failure that the user should see, with "Copy details" if there are any. Replaces the one with the same id.
    void showError(const Error &error, const QString &id = QStringLiteral("error"));

    /// Takes back the question whether to resume and run: the cells it was asked for will not run.
    void cancelResume();

signals:
    /// The question whether to resume and run is open, or no longer.
    void askingChanged(bool isAsking);
    void detailsRequested();

private:
    void follow();
    void showPaused();
    void showReconnecting();
    void showGone();
    void showNotice(const QString &text);
    void offerResume(const std::vector<CellId> &ids);
    void resumeAndRun(const std::vector<CellId> &ids);
    QString sandboxName() const;
    QString providerName() const;

    NotebookSession *m_session;
    BannerStack *m_banners;
    std::vector<CellId> m_waiting; ///< run after the resume that was asked for with them
};

} // namespace sandfish
