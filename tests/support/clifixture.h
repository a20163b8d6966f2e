#pragma once

#include <QJsonObject>
#include <QList>
#include <QProcess>
#include <QTemporaryDir>

#include <memory>

namespace sandfish {

/// What a call of the built sandfish-cli came to.
struct CliResult
{
    int status = -1; ///< -1: it did not end in time, or crashed
    QByteArray output;
    QByteArray errors;

    QList<QJsonObject> lines() const; ///< of JSON; one that is none is an empty object
    QJsonObject lastLine() const { return lines().isEmpty() ? QJsonObject() : lines().last(); }
};

/// Runs sandfish-cli as a user whose settings and state are in a folder of the test's own. The engine that it starts is
/// stopped at the end. Every call waits in the event loop, with an end.
class CliFixture
{
public:
    CliFixture();
    ~CliFixture();

    CliResult run(const QStringList &arguments, const QByteArray &input = {});
    /// With a terminal as standard output and standard error: CliResult::output has what both wrote, with CR LF.
    CliResult runOnTerminal(const QStringList &arguments);
    /// A line of Bash, in which "$CLI" is the program.
    CliResult runInShell(const QString &line);
    /// One that goes on; its standard input stays open.
    std::unique_ptr<QProcess> start(const QStringList &arguments);
    /// Waits until it has printed \a text.
    [[nodiscard]] static bool waitForOutput(QProcess &process, const QByteArray &text, QByteArray &output);
    static CliResult waitForEnd(QProcess &process, const QByteArray &outputSoFar = {});

    /// A file in the working folder, which is also where commands run.
    QString path(const QString &name) const { return m_work.filePath(name); }
    void write(const QString &name, const QByteArray &bytes) const;
    QByteArray read(const QString &name) const;
    /// A notebook of code cells.
    void writeNotebook(const QString &name, const QStringList &sources) const;
    /// The outputs of a cell in a notebook file, as text.
    QByteArray outputsOf(const QString &name, int cell) const;
    QString stateDirectory() const { return m_user.filePath(QStringLiteral("state/sandfish/engine")); }
    bool hasEngine() const;
    qint64 enginePid() const;
    void setEnvironment(const QString &name, const QString &value) { m_environment.insert(name, value); }

private:
    std::unique_ptr<QProcess> prepare() const;
    std::unique_ptr<QProcess> startProgram(const QString &program, const QStringList &arguments);

    QTemporaryDir m_user;
    QTemporaryDir m_work;
    QProcessEnvironment m_environment;
};

} // namespace sandfish
