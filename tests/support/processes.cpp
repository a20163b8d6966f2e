#include "tests/support/processes.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QHash>

#include <algorithm>

namespace sandfish {

using namespace Qt::StringLiterals;

namespace {

QByteArray commandLine(qint64 pid)
{
    QFile file(u"/proc/%1/cmdline"_s.arg(pid));
    return file.open(QIODevice::ReadOnly) ? file.readAll().replace('\0', ' ') : QByteArray();
}

// The daemon compiles its Python runner in the background when it starts. Without a command line a process is ending.
bool isOfASandbox(qint64 pid)
{
    const QByteArray line = commandLine(pid);
    return !line.isEmpty() && !line.contains("compileall");
}

// The fields from the state on; empty when the process is gone.
QList<QByteArray> statFields(qint64 pid)
{
    QFile file(u"/proc/%1/stat"_s.arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray stat = file.readAll();
    return stat.mid(stat.lastIndexOf(')') + 2).split(' ');
}

bool isRunning(qint64 pid)
{
    const QList<QByteArray> fields = statFields(pid);
    return !fields.isEmpty() && fields.first() != "Z" && fields.first() != "X" && !fields.first().isEmpty();
}

} // namespace

QList<qint64> processesBelow(qint64 root)
{
    QHash<qint64, qint64> parents;
    const QStringList names = QDir(u"/proc"_s).entryList(QDir::Dirs);
    for (const QString &name : names) {
        const qint64 pid = name.toLongLong();
        if (pid > 0 && isRunning(pid))
            parents.insert(pid, statFields(pid).value(1).toLongLong());
    }
    QList<qint64> found;
    for (auto it = parents.cbegin(); it != parents.cend(); ++it) {
        for (qint64 pid = it.key(); parents.contains(pid); pid = parents.value(pid)) {
            if (parents.value(pid) == root) {
                if (isOfASandbox(it.key()))
                    found.append(it.key());
                break;
            }
        }
    }
    return found;
}

QByteArray described(const QList<qint64> &pids)
{
    QByteArray text;
    for (qint64 pid : pids)
        text += QByteArray::number(pid) + ' ' + statFields(pid).value(0) + ' ' + commandLine(pid) + '\n';
    return text;
}

qint64 cpuTicks(const QList<qint64> &pids)
{
    qint64 ticks = 0;
    for (qint64 pid : pids) {
        const QList<QByteArray> fields = statFields(pid);
        ticks += fields.value(11).toLongLong() + fields.value(12).toLongLong();
    }
    return ticks;
}

bool areGone(const QList<qint64> &pids)
{
    return std::none_of(pids.begin(), pids.end(), isRunning);
}

} // namespace sandfish
