#pragma once

#include "core/protocol/lookinside.h"

#include <QPlainTextEdit>

namespace sandfish {

class ThemeSource;
class ValueReader;

/// A long text of a context: read on while one scrolls, up to a bound. A line that is too long to be laid out in time
/// goes on in the next one; what is copied as a whole has the lines of the value. Thread: GUI.
class ValueText : public QPlainTextEdit
{
    Q_OBJECT
public:
    static constexpr int kPageChars = 64 * 1024;
    static constexpr std::int64_t kMaxChars = 4 * 1024 * 1024;

    /// Both outlive the widget.
    ValueText(const ThemeSource *source, ValueReader *reader, QWidget *parent = nullptr);

    void take(const ValuePage &page);
    void refresh();
    std::int64_t shownChars() const { return m_shown; }
    std::int64_t totalChars() const { return m_total; }
    /// What is selected, else all that was read, with the lines of the value.
    QString copiedText() const;

private:
    void append(const QString &text);
    void readOn();
    void applyTheme();

    const ThemeSource *m_source;
    ValueReader *m_reader;
    QString m_whole;
    qsizetype m_lineChars = 0; ///< of the last line on screen
    std::int64_t m_shown = 0;  ///< code points
    std::int64_t m_total = 0;
    bool m_isAsking = false;
};

} // namespace sandfish
