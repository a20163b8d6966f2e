#pragma once

#include "core/document/notebookdocument.h"
#include "core/session/executionqueue.h"
#include "tests/support/scriptedcontext.h"

#include <map>
#include <memory>
#include <optional>

namespace sandfish::test {

/// Hands out one scripted context per language.
class ScriptedContexts : public ContextSource
{
public:
    Request contextFor(const std::string &language, QObject *receiver, Done<std::shared_ptr<Context>> done) override
    {
        asked.push_back(language);
        const Completion<std::shared_ptr<Context>> completion(receiver, std::move(done));
        if (isSilent)
            return completion.request();
        if (error) {
            completion.finish(*error);
            return completion.request();
        }
        completion.finish(std::shared_ptr<Context>(context(language)));
        return completion.request();
    }
    std::shared_ptr<ScriptedContext> context(const std::string &language)
    {
        auto &known = m_contexts[language];
        if (!known)
            known = std::make_shared<ScriptedContext>(language);
        return known;
    }

    std::vector<std::string> asked;
    std::optional<Error> error;
    bool isSilent = false;

private:
    std::map<std::string, std::shared_ptr<ScriptedContext>> m_contexts;
};

/// An empty notebook with its queue, whose contexts are scripted.
class QueueFixture
{
protected:
    void setUp();
    void tearDown();
    CellId add(const QString &source, Cell::Type type = Cell::Type::Code);
    const Cell &cell(const CellId &id) const { return *m_document->find(id); }
    CellRun::State state(const CellId &id) const { return cell(id).run.state; }
    QByteArray text(const CellId &id) const;
    ScriptedContext &python() { return *m_source->context("python"); }
    QStringList sent();

    std::unique_ptr<NotebookDocument> m_document;
    std::unique_ptr<ScriptedContexts> m_source;
    std::unique_ptr<ExecutionQueue> m_queue;
};

inline void QueueFixture::setUp()
{
    m_document = std::make_unique<NotebookDocument>();
    m_document->removeCells(0, 1);
    m_source = std::make_unique<ScriptedContexts>();
    m_queue = std::make_unique<ExecutionQueue>(m_document.get());
    m_queue->setContextSource(m_source.get());
}

inline void QueueFixture::tearDown()
{
    m_queue.reset();
    m_source.reset();
    m_document.reset();
}

inline CellId QueueFixture::add(const QString &source, Cell::Type type)
{
    return m_document->insertCell(m_document->cellCount(), type, source);
}

inline QByteArray QueueFixture::text(const CellId &id) const
{
    QByteArray all;
    for (const Output &output : cell(id).outputs)
        all += output.text ? QByteArray::fromStdString(output.text->toUtf8()) : QByteArray("?");
    return all;
}

inline QStringList QueueFixture::sent()
{
    QStringList codes;
    for (const ExecuteRequest &request : python().requests())
        codes += QString::fromStdString(request.code);
    return codes;
}

} // namespace sandfish::test
