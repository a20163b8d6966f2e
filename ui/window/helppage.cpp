#include "ui/window/helppage.h"

#include "ui/text/themesource.h"
#include "ui/window/helpresources.h"

#include <QDesktopServices>
#include <QTextDocument>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kMarginPx = 24;

} // namespace

HelpPage::HelpPage(const ThemeSource *source, const QString &page, QWidget *parent)
    : QTextBrowser(parent)
    , m_source(source)
{
    setObjectName(u"helpPage"_s);
    setFrameShape(QFrame::NoFrame);
    setOpenLinks(true);
    document()->setDocumentMargin(kMarginPx);
    connect(source, &ThemeSource::changed, this, &HelpPage::applyTheme);
    showPage(page);
}

QString HelpPage::title() const
{
    const QString first = helpPage(m_page).section(u'\n', 0, 0);
    return first.startsWith("# "_L1) ? first.sliced(2) : m_page;
}

void HelpPage::showPage(const QString &page)
{
    m_page = page;
    setAccessibleName(tr("Help: %1").arg(title()));
    applyTheme();
    emit titleChanged();
}

void HelpPage::applyTheme()
{
    const Theme &theme = m_source->theme();
    document()->setDefaultFont(theme.markdownFont(0));
    const QString link = theme.color(ColorToken::Accent).name();
    document()->setDefaultStyleSheet(u"a { color: %1; }"_s.arg(link));
    setMarkdown(helpPage(m_page));
}

void HelpPage::doSetSource(const QUrl &name, QTextDocument::ResourceType)
{
    if (name.scheme().isEmpty() && name.path().endsWith(".md"_L1))
        showPage(name.path().chopped(3));
    else if (name.scheme() == "https"_L1)
        QDesktopServices::openUrl(name);
}

} // namespace sandfish
