#include "core/support/settings.h"
#include "ui/window/sandboxmemory.h"

#include <QTemporaryDir>
#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

namespace {

using FolderAccess = NotebookSession::FolderAccess;

class SandboxMemoryTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void find_unknownFile_isNothing();
    void remember_pathWithBlanks_isFoundByAnotherObject();
    void remember_again_replaces();
    void forget_one_keepsTheOthers();
    void remember_manyFiles_dropsTheOldest();
    void find_damagedLine_isNothing();

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Settings> m_settings;
};

void SandboxMemoryTest::init()
{
    m_settings =
        std::make_unique<Settings>(m_folder.filePath(QString::fromLatin1(QTest::currentTestFunction()) + u".ini"_s));
}

void SandboxMemoryTest::find_unknownFile_isNothing()
{
    QVERIFY(!SandboxMemory(m_settings.get()).find(u"/a.ipynb"_s));
}

void SandboxMemoryTest::remember_pathWithBlanks_isFoundByAnotherObject()
{
    const SandboxMemory::Entry entry{u"local"_s, SandboxId{"sb-1"}, FolderAccess::ReadOnly};
    SandboxMemory(m_settings.get()).remember(u"/a b/c  d, é.ipynb"_s, entry);
    QCOMPARE(SandboxMemory(m_settings.get()).find(u"/a b/c  d, é.ipynb"_s), std::optional(entry));
    QVERIFY(!SandboxMemory(m_settings.get()).find(u"d, é.ipynb"_s));
}

void SandboxMemoryTest::remember_again_replaces()
{
    SandboxMemory memory(m_settings.get());
    memory.remember(u"/a.ipynb"_s, {u"local"_s, SandboxId{"one"}, FolderAccess::None});
    memory.remember(u"/a.ipynb"_s, {u"local"_s, SandboxId{"two"}, FolderAccess::ReadWrite});
    QCOMPARE(memory.find(u"/a.ipynb"_s)->sandbox.value, std::string("two"));
    QCOMPARE(m_settings->get<QStringList>(Settings::Key::NotebookSandboxes).size(), 1);
}

void SandboxMemoryTest::forget_one_keepsTheOthers()
{
    SandboxMemory memory(m_settings.get());
    memory.remember(u"/a.ipynb"_s, {u"local"_s, SandboxId{"one"}, FolderAccess::None});
    memory.remember(u"/b.ipynb"_s, {u"local"_s, SandboxId{"two"}, FolderAccess::None});
    memory.forget(u"/a.ipynb"_s);
    QVERIFY(!memory.find(u"/a.ipynb"_s));
    QVERIFY(memory.find(u"/b.ipynb"_s));
}

void SandboxMemoryTest::remember_manyFiles_dropsTheOldest()
{
    SandboxMemory memory(m_settings.get());
    for (int i = 0; i <= 200; ++i)
        memory.remember(u"/%1.ipynb"_s.arg(i), {u"local"_s, SandboxId{"one"}, FolderAccess::None});
    QVERIFY(!memory.find(u"/0.ipynb"_s));
    QVERIFY(memory.find(u"/1.ipynb"_s));
    QVERIFY(memory.find(u"/200.ipynb"_s));
}

void SandboxMemoryTest::find_damagedLine_isNothing()
{
    m_settings->set(Settings::Key::NotebookSandboxes, QStringList{u"local 9 one /a.ipynb"_s, u""_s, u"x"_s});
    QVERIFY(!SandboxMemory(m_settings.get()).find(u"/a.ipynb"_s));
}

} // namespace

QTEST_GUILESS_MAIN(SandboxMemoryTest)
#include "tst_sandboxmemory.moc"
