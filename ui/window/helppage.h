#pragma once

#include <QTextBrowser>

namespace sandfish {

class ThemeSource;

/// A page of the built-in help as a tab. Links lead to other pages; nothing is read from the network. Thread: GUI.
class HelpPage : public QTextBrowser
{
    Q_OBJECT
public:
    /// \a page: a file name of resources/help without ".md".
    HelpPage(const ThemeSource *source, const QString &page, QWidget *parent = nullptr);

    QString page() const { return m_page; }
    QString title() const; ///< the first heading

signals:
    void titleChanged();

protected:
    void doSetSource(const QUrl &name, QTextDocument::ResourceType type) override;

private:
    void showPage(const QString &page);
    void applyTheme();

    const ThemeSource *m_source;
    QString m_page;
};

} // namespace sandfish
