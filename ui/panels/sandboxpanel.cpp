#include "ui/panels/sandboxpanel.h"

#include "core/providers/provider.h"
#include "ui/panels/rowdelegate.h"
#include "ui/panels/sandboxmodel.h"
#include "ui/text/themesource.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QTreeView>
#include <QVBoxLayout>

#include <memory>

using namespace Qt::StringLiterals;

namespace sandfish {

SandboxPanel::SandboxPanel(const ThemeSource *source, SandboxModel *model, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_model(model)
    , m_tree(new QTreeView(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tree);

    m_tree->setObjectName(u"sandboxTree"_s);
    m_tree->setAccessibleName(tr("Sandboxes"));
    m_tree->setModel(model);
    m_tree->setItemDelegate(new SandboxRowDelegate(source, m_tree));
    m_tree->setHeaderHidden(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setIndentation(16);
    m_tree->setUniformRowHeights(false);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->setProperty("sandfishPanel", true);
    connect(m_tree, &QTreeView::customContextMenuRequested, this, &SandboxPanel::showMenu);
    connect(model, &SandboxModel::modelReset, this, &SandboxPanel::expandProviders);
    connect(model, &SandboxModel::rowsInserted, this, [this](const QModelIndex &owner) {
        if (owner.isValid() && !owner.parent().isValid())
            m_tree->expand(owner);
    });
    connect(model, &SandboxModel::sandboxesChanged, this, &SandboxPanel::showCurrent);
    connect(source, &ThemeSource::changed, this, &SandboxPanel::applyTheme);
    applyTheme();
    expandProviders();
}

void SandboxPanel::setCurrentSandbox(const SandboxId &id)
{
    if (m_current == id)
        return;
    m_current = id;
    m_isCurrentShown = false;
    m_tree->clearSelection();
    showCurrent();
}

void SandboxPanel::showCurrent()
{
    const QModelIndex index = m_current.isEmpty() || m_isCurrentShown ? QModelIndex() : m_model->indexOf(m_current);
    if (!index.isValid())
        return;
    m_isCurrentShown = true;
    m_tree->setCurrentIndex(index);
    m_tree->expand(index);
}

void SandboxPanel::expandProviders()
{
    m_tree->expandToDepth(0);
}

void SandboxPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_model->setActive(true);
}

void SandboxPanel::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    m_model->setActive(false);
}

void SandboxPanel::showMenu(const QPoint &position)
{
    QMenu *menu = menuFor(m_tree->indexAt(position));
    if (!menu)
        return;
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->popup(m_tree->viewport()->mapToGlobal(position));
}

QMenu *SandboxPanel::menuFor(const QModelIndex &index)
{
    const SandboxInfo *found = m_model->sandboxAt(index);
    if (!found)
        return nullptr;
    const SandboxInfo info = *found;
    Provider *provider = m_model->providerAt(index);
    const bool canPause = provider->capabilities().testFlag(Provider::Capability::Pause);
    const bool isRunning = info.state == SandboxState::Running;
    const bool isPaused = info.state == SandboxState::Paused;

    auto *menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    QAction *pause =
        menu->addAction(tr("Pause"), this, [this, provider, info] { emit pauseRequested(provider, info); });
    pause->setEnabled(canPause && isRunning);
    pause->setToolTip(canPause ? QString() : tr("This %1 cannot pause.").arg(provider->displayName()));
    QAction *resume =
        menu->addAction(tr("Resume"), this, [this, provider, info] { emit resumeRequested(provider, info); });
    resume->setEnabled(canPause && isPaused);
    menu->addSeparator();
    QAction *attach = menu->addAction(
        tr("Attach to this notebook"), this, [this, provider, info] { emit attachRequested(provider, info); });
    attach->setEnabled(isRunning || isPaused);
    const QString id = QString::fromStdString(info.id.value);
    menu->addAction(tr("Copy id"), this, [id] { QGuiApplication::clipboard()->setText(id); });
    menu->addSeparator();
    menu->addAction(tr("Kill…"), this, [this, provider, info] { emit killRequested(provider, info); });
    return menu;
}

void SandboxPanel::applyTheme()
{
    QPalette palette = m_source->theme().palette();
    palette.setColor(QPalette::Base, m_source->theme().color(ColorToken::Panel));
    m_tree->setPalette(palette);
    m_tree->doItemsLayout();
}

} // namespace sandfish
