#include "ui/text/syntaxrepository.h"

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Repository>
#include <KSyntaxHighlighting/State>

#include <QCoreApplication>
#include <QHash>
#include <QThreadPool>

#include <utility>

using namespace Qt::StringLiterals;
using KSyntaxHighlighting::Definition;
using KSyntaxHighlighting::Repository;

namespace sandfish {
namespace {

const QHash<QString, QString> &definitionNames()
{
    static const QHash<QString, QString> names{
        {u"python"_s, u"Python"_s},
        {u"ipython"_s, u"Python"_s},
        {u"python3"_s, u"Python"_s},
        {u"javascript"_s, u"JavaScript"_s},
        {u"js"_s, u"JavaScript"_s},
        {u"node"_s, u"JavaScript"_s},
        {u"typescript"_s, u"TypeScript"_s},
        {u"ts"_s, u"TypeScript"_s},
        {u"bash"_s, u"Bash"_s},
        {u"sh"_s, u"Bash"_s},
        {u"shell"_s, u"Bash"_s},
        {u"markdown"_s, u"Markdown"_s},
        {u"json"_s, u"JSON"_s},
        {u"html"_s, u"HTML"_s},
        {u"css"_s, u"CSS"_s},
        {u"sql"_s, u"SQL"_s},
        {u"r"_s, u"R Script"_s},
        {u"julia"_s, u"Julia"_s},
        {u"c"_s, u"C"_s},
        {u"cpp"_s, u"C++"_s},
        {u"c++"_s, u"C++"_s},
        {u"java"_s, u"Java"_s},
        {u"go"_s, u"Go"_s},
        {u"rust"_s, u"Rust"_s},
        {u"ruby"_s, u"Ruby"_s},
        {u"yaml"_s, u"YAML"_s},
        {u"xml"_s, u"XML"_s},
    };
    return names;
}

/// Highlights one line, which is what makes a definition load its rules and those it includes.
class DefinitionLoader : public KSyntaxHighlighting::AbstractHighlighter
{
public:
    void load(const Definition &definition)
    {
        setDefinition(definition);
        highlightLine(u"a", KSyntaxHighlighting::State());
    }
    void applyFormat(int, int, const KSyntaxHighlighting::Format &) override { }
};

std::shared_ptr<Repository> makeRepository()
{
    auto repository = std::make_shared<Repository>();
    for (const QString &name : {u"Python"_s, u"JavaScript"_s, u"Bash"_s})
        DefinitionLoader().load(repository->definitionForName(name));
    return repository;
}

} // namespace

SyntaxRepository &SyntaxRepository::instance()
{
    static SyntaxRepository repository;
    return repository;
}

SyntaxRepository::SyntaxRepository() = default;
SyntaxRepository::~SyntaxRepository() = default;

void SyntaxRepository::warmUp()
{
    if (m_repository || std::exchange(m_isLoading, true))
        return;
    QThreadPool::globalInstance()->start([this] {
        // Nobody else knows this repository yet, so it need not be thread-safe; from here on only the GUI thread has
        // it.
        std::shared_ptr<Repository> repository = makeRepository();
        QMetaObject::invokeMethod(
            this, [this, repository = std::move(repository)]() mutable { adopt(std::move(repository)); },
            Qt::QueuedConnection);
    });
}

void SyntaxRepository::loadNow()
{
    if (!m_repository)
        adopt(makeRepository());
}

void SyntaxRepository::adopt(std::shared_ptr<Repository> repository)
{
    if (m_repository)
        return;
    m_repository = std::move(repository);
    emit ready();
}

Definition SyntaxRepository::definition(const QString &language) const
{
    if (!m_repository || language.isEmpty())
        return {};
    const QString key = language.toLower();
    const QString name = definitionNames().value(key);
    if (!name.isEmpty())
        return m_repository->definitionForName(name);
    const Definition byName = m_repository->definitionForName(language);
    return byName.isValid() ? byName : m_repository->definitionForFileName(u"cell."_s + key);
}

} // namespace sandfish
