#include "ui/text/codeediting.h"

#include <QTextBlock>
#include <QTextDocument>

#include <algorithm>
#include <array>

namespace sandfish {

using namespace Qt::StringLiterals;

namespace {

// Enough to know how a text indents; a cell of a megabyte need not be read through on every Tab.
constexpr qsizetype kLinesRead = 200;

QString leadingSpace(QStringView line)
{
    qsizetype length = 0;
    while (length < line.size() && (line[length] == u' ' || line[length] == u'\t'))
        ++length;
    return line.first(length).toString();
}

bool isOpeningBracket(QChar c)
{
    return c == u'(' || c == u'[' || c == u'{';
}

QChar closingOf(QChar opening)
{
    switch (opening.unicode()) {
    case u'(':
        return u')';
    case u'[':
        return u']';
    default:
        return u'}';
    }
}

bool endsPythonBlock(QStringView statement)
{
    static constexpr std::array words{"return"_L1, "pass"_L1, "break"_L1, "continue"_L1, "raise"_L1};
    return std::any_of(words.begin(), words.end(), [statement](QLatin1StringView word) {
        return statement.startsWith(word)
            && (statement.size() == word.size() || !statement[word.size()].isLetterOrNumber());
    });
}

QString shallower(const QString &indent, const IndentStyle &style)
{
    if (indent.endsWith(u'\t'))
        return indent.chopped(1);
    return indent.chopped(std::min<qsizetype>(indent.size(), style.width));
}

QString indentAfter(QStringView before, const QString &language, const IndentStyle &style)
{
    const QString indent = leadingSpace(before);
    const QStringView statement = before.trimmed();
    if (statement.isEmpty())
        return indent;
    const QChar last = statement.back();
    const bool isPython = language == "python"_L1;
    if (isOpeningBracket(last) || (isPython && last == u':' && !statement.startsWith(u'#')))
        return indent + style.step();
    if (isPython && endsPythonBlock(statement))
        return shallower(indent, style);
    return indent;
}

std::pair<QTextBlock, QTextBlock> selectedBlocks(const QTextCursor &cursor)
{
    const QTextDocument *document = cursor.document();
    const QTextBlock first = document->findBlock(cursor.selectionStart());
    QTextBlock last = document->findBlock(cursor.selectionEnd());
    // A selection that ends before the first character of a line does not mean that line.
    if (last != first && last.position() == cursor.selectionEnd())
        last = last.previous();
    return {first, last};
}

template <typename Change> void forSelectedBlocks(QTextCursor &cursor, Change change)
{
    const auto [first, last] = selectedBlocks(cursor);
    const int count = last.blockNumber() - first.blockNumber() + 1;
    QTextBlock block = first;
    cursor.beginEditBlock();
    for (int i = 0; i < count; ++i, block = block.next()) {
        QTextCursor line(block);
        change(line, block.text());
    }
    cursor.endEditBlock();
}

int columnOf(QStringView text, int tabWidth)
{
    int column = 0;
    for (const QChar c : text)
        column = c == u'\t' ? (column / tabWidth + 1) * tabWidth : column + 1;
    return column;
}

} // namespace

IndentStyle indentStyleOf(const QString &text, const QString &language)
{
    IndentStyle style;
    style.width = language == "javascript"_L1 || language == "typescript"_L1 || language == "bash"_L1 ? 2 : 4;
    int least = 0;
    int previous = -1;
    qsizetype read = 0;
    for (const QStringView line : QStringView(text).split(u'\n')) {
        if (++read > kLinesRead)
            break;
        if (line.startsWith(u'\t'))
            return {true, style.width};
        const auto spaces = static_cast<int>(leadingSpace(line).size());
        if (spaces == line.size())
            continue;
        const int deeper = spaces - previous;
        if (previous >= 0 && deeper >= 2 && (least == 0 || deeper < least))
            least = deeper;
        previous = spaces;
    }
    if (least > 0)
        style.width = std::min(least, 8);
    return style;
}

QString lineCommentOf(const QString &language)
{
    static constexpr std::array slashes{"javascript"_L1, "typescript"_L1, "java"_L1, "go"_L1, "rust"_L1, "c"_L1,
        "cpp"_L1, "c++"_L1, "csharp"_L1, "kotlin"_L1, "swift"_L1, "scala"_L1};
    if (language == "markdown"_L1 || language == "html"_L1 || language == "raw"_L1)
        return {};
    if (language == "sql"_L1 || language == "lua"_L1 || language == "haskell"_L1)
        return u"--"_s;
    const bool hasSlashes =
        std::any_of(slashes.begin(), slashes.end(), [&language](QLatin1StringView name) { return language == name; });
    return hasSlashes ? u"//"_s : u"#"_s;
}

void insertNewline(QTextCursor &cursor, const QString &language)
{
    cursor.beginEditBlock();
    cursor.removeSelectedText();
    const QString line = cursor.block().text();
    const int column = cursor.positionInBlock();
    const QStringView before = QStringView(line).first(column);
    const QStringView after = QStringView(line).sliced(column);
    const IndentStyle style = indentStyleOf(cursor.document()->toPlainText(), language);
    const QString next = indentAfter(before, language, style);
    const QStringView trimmed = before.trimmed();
    const bool isInPair = !trimmed.isEmpty() && isOpeningBracket(trimmed.back()) && !after.isEmpty()
        && after.front() == closingOf(trimmed.back());
    cursor.insertText(u'\n' + next);
    if (isInPair) {
        const int place = cursor.position();
        cursor.insertText(u'\n' + leadingSpace(before));
        cursor.setPosition(place);
    }
    cursor.endEditBlock();
}

void indent(QTextCursor &cursor, const IndentStyle &style)
{
    const auto [first, last] = selectedBlocks(cursor);
    if (first != last) {
        forSelectedBlocks(cursor, [&style](QTextCursor &line, const QString &text) {
            if (!text.trimmed().isEmpty())
                line.insertText(style.step());
        });
        return;
    }
    if (style.usesTabs) {
        cursor.insertText(style.step());
        return;
    }
    const int column = columnOf(QStringView(first.text()).first(cursor.selectionStart() - first.position()), 8);
    cursor.insertText(QString(style.width - column % style.width, u' '));
}

void unindent(QTextCursor &cursor, const IndentStyle &style)
{
    forSelectedBlocks(cursor, [&style](QTextCursor &line, const QString &text) {
        const QString lead = leadingSpace(text);
        qsizetype removed = 0;
        if (lead.startsWith(u'\t'))
            removed = 1;
        else
            while (removed < style.width && removed < lead.size() && lead[removed] == u' ')
                ++removed;
        line.setPosition(line.position() + static_cast<int>(removed), QTextCursor::KeepAnchor);
        line.removeSelectedText();
    });
}

bool toggleComment(QTextCursor &cursor, const QString &language)
{
    const QString mark = lineCommentOf(language);
    if (mark.isEmpty())
        return false;
    bool areAllComments = true;
    qsizetype least = -1;
    const auto [first, last] = selectedBlocks(cursor);
    for (QTextBlock block = first; block.isValid() && block.blockNumber() <= last.blockNumber(); block = block.next()) {
        const QString text = block.text();
        if (text.trimmed().isEmpty())
            continue;
        const qsizetype lead = leadingSpace(text).size();
        least = least < 0 ? lead : std::min(least, lead);
        areAllComments = areAllComments && QStringView(text).sliced(lead).startsWith(mark);
    }
    if (least < 0)
        return true;
    forSelectedBlocks(cursor, [&](QTextCursor &line, const QString &text) {
        if (text.trimmed().isEmpty())
            return;
        const qsizetype place = areAllComments ? leadingSpace(text).size() : least;
        line.setPosition(line.position() + static_cast<int>(place));
        if (!areAllComments) {
            line.insertText(mark + u' ');
            return;
        }
        const bool hasSpace = QStringView(text).sliced(place + mark.size()).startsWith(u' ');
        line.setPosition(line.position() + static_cast<int>(mark.size()) + (hasSpace ? 1 : 0), QTextCursor::KeepAnchor);
        line.removeSelectedText();
    });
    return true;
}

bool deleteIndentBefore(QTextCursor &cursor, const IndentStyle &style)
{
    if (cursor.hasSelection() || style.usesTabs || cursor.positionInBlock() == 0)
        return false;
    const QString text = cursor.block().text();
    const QStringView before = QStringView(text).first(cursor.positionInBlock());
    if (std::any_of(before.begin(), before.end(), [](QChar c) { return c != u' '; }))
        return false;
    const auto column = static_cast<int>(before.size());
    const int step = column % style.width == 0 ? style.width : column % style.width;
    cursor.setPosition(cursor.position() - step, QTextCursor::KeepAnchor);
    cursor.removeSelectedText();
    return true;
}

} // namespace sandfish
