#include "ui/panels/emptystate.h"

#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QLabel>
#include <QVBoxLayout>

namespace sandfish {
namespace {

constexpr int kIconPx = 20;

} // namespace

EmptyState::EmptyState(const ThemeSource *source, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_icon(new QLabel(this))
    , m_title(new QLabel(this))
    , m_text(new QLabel(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(4);
    for (QLabel *label : {m_icon, m_title, m_text}) {
        label->setAlignment(Qt::AlignHCenter);
        label->setTextFormat(Qt::PlainText);
        column->addWidget(label);
    }
    m_title->setWordWrap(true);
    m_text->setWordWrap(true);
    column->addStretch(1);
    connect(source, &ThemeSource::changed, this, &EmptyState::applyTheme);
    applyTheme();
}

void EmptyState::setWords(const QString &icon, const QString &title, const QString &text)
{
    m_iconName = icon;
    m_title->setText(title);
    m_text->setText(text);
    m_text->setVisible(!text.isEmpty());
    applyTheme();
}

QString EmptyState::title() const
{
    return m_title->text();
}

QString EmptyState::text() const
{
    return m_text->text();
}

void EmptyState::applyTheme()
{
    const Theme &theme = m_source->theme();
    m_icon->setPixmap(iconPixmap(m_iconName, theme.color(ColorToken::Text3), kIconPx, devicePixelRatioF()));
    m_title->setFont(theme.strongFont());
    m_text->setFont(theme.smallFont());
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.color(ColorToken::Text2));
    m_text->setPalette(quiet);
}

} // namespace sandfish
