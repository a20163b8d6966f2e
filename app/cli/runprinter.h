#pragma once

#include "core/protocol/executionevent.h"

#include <QString>

#include <vector>

namespace sandfish {

/// A cell and where it stands.
struct CellPlace
{
    int number = 1; ///< from 1, of the code cells that are not empty
    int count = 1;  ///< of those
    QString id;
    QString language;
    QString source;
};

/// Where the outputs of a run go, as they come.
class RunPrinter
{
public:
    virtual ~RunPrinter() = default;
    virtual void cellStarted(const CellPlace &cell) = 0;
    virtual void received(const CellPlace &cell, const std::vector<ExecutionEvent> &events) = 0;
    virtual void cellFinished(const CellPlace &cell, const ExecutionSummary &summary) = 0;
};

} // namespace sandfish
