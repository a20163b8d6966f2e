#pragma once

#include "app/cli/commands/cellscommand.h"
#include "core/document/notebookfile.h"

#include <QElapsedTimer>

namespace sandfish {

/// `run FILE.ipynb`: executes a notebook and writes it back.
class RunCommand : public CellsCommand
{
    Q_OBJECT
public:
    using CellsCommand::CellsCommand;
    static CommandSpec spec();

    void start() override;

protected:
    Result<QString> save() override;
    QString failureSentence(const CellsRun::Report &report) const override;
    QString successSentence(const CellsRun::Report &report, const QString &path) const override;
    QString interruptedSentence(const QString &path) const override;
    bool allowsErrors() const override { return arguments().isSet(QStringLiteral("allow-errors")); }

private:
    bool isQuiet() const { return arguments().isSet(QStringLiteral("quiet")); }
    Result<std::unique_ptr<NotebookDocument>> open();
    QString targetPath() const;

    QString m_path; ///< absolute
    FileStamp m_stamp;
    QElapsedTimer m_age;
    bool m_mayWriteToFolder = false;
};

} // namespace sandfish
