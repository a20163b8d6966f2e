#include "tests/bench/bench.h"
#include "tests/bench/waiting.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace Qt::StringLiterals;
using namespace sandfish::bench;

namespace {

constexpr std::chrono::minutes kRowLimit{10};

std::vector<Row> allRows()
{
    std::vector<Row> rows;
    for (const auto &family : {startRows(), pageRows(), engineRows(), checkpointRows(), outputRows(), openRows()})
        rows.insert(rows.end(), family.begin(), family.end());
    return rows;
}

double quantile(const std::vector<double> &sorted, double part)
{
    return sorted[std::size_t(part * double(sorted.size() - 1) + 0.5)];
}

QJsonObject jsonOf(const Figure &figure)
{
    std::vector<double> sorted = figure.values;
    std::sort(sorted.begin(), sorted.end());
    return {{u"name"_s, QString::fromStdString(figure.name)}, {u"unit"_s, QString::fromStdString(figure.unit)},
        {u"n"_s, qint64(sorted.size())}, {u"min"_s, sorted.front()}, {u"median"_s, quantile(sorted, 0.5)},
        {u"p95"_s, quantile(sorted, 0.95)}, {u"p99"_s, quantile(sorted, 0.99)}, {u"max"_s, sorted.back()}};
}

QJsonObject measured(const Row &row)
{
    Report report;
    row.run(report);
    QJsonArray figures, notes;
    for (const Figure &figure : report.figures())
        figures.append(jsonOf(figure));
    for (const std::string &note : report.notes())
        notes.append(QString::fromStdString(note));
    QJsonObject object{{u"row"_s, QString::fromStdString(row.name)}, {u"figures"_s, figures}, {u"notes"_s, notes}};
    if (!report.failure().empty())
        object.insert(u"failure"_s, QString::fromStdString(report.failure()));
    return object;
}

/// In a process of its own, so that no row finds the memory or the caches of another.
QJsonObject measuredApart(const Row &row)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(), {u"--row"_s, QString::fromStdString(row.name)});
    if (!waitUntil([&process] { return process.state() == QProcess::NotRunning; }, kRowLimit))
        process.kill();
    const QJsonObject object = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    if (!object.isEmpty())
        return object;
    return {{u"row"_s, QString::fromStdString(row.name)}, {u"failure"_s, u"the process of the row ended early"_s}};
}

void print(const QJsonObject &row)
{
    std::printf("%s\n", qPrintable(row["row"_L1].toString()));
    if (row.contains("failure"_L1))
        std::printf("  not measured: %s\n", qPrintable(row["failure"_L1].toString()));
    for (const QJsonValue &value : row["figures"_L1].toArray()) {
        const QJsonObject figure = value.toObject();
        std::printf("  %-34s min %10.3f  median %10.3f  p99 %10.3f  max %10.3f %-4s n %d\n",
            qPrintable(figure["name"_L1].toString()), figure["min"_L1].toDouble(), figure["median"_L1].toDouble(),
            figure["p99"_L1].toDouble(), figure["max"_L1].toDouble(), qPrintable(figure["unit"_L1].toString()),
            figure["n"_L1].toInt());
    }
    for (const QJsonValue &note : row["notes"_L1].toArray())
        std::printf("  %s\n", qPrintable(note.toString()));
    std::fflush(stdout);
}

int usage(const char *problem)
{
    std::fprintf(stderr,
        "sandfish-bench: %s\n"
        "usage: sandfish-bench [--json] [--quick] [ROW…]   a ROW may end in *; none: all rows\n"
        "       sandfish-bench --list\n",
        problem);
    return 2;
}

bool isWanted(const Row &row, const QStringList &names)
{
    const QString name = QString::fromStdString(row.name);
    return names.isEmpty() || std::any_of(names.begin(), names.end(), [&name](const QString &wanted) {
        return wanted.endsWith(u'*') ? name.startsWith(wanted.chopped(1)) : name == wanted;
    });
}

int runWanted(const QStringList &names, bool isJson)
{
    QJsonArray all;
    for (const Row &row : allRows()) {
        if (!isWanted(row, names))
            continue;
        const QJsonObject object = measuredApart(row);
        all.append(object);
        if (!isJson)
            print(object);
    }
    if (all.isEmpty())
        return usage("there is no such row; --list names them");
    if (isJson)
        std::puts(QJsonDocument(all).toJson().constData());
    return 0;
}

int runOne(const std::string &name)
{
    for (const Row &row : allRows()) {
        if (row.name == name)
            std::puts(QJsonDocument(measured(row)).toJson(QJsonDocument::Compact).constData());
    }
    return 0;
}

int list()
{
    for (const Row &row : allRows())
        std::printf("%-20s %s\n", row.name.c_str(), row.what.c_str());
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const std::string_view first = argc >= 3 ? argv[1] : "";
    if (first == "--child")
        return runChild(argv[2], argc, argv);
    if (first == "--row")
        return runOne(argv[2]);
    QCoreApplication application(argc, argv);
    QStringList names = QCoreApplication::arguments().mid(1);
    if (names.removeAll(u"--list"_s) > 0)
        return list();
    if (names.removeAll(u"--quick"_s) > 0)
        qputenv("SANDFISH_BENCH_QUICK", "1");
    const bool isJson = names.removeAll(u"--json"_s) > 0;
    if (std::any_of(names.begin(), names.end(), [](const QString &name) { return name.startsWith(u'-'); }))
        return usage("there is no such option");
    return runWanted(names, isJson);
}
