#include "tests/bench/enginehost.h"

#include "core/protocol/wirerecord.h"

namespace sandfish::bench {

EngineHost::EngineHost()
    : m_application(m_argc, nullptr)
    , m_isStarted(m_engine.start())
{
    if (m_isStarted)
        m_sandbox = m_engine.create();
}

bool EngineHost::isReady(Report &report) const
{
    if (m_isStarted && !m_sandbox.id.isEmpty())
        return true;
    report.fail("the engine did not start");
    return false;
}

std::uint16_t EngineHost::port() const
{
    return std::uint16_t(m_engine.url({}).port());
}

std::string EngineHost::codePath(const char *path) const
{
    return m_sandbox.codeServer.toStdString() + path;
}

std::string EngineHost::keyHeader() const
{
    return "X-API-Key: " + m_engine.readyLine().value(QStringLiteral("apiKey")).toString().toStdString() + "\r\n";
}

std::string fullBody(const std::string &code, const std::string &language)
{
    std::string body = "{\"code\":";
    appendJsonString(code, body);
    return body + ",\"language\":\"" + language + "\",\"sandfish\":{\"dialect\":\"full\"}}";
}

Run execute(CodeConnection &connection, const EngineHost &host, const std::string &body)
{
    Run run;
    const double start = nowMs();
    connection.send("POST", host.codePath("/execute"), body);
    for (std::string_view line; connection.nextLine(line);) {
        const auto record = decodeWireRecord(line);
        const auto *event = record ? std::get_if<ExecutionEvent>(&record->content) : nullptr;
        if (event == nullptr)
            continue;
        if (const auto *text = std::get_if<StreamText>(event))
            run.textBytes += text->text.size();
        const bool isBundle = std::holds_alternative<DisplayData>(*event);
        const bool isOutput =
            isBundle || std::holds_alternative<StreamText>(*event) || std::holds_alternative<ExecuteResult>(*event);
        run.bundles += isBundle ? 1 : 0;
        run.hasError |= std::holds_alternative<ErrorOutput>(*event);
        if (isOutput && run.firstMs == 0)
            run.firstMs = nowMs() - start;
    }
    run.endMs = nowMs() - start;
    run.hasError |= connection.status() != 200;
    return run;
}

} // namespace sandfish::bench
