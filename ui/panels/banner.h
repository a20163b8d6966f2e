#pragma once

#include "ui/text/theme.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QBoxLayout;
class QHBoxLayout;
class QVBoxLayout;

namespace sandfish {

class ThemeSource;

/// A verb on a banner, and what it does.
struct BannerAction
{
    QString text;
    std::function<void()> trigger;
    bool isPrimary = false;
    QString icon; ///< of resources/icons; empty: none
};

/// A fact about one document that the user should know (DESIGN.md §3.5).
struct BannerContent
{
    /// In the order of their weight: the worst wins.
    enum class Severity
    {
        Info,
        Paused,
        Warning,
        Error
    };

    QString id; ///< a new banner with the same id replaces the old one
    Severity severity = Severity::Info;
    QString icon; ///< empty: the one of the severity
    QString title;
    QString text;
    QString works;                     ///< a second line with a tick, such as what works while paused
    QString needs;                     ///< beside it with a lock
    QString note;                      ///< a third, quiet line
    std::vector<BannerAction> actions; ///< at most two, see DESIGN.md
    bool isDismissible = true;
};

/// One banner as it is painted. Its full text is its accessible name.
class Banner : public QWidget
{
    Q_OBJECT
public:
    /// \a moreCount: how many others wait behind it.
    Banner(const ThemeSource *source, BannerContent content, int moreCount, QWidget *parent = nullptr);

    const BannerContent &content() const { return m_content; }

signals:
    void dismissed();
    void nextRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void addTexts(QVBoxLayout *column);
    void addFact(const QString &icon, ColorToken iconColor, const QString &text, ColorToken color);
    void addButtons(QHBoxLayout *row, int moreCount);
    QWidget *makeMark(const QString &icon, ColorToken color, int sizePx);

    const ThemeSource *m_source;
    BannerContent m_content;
    QBoxLayout *m_facts = nullptr;
};

} // namespace sandfish
