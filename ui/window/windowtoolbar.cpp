#include "ui/window/windowtoolbar.h"

#include "ui/panels/contextchip.h"
#include "ui/panels/pausebutton.h"
#include "ui/text/themesource.h"
#include "ui/window/actions.h"
#include "ui/window/searchbutton.h"

#include <QAction>
#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qreal kToolBarHeightPx = 44;
constexpr qreal kButtonPx = 30;
constexpr qreal kLabelButtonPx = 62;
constexpr int kLabelsFromPx = 900;

/// The hairline between groups, 13 px wide in all.
class GroupLine : public QWidget
{
public:
    GroupLine(const ThemeSource *source, QWidget *parent)
        : QWidget(parent)
        , m_source(source)
    {
        setFixedSize(13, 22);
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.fillRect(6, 0, 1, height(), m_source->theme().color(ColorToken::Border));
    }

private:
    const ThemeSource *m_source;
};

bool hasLabel(ActionId id)
{
    return id == ActionId::RunCell || id == ActionId::RunAll;
}

constexpr std::array kButtons{ActionId::RunCell, ActionId::RunInterrupt, ActionId::SandboxRestart, ActionId::RunAll};

} // namespace

WindowToolBar::WindowToolBar(const ThemeSource *source, Actions *actions, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_actions(actions)
    , m_pause(new PauseButton(source, this))
    , m_chip(new ContextChip(source, this))
    , m_search(new SearchButton(source, this))
{
    setObjectName(u"toolBar"_s);
    setAccessibleName(tr("Toolbar"));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(10, 0, 10, 1);
    row->setSpacing(4);
    addButtons(row);
    row->addWidget(new GroupLine(source, this));
    row->addWidget(m_pause);
    row->addWidget(new GroupLine(source, this));
    row->addWidget(m_chip);
    row->addStretch(1);
    row->addWidget(m_search);
    connect(source, &ThemeSource::changed, this, &WindowToolBar::applyTheme);
    applyTheme();
}

void WindowToolBar::addButtons(QHBoxLayout *row)
{
    m_actions->action(ActionId::RunCell)->setIconText(tr("Run"));
    m_actions->action(ActionId::RunAll)->setIconText(tr("Run all"));
    for (const ActionId id : kButtons) {
        auto *button = new QToolButton(this);
        button->setDefaultAction(m_actions->action(id));
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(m_actions->action(id)->iconText());
        row->addWidget(button);
        m_buttons.push_back(button);
    }
}

void WindowToolBar::setStatus(const SessionStatus &status)
{
    m_pause->setStatus(status);
    m_chip->setStatus(status);
    m_search->setEnabled(status.hasSession);
}

void WindowToolBar::setWindowWidth(int widthPx)
{
    m_chip->setWindowWidth(widthPx);
    m_hasLabels = widthPx >= kLabelsFromPx;
    m_search->setCompact(!m_hasLabels);
    applyTheme();
}

void WindowToolBar::applyTheme()
{
    const Theme &theme = m_source->theme();
    setFixedHeight(qRound(theme.scaled(kToolBarHeightPx)));
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        QToolButton *button = m_buttons[i];
        const bool showsLabel = m_hasLabels && hasLabel(kButtons[i]);
        button->setToolButtonStyle(showsLabel ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
        button->setFixedHeight(qRound(theme.scaled(kButtonPx)));
        button->setMinimumWidth(qRound(theme.scaled(showsLabel ? kLabelButtonPx : kButtonPx)));
    }
    update();
}

void WindowToolBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorToken::Window));
    painter.fillRect(0, height() - 1, width(), 1, theme.color(ColorToken::Border));
}

} // namespace sandfish
