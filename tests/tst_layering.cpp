#include <QDirIterator>
#include <QFile>
#include <QMap>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

using namespace Qt::StringLiterals;

/// The may-include table of style.md §2.1, checked against every #include of the tree.
class LayeringTest : public QObject
{
    Q_OBJECT
private slots:
    void include_ofAnotherLayer_isInTheTable();
    void include_ofQt_isAbsentFromQtFreeLayers();
};

namespace {

const QMap<QString, QSet<QString>> &mayInclude()
{
    static const QMap<QString, QSet<QString>> table{
        {u"core/base"_s, {}},
        {u"core/protocol"_s, {u"core/base"_s}},
        {u"core/engine"_s, {u"core/base"_s, u"core/protocol"_s}},
        {u"core/support"_s, {u"core/base"_s}},
        {u"core/net"_s, {u"core/base"_s, u"core/support"_s}},
        {u"core/document"_s, {u"core/base"_s, u"core/support"_s, u"core/protocol"_s}},
        {u"core/providers"_s, {u"core/base"_s, u"core/support"_s, u"core/protocol"_s, u"core/net"_s}},
        {u"core/session"_s,
            {u"core/base"_s, u"core/support"_s, u"core/protocol"_s, u"core/document"_s, u"core/providers"_s}},
        {u"ui/text"_s, {u"core/base"_s, u"core/support"_s, u"core/protocol"_s}},
        {u"ui/outputs"_s, {u"core/base"_s, u"core/support"_s, u"core/protocol"_s, u"core/document"_s, u"ui/text"_s}},
        {u"ui/notebook"_s,
            {u"core/base"_s, u"core/support"_s, u"core/protocol"_s, u"core/document"_s, u"core/session"_s, u"ui/text"_s,
                u"ui/outputs"_s}},
        {u"ui/panels"_s,
            {u"core/base"_s, u"core/support"_s, u"core/protocol"_s, u"core/document"_s, u"core/providers"_s,
                u"core/session"_s, u"ui/text"_s, u"ui/outputs"_s}},
        {u"ui/window"_s,
            {u"core/base"_s, u"core/support"_s, u"core/protocol"_s, u"core/document"_s, u"core/providers"_s,
                u"core/session"_s, u"ui/text"_s, u"ui/outputs"_s, u"ui/notebook"_s, u"ui/panels"_s}},
        {u"app/engine"_s, {u"core/base"_s, u"core/protocol"_s, u"core/engine"_s}},
        {u"app/cli"_s,
            {u"core/base"_s, u"core/support"_s, u"core/protocol"_s, u"core/net"_s, u"core/document"_s,
                u"core/providers"_s, u"core/session"_s}},
        {u"app/gui"_s,
            {u"core/base"_s, u"core/support"_s, u"core/protocol"_s, u"core/net"_s, u"core/document"_s,
                u"core/providers"_s, u"core/session"_s, u"ui/text"_s, u"ui/outputs"_s, u"ui/notebook"_s, u"ui/panels"_s,
                u"ui/window"_s}},
    };
    return table;
}

QString layerOf(const QString &path)
{
    return path.section(u'/', 0, 1);
}

struct Include
{
    QString file;
    QString target;
};

QList<Include> includesOf(const QString &layer, const QString &pattern)
{
    const QRegularExpression expression(pattern, QRegularExpression::MultilineOption);
    const QDir root(QStringLiteral(SANDFISH_SOURCE_DIR));
    QList<Include> found;
    QDirIterator files(root.filePath(layer), {u"*.h"_s, u"*.cpp"_s}, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        const QString text = QString::fromUtf8(file.readAll());
        auto matches = expression.globalMatch(text);
        while (matches.hasNext())
            found.append({root.relativeFilePath(file.fileName()), matches.next().captured(1)});
    }
    return found;
}

} // namespace

void LayeringTest::include_ofAnotherLayer_isInTheTable()
{
    for (auto it = mayInclude().cbegin(); it != mayInclude().cend(); ++it) {
        const auto includes = includesOf(it.key(), u"^#include \"((?:core|ui|app)/[^\"]+)\""_s);
        for (const Include &include : includes) {
            const QString target = layerOf(include.target);
            const bool isAllowed = target == it.key() || it->contains(target);
            QVERIFY2(isAllowed, qPrintable(include.file + u" may not include "_s + include.target));
            // Panels and window know the abstract provider only; the factory is the application's.
            const bool isConcrete = it.key().startsWith(u"ui/"_s) && include.target.count(u'/') > 2;
            QVERIFY2(!isConcrete, qPrintable(include.file + u" includes a concrete adapter"_s));
        }
    }
}

void LayeringTest::include_ofQt_isAbsentFromQtFreeLayers()
{
    for (const QString &layer : {u"core/base"_s, u"core/protocol"_s, u"core/engine"_s, u"app/engine"_s}) {
        const auto includes = includesOf(layer, u"^#include <(Q[A-Z][^>]*|Qt[^>]*)>"_s);
        for (const Include &include : includes)
            QFAIL(qPrintable(include.file + u" includes "_s + include.target));
    }
}

QTEST_APPLESS_MAIN(LayeringTest)
#include "tst_layering.moc"
