#include "ui/window/recoverykeeper.h"

#include "core/document/ipynbwriter.h"
#include "core/document/notebookdocument.h"
#include "ui/window/notebooktab.h"

#include <QUuid>
#include <QtConcurrentRun>

namespace sandfish {
namespace {

constexpr std::chrono::seconds kDelay{3};

} // namespace

RecoveryKeeper::RecoveryKeeper(const QString &folder, QObject *parent)
    : QObject(parent)
    , m_store(folder)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelay);
    connect(&m_timer, &QTimer::timeout, this, [this] { writeNow(); });
}

void RecoveryKeeper::watch(NotebookTab *tab)
{
    m_tabs.insert(tab, {QUuid::createUuid().toString(QUuid::WithoutBraces), tab->changeSerial()});
    connect(tab, &NotebookTab::contentChanged, this, [this] {
        // Not restarted by later changes: during a long run a copy is still due every few seconds.
        if (!m_timer.isActive())
            m_timer.start();
    });
    connect(tab, &QObject::destroyed, this, [this, tab] { m_tabs.remove(tab); });
}

void RecoveryKeeper::forget(NotebookTab *tab)
{
    const auto it = m_tabs.find(tab);
    if (it == m_tabs.end())
        return;
    m_store.remove(it->key);
    it->writtenSerial = tab->changeSerial();
}

void RecoveryKeeper::writeNow(const std::function<void()> &done)
{
    // One more than there are writes, so that nothing to write ends at once.
    const auto pending = std::make_shared<int>(1);
    const auto settle = [pending, done] {
        if (--*pending == 0 && done)
            done();
    };
    for (auto it = m_tabs.begin(); it != m_tabs.end(); ++it) {
        NotebookTab *tab = it.key();
        if (it->isWriting || !tab->hasUnsavedWork() || it->writtenSerial == tab->changeSerial())
            continue;
        it->isWriting = true;
        it->writtenSerial = tab->changeSerial();
        ++*pending;
        const QString path = m_store.copyPath(it->key);
        const NotebookImage image = tab->document()->image();
        QtConcurrent::run([image, path, title = tab->title(), filePath = tab->filePath()] {
            RecoveryStore::write(image, path, title, filePath);
        }).then(this, [this, tab, settle] {
            finishWrite(tab);
            settle();
        });
    }
    settle();
}

void RecoveryKeeper::finishWrite(NotebookTab *tab)
{
    const auto watched = m_tabs.find(tab);
    if (watched == m_tabs.end())
        return;
    watched->isWriting = false;
    if (!tab->hasUnsavedWork())
        m_store.remove(watched->key);
    else if (watched->writtenSerial != tab->changeSerial())
        m_timer.start();
}

} // namespace sandfish
