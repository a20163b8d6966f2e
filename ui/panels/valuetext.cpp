#include "ui/panels/valuetext.h"

#include "core/session/valuereader.h"
#include "ui/text/themesource.h"

#include <QScrollBar>
#include <QTextCursor>

#include <algorithm>

namespace sandfish {
namespace {

constexpr qsizetype kMaxLineChars = 2000;

std::int64_t codePoints(const std::string &utf8)
{
    return std::count_if(
        utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
}

} // namespace

ValueText::ValueText(const ThemeSource *source, ValueReader *reader, QWidget *parent)
    : QPlainTextEdit(parent)
    , m_source(source)
    , m_reader(reader)
{
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setFrameShape(QFrame::NoFrame);
    setUndoRedoEnabled(false);
    connect(reader, &ValueReader::failed, this, [this] { m_isAsking = false; });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ValueText::readOn);
    connect(source, &ThemeSource::changed, this, &ValueText::applyTheme);
    applyTheme();
}

void ValueText::take(const ValuePage &page)
{
    if (page.kind != ValuePage::Kind::Text)
        return;
    m_isAsking = false;
    if (page.offset == 0) {
        clear();
        m_whole.clear();
        m_lineChars = 0;
        m_shown = 0;
    }
    if (page.offset != m_shown)
        return; // of a reading that was started over since
    m_total = page.total;
    const int scroll = verticalScrollBar()->value();
    append(QString::fromStdString(page.text));
    m_shown += codePoints(page.text);
    verticalScrollBar()->setValue(scroll);
    readOn();
}

void ValueText::append(const QString &text)
{
    m_whole += text;
    QString shown;
    shown.reserve(text.size());
    for (const QChar c : text) {
        if (m_lineChars >= kMaxLineChars && !c.isLowSurrogate() && c != u'\n') {
            shown += u'\n';
            m_lineChars = 0;
        }
        m_lineChars = c == u'\n' ? 0 : m_lineChars + 1;
        shown += c;
    }
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    end.insertText(shown);
}

QString ValueText::copiedText() const
{
    const QString selected = textCursor().selectedText().replace(QChar::ParagraphSeparator, u'\n');
    return selected.isEmpty() ? m_whole : selected;
}

void ValueText::refresh()
{
    m_reader->cancel();
    m_isAsking = true;
    m_reader->ask(0, kPageChars);
}

void ValueText::readOn()
{
    const QScrollBar *bar = verticalScrollBar();
    const bool isNearEnd = bar->value() >= bar->maximum() - bar->pageStep();
    if (m_isAsking || !isNearEnd || m_shown >= std::min(m_total, kMaxChars))
        return;
    m_isAsking = true;
    m_reader->ask(m_shown, kPageChars);
}

void ValueText::applyTheme()
{
    setFont(m_source->theme().codeFont());
    setPalette(m_source->theme().palette());
}

} // namespace sandfish
