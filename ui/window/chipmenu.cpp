#include "core/document/notebookdocument.h"
#include "core/providers/provider.h"
#include "ui/panels/sandboxmodel.h"
#include "ui/panels/statewords.h"
#include "ui/window/appcontext.h"
#include "ui/window/notebooktab.h"
#include "ui/window/sandboxcontroller.h"

#include <QActionGroup>
#include <QMenu>

using namespace Qt::StringLiterals;

// The menu of the context chip (DESIGN.md §3.2).

namespace sandfish {

QMenu *SandboxController::chipMenu(NotebookTab *tab)
{
    auto *menu = new QMenu(m_window);
    menu->setObjectName(u"chipMenu"_s);
    menu->setToolTipsVisible(true);
    addContexts(menu, tab);
    menu->addMenu(languageMenu(tab));
    menu->addSeparator();
    addOtherSandboxes(menu, tab);
    menu->addAction(tr("New sandbox for this notebook"), tab, [this, tab] { startNew(tab); });
    addMove(menu, tab);
    menu->addSeparator();
    addFolderAccess(menu, tab);
    addNetwork(menu, tab);
    menu->addSeparator();
    menu->addAction(tr("Details"), tab, [this, tab] { showDetails(tab); });
    return menu;
}

void SandboxController::addContexts(QMenu *menu, NotebookTab *tab)
{
    menu->addSection(tr("Contexts"));
    for (const auto &context : tab->session()->contexts()) {
        const ContextInfo info = context->info();
        QAction *action = menu->addAction(
            u"%1 %2"_s.arg(languageName(QString::fromStdString(info.language)), QString::fromStdString(info.version)));
        action->setEnabled(false);
        action->setToolTip(
            tr("Cells of this language run here. Working directory: %1").arg(QString::fromStdString(info.cwd)));
    }
    if (tab->session()->contexts().empty())
        menu->addAction(tr("None yet; the first run opens one"))->setEnabled(false);
}

QMenu *SandboxController::languageMenu(NotebookTab *tab)
{
    auto *menu = new QMenu(tr("Language of this notebook"), m_window);
    auto *group = new QActionGroup(menu);
    for (const QString &language : {u"python"_s, u"javascript"_s, u"bash"_s}) {
        QAction *action =
            menu->addAction(languageName(language), tab, [tab, language] { tab->document()->setLanguage(language); });
        action->setCheckable(true);
        action->setChecked(tab->document()->language() == language);
        group->addAction(action);
    }
    return menu;
}

void SandboxController::addOtherSandboxes(QMenu *menu, NotebookTab *tab)
{
    QMenu *others = menu->addMenu(tr("Attach to another sandbox"));
    for (Provider *provider : m_context.providers) {
        for (const SandboxInfo &info : m_model->sandboxes(provider)) {
            if (info.id == tab->session()->sandbox().id)
                continue;
            const QString name = QString::fromStdString(info.name.empty() ? info.id.value : info.name);
            others->addAction(u"%1, %2, %3"_s.arg(name, provider->displayName(), lookOf(info.state).word), tab,
                [this, tab, provider, info] { attach(tab, provider, info); });
        }
    }
    others->setEnabled(!others->isEmpty());
}

void SandboxController::addMove(QMenu *menu, NotebookTab *tab)
{
    QMenu *move = menu->addMenu(tr("Move notebook to…"));
    for (Provider *provider : m_context.providers) {
        QAction *action =
            move->addAction(provider->displayName(), tab, [tab, provider] { tab->session()->setProvider(provider); });
        action->setEnabled(provider != tab->session()->provider());
    }
    // Variables do not move; the old sandbox goes on as it is.
    move->setToolTip(tr("The next run makes a new sandbox there. The old one stays as it is."));
    move->setEnabled(m_context.providers.size() > 1);
}

void SandboxController::addFolderAccess(QMenu *menu, NotebookTab *tab)
{
    using Access = NotebookSession::FolderAccess;
    QMenu *access = menu->addMenu(tr("Folder of the notebook"));
    access->setToolTipsVisible(true);
    const Provider *provider = tab->session()->provider();
    const bool canBind = provider && provider->capabilities().testFlag(Provider::Capability::FolderBinds);
    access->setEnabled(canBind && !tab->filePath().isEmpty());
    const std::array<std::pair<Access, QString>, 3> rows{{{Access::ReadWrite, tr("Read and write")},
        {Access::ReadOnly, tr("Read only")}, {Access::None, tr("Not visible")}}};
    for (const auto &[value, text] : rows) {
        QAction *action = access->addAction(text, tab, [tab, chosen = value] { tab->setFolderAccess(chosen); });
        action->setCheckable(true);
        action->setChecked(tab->session()->folderAccess() == value);
        action->setEnabled(value != Access::ReadWrite || tab->document()->isTrusted());
        action->setToolTip(
            action->isEnabled() ? tr("Takes effect with the next new sandbox") : tr("Trust this notebook first"));
    }
}

void SandboxController::addNetwork(QMenu *menu, NotebookTab *tab)
{
    QAction *network = menu->addAction(tr("Network"));
    network->setCheckable(true);
    network->setChecked(tab->session()->isNetworkEnabled());
    network->setToolTip(tr("Takes effect with the next new sandbox"));
    connect(network, &QAction::toggled, tab, [tab](bool isOn) { tab->session()->setNetworkEnabled(isOn); });
}

} // namespace sandfish
