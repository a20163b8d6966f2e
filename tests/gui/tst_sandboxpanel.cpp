#include "tests/support/scriptedprovider.h"
#include "ui/panels/sandboxmodel.h"
#include "ui/panels/sandboxpanel.h"
#include "ui/text/themesource.h"

#include <QAbstractItemModelTester>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

SandboxInfo sandbox(const std::string &name, SandboxState state)
{
    SandboxInfo info;
    info.id = SandboxId{"id-" + name};
    info.name = name;
    info.state = state;
    info.pauseKeeps = PauseKeeps::FilesAndMemory;
    return info;
}

QAction *actionNamed(const QMenu &menu, const QString &text)
{
    for (QAction *action : menu.actions()) {
        if (action->text() == text)
            return action;
    }
    return nullptr;
}

} // namespace

class SandboxPanelTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void cleanup();
    void list_ofProvider_becomesRows();
    void change_ofSandbox_updatesItsRow();
    void sandbox_forgottenByService_leavesTheTree();
    void provider_outOfReach_saysNotConnected();
    void contexts_thatRanNothing_areLeftOut();
    void contexts_thatRunMore_keepTheirRows();
    void menu_byState_offersWhatFits_data();
    void menu_byState_offersWhatFits();
    void menu_pause_namesProviderAndSandbox();
    void hiddenPanel_asksNobody();

private:
    std::shared_ptr<test::ScriptedContext> addContext(const char *id, ContextState state, std::optional<int> runs);
    QModelIndex provider() const { return m_model->index(0, 0); }
    QString word(const QModelIndex &index) const { return index.data(SandboxModel::StateWordRole).toString(); }

    ThemeSource m_source{Theme::forApplication(Theme::Mode::Light)};
    std::unique_ptr<test::ScriptedProvider> m_provider;
    std::unique_ptr<SandboxModel> m_model;
    std::unique_ptr<SandboxPanel> m_panel;
};

void SandboxPanelTest::init()
{
    m_provider = std::make_unique<test::ScriptedProvider>();
    m_provider->setCapabilities(Provider::Capability::Create | Provider::Capability::Pause);
    m_model = std::make_unique<SandboxModel>();
    new QAbstractItemModelTester(m_model.get(), QAbstractItemModelTester::FailureReportingMode::QtTest, m_model.get());
    m_model->setProviders({m_provider.get()});
    m_panel = std::make_unique<SandboxPanel>(&m_source, m_model.get());
}

void SandboxPanelTest::cleanup()
{
    m_panel.reset();
    m_model.reset();
    m_provider.reset();
}

void SandboxPanelTest::list_ofProvider_becomesRows()
{
    m_provider->changeSandbox(sandbox("sand-otter-41", SandboxState::Running));
    m_provider->changeSandbox(sandbox("quiet-adder-07", SandboxState::Paused));
    m_model->refresh();
    QTRY_COMPARE(m_model->rowCount(provider()), 2);
    const QModelIndex paused = m_model->indexOf(SandboxId{"id-quiet-adder-07"});
    QCOMPARE(paused.data().toString(), u"quiet-adder-07"_s);
    QCOMPARE(word(paused), u"Paused"_s);
    QVERIFY(paused.data(SandboxModel::DetailRole).toString().contains(u"memory kept"_s));
    QCOMPARE(word(m_model->indexOf(SandboxId{"id-sand-otter-41"})), u"Running"_s);
}

void SandboxPanelTest::change_ofSandbox_updatesItsRow()
{
    m_provider->changeSandbox(sandbox("sand-otter-41", SandboxState::Running));
    QTRY_COMPARE(m_model->rowCount(provider()), 1);
    m_provider->changeSandbox(sandbox("sand-otter-41", SandboxState::Pausing));
    QTRY_COMPARE(word(m_model->index(0, 0, provider())), u"Pausing"_s);
}

void SandboxPanelTest::sandbox_forgottenByService_leavesTheTree()
{
    m_provider->changeSandbox(sandbox("sand-otter-41", SandboxState::Running));
    QTRY_COMPARE(m_model->rowCount(provider()), 1);
    m_provider->forgetSandbox(SandboxId{"id-sand-otter-41"});
    m_model->refresh();
    QTRY_COMPARE(m_model->rowCount(provider()), 0);
}

void SandboxPanelTest::provider_outOfReach_saysNotConnected()
{
    m_provider->failNext({Error::Kind::Unreachable, "The service did not answer.", {}});
    m_model->refresh();
    QTRY_COMPARE(word(provider()), u"Not connected"_s);
    QCOMPARE(provider().data(Qt::ToolTipRole).toString(), u"The service did not answer."_s);
    m_model->refresh();
    QTRY_COMPARE(word(provider()), QString());
}

std::shared_ptr<test::ScriptedContext> SandboxPanelTest::addContext(
    const char *id, ContextState state, std::optional<int> runs)
{
    return m_provider->addContext(SandboxId{"id-sand-otter-41"}, {{id}, "python", id, state, {}, runs});
}

void SandboxPanelTest::contexts_thatRanNothing_areLeftOut()
{
    m_provider->changeSandbox(sandbox("sand-otter-41", SandboxState::Running));
    addContext("unused", ContextState::Idle, 0);
    addContext("used", ContextState::Idle, 2);
    addContext("first run", ContextState::Busy, 0);
    addContext("of a service that does not count", ContextState::Idle, std::nullopt);
    QTRY_COMPARE(m_model->rowCount(provider()), 1);
    const QModelIndex parent = m_model->index(0, 0, provider());
    m_model->fetchMore(parent);
    QTRY_COMPARE(m_model->rowCount(parent), 3);
    const auto shown = [&](int row) { return m_model->index(row, 0, parent).data(Qt::ToolTipRole).toString(); };
    QCOMPARE(shown(0), u"used"_s);
    QCOMPARE(shown(1), u"first run"_s);
    QCOMPARE(shown(2), u"of a service that does not count"_s);
}

void SandboxPanelTest::contexts_thatRunMore_keepTheirRows()
{
    m_provider->changeSandbox(sandbox("sand-otter-41", SandboxState::Running));
    const auto context = addContext("used", ContextState::Idle, 2);
    QTRY_COMPARE(m_model->rowCount(provider()), 1);
    const QModelIndex parent = m_model->index(0, 0, provider());
    m_model->fetchMore(parent);
    QTRY_COMPARE(m_model->rowCount(parent), 1);
    const QPersistentModelIndex row = m_model->index(0, 0, parent);
    ContextInfo info = context->info();
    info.state = ContextState::Busy;
    info.executionCount = 3;
    context->setInfo(info, context->sandboxId());
    m_model->refresh();
    QTRY_COMPARE(word(m_model->index(0, 0, parent)), u"running"_s);
    QVERIFY(row.isValid());
}

void SandboxPanelTest::menu_byState_offersWhatFits_data()
{
    QTest::addColumn<SandboxState>("state");
    QTest::addColumn<bool>("canPause");
    QTest::addColumn<bool>("canResume");
    QTest::newRow("running") << SandboxState::Running << true << false;
    QTest::newRow("paused") << SandboxState::Paused << false << true;
    QTest::newRow("pausing") << SandboxState::Pausing << false << false;
}

void SandboxPanelTest::menu_byState_offersWhatFits()
{
    QFETCH(SandboxState, state);
    m_provider->changeSandbox(sandbox("sand-otter-41", state));
    QTRY_COMPARE(m_model->rowCount(provider()), 1);
    const std::unique_ptr<QMenu> menu(m_panel->menuFor(m_model->index(0, 0, provider())));
    QTEST(actionNamed(*menu, u"Pause"_s)->isEnabled(), "canPause");
    QTEST(actionNamed(*menu, u"Resume"_s)->isEnabled(), "canResume");
}

void SandboxPanelTest::menu_pause_namesProviderAndSandbox()
{
    m_provider->changeSandbox(sandbox("sand-otter-41", SandboxState::Running));
    QTRY_COMPARE(m_model->rowCount(provider()), 1);
    const std::unique_ptr<QMenu> menu(m_panel->menuFor(m_model->index(0, 0, provider())));
    Provider *asked = nullptr;
    std::string name;
    connect(m_panel.get(), &SandboxPanel::pauseRequested, this, [&](Provider *provider, const SandboxInfo &info) {
        asked = provider;
        name = info.name;
    });
    actionNamed(*menu, u"Pause"_s)->trigger();
    QVERIFY(asked == m_provider.get());
    QCOMPARE(name, std::string("sand-otter-41"));
}

void SandboxPanelTest::hiddenPanel_asksNobody()
{
    QVERIFY(!m_model->isActive());
    m_panel->show();
    QVERIFY(m_model->isActive());
    m_panel->hide();
    QVERIFY(!m_model->isActive());
}

} // namespace sandfish

QTEST_MAIN(sandfish::SandboxPanelTest)
#include "tst_sandboxpanel.moc"
