#pragma once

#include "app/cli/commands/cellscommand.h"

namespace sandfish {

/// `exec`: runs one piece of code.
class ExecCommand : public CellsCommand
{
    Q_OBJECT
public:
    using CellsCommand::CellsCommand;
    static CommandSpec spec();

    void start() override;

protected:
    QString failureSentence(const CellsRun::Report &report) const override;

private:
    Result<QString> language() const;
    Result<QString> code() const;
};

} // namespace sandfish
