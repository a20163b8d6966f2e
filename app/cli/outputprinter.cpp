#include "app/cli/outputprinter.h"

#include "core/document/escapeparser.h"

#include <array>

namespace sandfish {
namespace {

using namespace Qt::StringLiterals;
using namespace std::string_view_literals;

constexpr char kEscape = '\x1b';
constexpr std::string_view kRed = "\x1b[1;31m";
constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kPlain = "\x1b[0m";
constexpr qsizetype kHeadingColumns = 60;

std::string shownValue(const MimeEntry &entry)
{
    if (isBase64MimeType(entry.type) || !entry.value.is_string())
        return isJsonMimeType(entry.type) ? dumpJson(entry.value) : '<' + entry.type + '>';
    return entry.value.get<std::string>();
}

std::string tracebackText(const ErrorOutput &error)
{
    std::string text;
    for (const std::string &part : error.traceback) {
        if (!text.empty() && text.back() != '\n')
            text += '\n';
        text += part;
    }
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    if (!text.empty())
        return text;
    return error.message.empty() ? error.name : error.name + ": " + error.message;
}

// The runners send no colours of their own; other services do, and theirs are kept.
std::string coloured(const std::string &text, const std::string &name)
{
    if (text.find(kEscape) != std::string::npos || name.empty())
        return text;
    std::string result;
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        const std::string_view line = std::string_view(text).substr(start, end - start);
        const bool isMessage = !line.starts_with(' ') && line.find(name) != std::string_view::npos;
        ((result += isMessage ? kRed : ""sv) += line) += isMessage ? kPlain : ""sv;
        if (end < text.size())
            result += '\n';
        start = end + 1;
    }
    return result;
}

} // namespace

std::string bestText(const MimeBundle &data)
{
    static constexpr std::array kOrder{
        "text/plain"sv, "text/markdown"sv, "text/latex"sv, "application/json"sv, "text/html"sv};
    std::string text;
    for (std::string_view type : kOrder) {
        if (const Json *value = data.find(type)) {
            text = shownValue({std::string(type), *value});
            break;
        }
    }
    if (text.empty() && !data.isEmpty())
        text = '<' + data.entries().front().type + '>';
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text;
}

std::string withoutEscapes(std::string_view text)
{
    std::string plain;
    EscapeParser parser;
    for (std::size_t i = 0; i < text.size();) {
        if (parser.isActive()) {
            i = parser.feed(text, i);
            continue;
        }
        if (text[i] == kEscape)
            parser.start();
        else
            plain += text[i];
        ++i;
    }
    return plain;
}

void OutputPrinter::cellStarted(const CellPlace &cell)
{
    if (m_headings == Headings::None)
        return;
    // Cells are lines of their own, also where the one before did not end its last line.
    if (!m_console.isAtLineStart(Console::Channel::Out))
        m_console.write(Console::Channel::Out, "\n");
    if (m_headings == Headings::Hidden)
        return;
    if (!m_console.isAtLineStart(Console::Channel::Error))
        m_console.write(Console::Channel::Error, "\n");
    const bool hasColours = m_console.hasColours(Console::Channel::Error);
    const QString first = cell.source.trimmed().section(u'\n', 0, 0).left(kHeadingColumns);
    const std::string heading =
        u"[%1/%2] %3: %4"_s.arg(cell.number).arg(cell.count).arg(cell.language, first).toStdString();
    m_console.write(Console::Channel::Error,
        hasColours ? std::string(kDim) + heading + std::string(kPlain) + '\n' : heading + '\n');
}

void OutputPrinter::received(const CellPlace &, const std::vector<ExecutionEvent> &events)
{
    for (const ExecutionEvent &event : events)
        print(event);
}

void OutputPrinter::cellFinished(const CellPlace &, const ExecutionSummary &)
{
}

void OutputPrinter::print(const ExecutionEvent &event)
{
    if (const auto *stream = std::get_if<StreamText>(&event)) {
        const bool isOut = stream->channel == StreamText::Channel::Stdout;
        m_console.write(isOut ? Console::Channel::Out : Console::Channel::Error, stream->text);
    } else if (const auto *result = std::get_if<ExecuteResult>(&event)) {
        printValue(bestText(result->data));
    } else if (const auto *display = std::get_if<DisplayData>(&event)) {
        printValue(bestText(display->data));
    } else if (const auto *error = std::get_if<ErrorOutput>(&event)) {
        printError(*error);
    } else if (const auto *input = std::get_if<InputRequest>(&event)) {
        m_console.write(Console::Channel::Out, input->prompt);
    } else if (const auto *notice = std::get_if<Notice>(&event)) {
        m_console.tell(QString::fromStdString(notice->text));
    }
}

void OutputPrinter::printValue(const std::string &text)
{
    if (text.empty())
        return;
    const bool startsLine = m_console.isAtLineStart(Console::Channel::Out);
    m_console.write(Console::Channel::Out, (startsLine ? text : '\n' + text) + '\n');
}

void OutputPrinter::printError(const ErrorOutput &error)
{
    const bool hasColours = m_console.hasColours(Console::Channel::Error);
    const bool isSameScreen =
        m_console.isTerminal(Console::Channel::Out) && m_console.isTerminal(Console::Channel::Error);
    if (isSameScreen && !m_console.isAtLineStart(Console::Channel::Out))
        m_console.write(Console::Channel::Out, "\n");
    const std::string text = tracebackText(error);
    const bool startsLine = m_console.isAtLineStart(Console::Channel::Error);
    m_console.write(Console::Channel::Error,
        (startsLine ? "" : "\n") + (hasColours ? coloured(text, error.name) : withoutEscapes(text)) + '\n');
}

} // namespace sandfish
