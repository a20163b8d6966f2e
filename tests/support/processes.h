#pragma once

#include <QByteArray>
#include <QList>
#include <QtGlobal>

namespace sandfish {

/// Every process of a daemon's sandboxes: bubblewrap, supervisors and the user's own. The daemon's compiler of its
/// Python runner and dead processes do not count.
QList<qint64> processesBelow(qint64 root);

/// Their states and command lines, for the message of a failure.
QByteArray described(const QList<qint64> &pids);

/// The processor time that these have used, in clock ticks; a process that is gone counts as nothing.
qint64 cpuTicks(const QList<qint64> &pids);

/// True if none of these runs any more.
bool areGone(const QList<qint64> &pids);

} // namespace sandfish
