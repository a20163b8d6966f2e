#pragma once

#include <QObject>

#include <memory>

namespace KSyntaxHighlighting {
class Definition;
class Repository;
} // namespace KSyntaxHighlighting

namespace sandfish {

/// The language definitions, loaded once and late: a window shows its first frame without them and asks for them then.
/// One for the process, because loading is expensive. Thread: GUI.
class SyntaxRepository : public QObject
{
    Q_OBJECT
public:
    static SyntaxRepository &instance();
    ~SyntaxRepository() override;

    /// Loads the repository and the common languages in a pool thread; \ref ready follows. Repeated calls do nothing.
    void warmUp();
    /// Loads now, in 10 to 50 ms: for tests and pictures, where there is no later.
    void loadNow();
    bool isReady() const { return m_repository != nullptr; }

    /// The definition for a language as notebooks name it ("python", "bash", "r"); invalid if unknown or not ready.
    KSyntaxHighlighting::Definition definition(const QString &language) const;

signals:
    /// Definitions are there from now on: what was drawn plain may be drawn again.
    void ready();

private:
    SyntaxRepository();
    void adopt(std::shared_ptr<KSyntaxHighlighting::Repository> repository);

    std::shared_ptr<KSyntaxHighlighting::Repository> m_repository;
    bool m_isLoading = false;
};

} // namespace sandfish
