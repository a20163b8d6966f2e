#include "ui/outputs/traceback.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qsizetype kMaxLines = 2000;
constexpr qsizetype kMaxLineLength = 2000;

constexpr QLatin1StringView kV8Cause("Caused by: ");

int cellNumber(const QString &file)
{
    static const QRegularExpression expression(u"^(?:cell ?|Cell In ?|<ipython-input-)\\[?(\\d+)"_s);
    return expression.match(file).captured(1).toInt();
}

TraceFrame makeFrame(const QString &file, int line, const QString &function)
{
    TraceFrame frame;
    frame.executionCount = cellNumber(file);
    frame.file = frame.executionCount > 0 ? u"cell [%1]"_s.arg(frame.executionCount) : file;
    frame.line = line;
    frame.function = function == "<module>"_L1 || function == "<cell line: 1>"_L1 ? QString() : function;
    frame.isLibrary = frame.executionCount == 0 && isLibraryFile(file);
    return frame;
}

qsizetype indentOf(QStringView text)
{
    qsizetype indent = 0;
    while (indent < text.size() && text[indent].isSpace())
        ++indent;
    return indent;
}

/// "~~^~~" under a source line: where and how long.
bool takeMarks(QStringView line, qsizetype sourceIndent, TraceFrame &frame)
{
    const QStringView marks = line.trimmed();
    const bool isMarks =
        !marks.isEmpty() && std::all_of(marks.begin(), marks.end(), [](QChar c) { return c == u'^' || c == u'~'; });
    if (!isMarks)
        return false;
    const qsizetype start = indentOf(line) - sourceIndent;
    if (start >= 0 && start < frame.source.size()) {
        frame.markStart = static_cast<int>(start);
        frame.markLength = static_cast<int>(std::min(marks.size(), frame.source.size() - start));
    }
    return true;
}

/// Lines from \a at on: `File "x", line n, in f`, its source and its marks. Returns the lines taken.
qsizetype takePythonFrame(const QStringList &lines, qsizetype at, Traceback &out)
{
    static const QRegularExpression expression(u"^\\s+File \"(.+)\", line (\\d+)(?:, in (.+))?$"_s);
    const auto match = expression.match(lines[at]);
    if (!match.hasMatch())
        return 0;
    out.language = Traceback::Language::Python;
    TraceFrame frame = makeFrame(match.captured(1), match.captured(2).toInt(), match.captured(3));
    const qsizetype fileIndent = indentOf(lines[at]);
    qsizetype taken = 1;
    if (at + 1 < lines.size() && indentOf(lines[at + 1]) > fileIndent) {
        const QString &source = lines[at + 1];
        frame.source = source.trimmed();
        ++taken;
        if (at + 2 < lines.size() && takeMarks(lines[at + 2], indentOf(source), frame))
            ++taken;
    }
    out.frames.push_back(frame);
    return taken;
}

/// IPython: `Cell In[9], line 1` or `File /x.py:12, in f(a)`, then numbered lines of which `---->` marks the one.
qsizetype takeIPythonFrame(const QStringList &lines, qsizetype at, Traceback &out)
{
    static const QRegularExpression cell(u"^(Cell In ?\\[\\d+\\]), line (\\d+)(?:, in (.+?)(?:\\(.*\\))?)?$"_s);
    static const QRegularExpression file(u"^File (.+?):(\\d+)(?:, in (.+?)(?:\\(.*\\))?)?$"_s);
    auto match = cell.match(lines[at]);
    if (!match.hasMatch())
        match = file.match(lines[at]);
    if (!match.hasMatch())
        return 0;
    out.language = Traceback::Language::Python;
    TraceFrame frame = makeFrame(match.captured(1), match.captured(2).toInt(), match.captured(3));
    static const QRegularExpression arrow(u"^-+> \\d+ (.*)$"_s);
    static const QRegularExpression context(u"^\\s+\\d+(?: .*)?$"_s);
    qsizetype taken = 1;
    for (; at + taken < lines.size(); ++taken) {
        const QString &line = lines[at + taken];
        const auto marked = arrow.match(line);
        if (marked.hasMatch())
            frame.source = marked.captured(1).trimmed();
        else if (!context.match(line).hasMatch())
            break;
    }
    out.frames.push_back(frame);
    return taken;
}

bool takeV8Frame(const QString &line, Traceback &out)
{
    static const QRegularExpression expression(
        u"^\\s+at (?:(?:async )?(?:new )?(.*?) \\()?(?:file://)?(.+?)(?::(\\d+):(\\d+))?\\)?$"_s);
    const auto match = expression.match(line);
    if (!match.hasMatch())
        return false;
    out.language = Traceback::Language::JavaScript;
    // V8 puts the newest first; the caller turns the order round.
    out.frames.push_back(makeFrame(match.captured(2), match.captured(3).toInt(), match.captured(1)));
    return true;
}

/// A line that ends one exception of a chain.
bool isChainLine(const QString &line)
{
    return line.startsWith("During handling of the above exception"_L1)
        || line.startsWith("The above exception was the direct cause"_L1);
}

/// The earlier exception of a chain: its frames give way to those of the next.
void closeChainLink(const QStringList &lines, qsizetype at, Traceback &out)
{
    for (qsizetype i = at - 1; i >= 0; --i) {
        if (lines[i].trimmed().isEmpty())
            continue;
        out.causes.push_back(lines[i].trimmed());
        break;
    }
    out.frames.clear();
}

} // namespace

bool isLibraryFile(const QString &file)
{
    static const QRegularExpression expression(u"(?:/|^)(?:site-packages|dist-packages|node_modules|lib/"
                                               u"python[\\d.]+|lib/r)(?:/|$)|^<frozen |^node:|^internal/"
                                               "|^<anonymous>$|^native$|^<__array_function__"_s,
        QRegularExpression::CaseInsensitiveOption);
    return expression.match(file).hasMatch();
}

Traceback parseTraceback(const QString &plain)
{
    QStringList lines = plain.split(u'\n');
    if (lines.size() > kMaxLines)
        lines = lines.mid(lines.size() - kMaxLines);
    for (QString &line : lines)
        line.truncate(kMaxLineLength);
    Traceback out;
    for (qsizetype at = 0; at < lines.size();) {
        if (out.language == Traceback::Language::JavaScript && lines[at].startsWith(kV8Cause)) {
            out.causes.push_back(lines[at].mid(kV8Cause.size()));
            break; // the frames below are those of the cause
        }
        qsizetype taken = takePythonFrame(lines, at, out);
        if (taken == 0)
            taken = takeIPythonFrame(lines, at, out);
        if (taken == 0 && isChainLine(lines[at]))
            closeChainLink(lines, at, out);
        if (taken == 0 && out.language != Traceback::Language::Python && lines[at].contains("at "_L1))
            takeV8Frame(lines[at], out);
        at += std::max<qsizetype>(taken, 1);
    }
    if (out.language == Traceback::Language::JavaScript)
        std::reverse(out.frames.begin(), out.frames.end());
    return out;
}

} // namespace sandfish
