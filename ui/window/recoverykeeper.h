#pragma once

#include "ui/window/recoverystore.h"

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QTimer>

#include <functional>
#include <memory>

namespace sandfish {

class NotebookTab;

/// Writes recovery copies of the tabs with unsaved work a few seconds after each change, and takes them away once the
/// work is on disk or was given up. Thread: GUI; the writing is done in the pool.
class RecoveryKeeper : public QObject
{
    Q_OBJECT
public:
    explicit RecoveryKeeper(const QString &folder, QObject *parent = nullptr);

    void watch(NotebookTab *tab);
    /// The work of \a tab needs no copy any more.
    void forget(NotebookTab *tab);
    /// Writes what is due without waiting for the few seconds; \a done runs once all of it is on disk.
    void writeNow(const std::function<void()> &done = {});
    RecoveryStore &store() { return m_store; }

private:
    struct Watched
    {
        QString key;
        quint64 writtenSerial = 0;
        bool isWriting = false;
    };

    void finishWrite(NotebookTab *tab);

    RecoveryStore m_store;
    QHash<NotebookTab *, Watched> m_tabs;
    QTimer m_timer;
};

} // namespace sandfish
