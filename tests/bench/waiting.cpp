#include "tests/bench/waiting.h"

#include "core/providers/local/enginefile.h"

#include <QAbstractEventDispatcher>
#include <QEvent>
#include <QEventLoop>
#include <QFileInfo>
#include <QTimer>
#include <QWidget>

#include <csignal>
#include <sys/types.h>

using namespace Qt::StringLiterals;

namespace sandfish::bench {

bool waitUntil(const std::function<bool()> &isDone, std::chrono::milliseconds limit)
{
    QEventLoop loop;
    bool wasDone = isDone();
    if (wasDone)
        return true;
    const auto check = [&] {
        wasDone = wasDone || isDone();
        if (wasDone)
            loop.quit();
    };
    // A busy loop never blocks, so there is a slow timer too.
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &loop, check);
    QObject::connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock, &loop, check);
    timer.start(std::chrono::milliseconds(20));
    QTimer::singleShot(limit, &loop, &QEventLoop::quit);
    loop.exec();
    return wasDone;
}

void rest(std::chrono::milliseconds time)
{
    QEventLoop loop;
    QTimer::singleShot(time, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

PaintProbe::PaintProbe(QWidget *widget, std::function<void()> painted)
    : m_painted(std::move(painted))
{
    widget->installEventFilter(this);
}

bool PaintProbe::eventFilter(QObject *, QEvent *event)
{
    // The queued call comes after this event and the flush that follows it.
    if (event->type() == QEvent::Paint)
        QMetaObject::invokeMethod(
            this, [this] { m_painted(); }, Qt::QueuedConnection);
    return false;
}

void stopEngine(const QString &stateDir)
{
    const auto pid = [&stateDir]() -> pid_t {
        const auto file = readEngineFile(stateDir);
        return file && *file ? pid_t((*file)->pid) : 0;
    };
    if (!QFileInfo::exists(stateDir) || !waitUntil([&pid] { return pid() > 0; }, std::chrono::seconds(5)))
        return;
    const pid_t engine = pid();
    ::kill(engine, SIGTERM);
    waitUntil([engine] { return ::kill(engine, 0) != 0; }, std::chrono::seconds(10));
}

} // namespace sandfish::bench
