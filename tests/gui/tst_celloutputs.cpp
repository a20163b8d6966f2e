#include "ui/notebook/celloutputs.h"
#include "ui/notebook/pagestyle.h"
#include "ui/outputs/outputrenderer.h"

#include <QTest>

using namespace sandfish;
using namespace Qt::StringLiterals;

namespace {

class CountingItem : public OutputItem
{
public:
    explicit CountingItem(QString text)
        : m_text(std::move(text))
    {
    }
    qreal heightForWidth(qreal) override { return 20; }
    void paint(QPainter &, const QRectF &) override { }
    bool update(const Output &) override { return false; }
    QString plainText() const override { return m_text; }

private:
    QString m_text;
};

/// Counts how many items are made.
class CountingRenderer : public OutputRenderer
{
public:
    explicit CountingRenderer(int *made)
        : m_made(made)
    {
    }
    QStringList mimeTypes() const override { return {u"text/plain"_s}; }
    std::unique_ptr<OutputItem> createItem(
        const Output &output, std::string_view mimeType, const RenderStyle &) const override
    {
        ++*m_made;
        return std::make_unique<CountingItem>(QString::fromStdString(std::string(output.data.text(mimeType))));
    }

private:
    int *m_made;
};

} // namespace

/// The outputs of one cell, when there are very many.
class CellOutputsTest : public QObject
{
    Q_OBJECT
private slots:
    void init();
    void outputs_inThousands_showTheLastOnes();
    void moreAction_showsMore();
    void plainText_ofThousands_hasAll();
    void growth_ofThousands_makesOneItemEach();

private:
    void add(int count);

    int m_made = 0;
    std::unique_ptr<OutputRendererRegistry> m_renderers;
    std::unique_ptr<PageStyle> m_style;
    std::unique_ptr<CellOutputs> m_outputs;
    Cell m_cell;
};

void CellOutputsTest::init()
{
    m_made = 0;
    m_outputs.reset();
    m_renderers = std::make_unique<OutputRendererRegistry>();
    m_renderers->add(std::make_unique<CountingRenderer>(&m_made), 1);
    m_style = std::make_unique<PageStyle>(Theme::forApplication(Theme::Mode::Light));
    m_style->renderers = m_renderers.get();
    m_outputs = std::make_unique<CellOutputs>(*m_style);
    m_cell = {};
}

void CellOutputsTest::add(int count)
{
    for (int i = 0; i < count; ++i) {
        Output output;
        output.kind = Output::Kind::Display;
        output.serial = m_cell.outputs.size() + 1;
        output.data.set("text/plain", "value " + std::to_string(m_cell.outputs.size()));
        m_cell.outputs.push_back(std::move(output));
    }
}

void CellOutputsTest::outputs_inThousands_showTheLastOnes()
{
    add(5'000);
    m_outputs->sync(m_cell);
    QCOMPARE(m_made, int(CellOutputs::kShownStep));
    const qreal height = m_outputs->layOut(600);
    QVERIFY(height < 200 * 30 + 60);
    const std::vector<OutputAction> actions = m_outputs->actions();
    QCOMPARE(actions.size(), std::size_t(1));
    QCOMPARE(actions.front().text, u"Show 200 more"_s);
    QVERIFY(actions.front().rect.bottom() <= height);
}

void CellOutputsTest::moreAction_showsMore()
{
    add(250);
    m_outputs->sync(m_cell);
    m_outputs->layOut(600);
    QCOMPARE(m_outputs->actions().front().text, u"Show 50 more"_s);
    m_outputs->actions().front().trigger();
    QVERIFY(m_outputs->needsSync());
    m_outputs->sync(m_cell);
    m_outputs->layOut(600);
    QVERIFY(m_outputs->actions().empty());
    QCOMPARE(m_made, 250);
}

void CellOutputsTest::plainText_ofThousands_hasAll()
{
    add(1'000);
    m_outputs->sync(m_cell);
    const QString text = m_outputs->plainText(m_cell);
    QVERIFY(text.startsWith(u"value 0\n"_s));
    QCOMPARE(text.count(u'\n'), qsizetype(999));
}

void CellOutputsTest::growth_ofThousands_makesOneItemEach()
{
    for (int i = 0; i < 100; ++i) {
        add(20);
        m_outputs->sync(m_cell);
    }
    QCOMPARE(m_made, 2'000);
}

QTEST_MAIN(CellOutputsTest)
#include "tst_celloutputs.moc"
