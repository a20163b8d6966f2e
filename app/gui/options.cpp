#include "app/gui/options.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

struct Names
{
    QCommandLineOption screenshot{
        u"screenshot"_s, u"Open FILE off-screen, write a picture of the window to OUT.png and leave."_s, u"OUT.png"_s};
    QCommandLineOption size{u"size"_s, u"Size of the window in logical pixels, such as 1440x900."_s, u"WxH"_s};
    QCommandLineOption scale{u"scale"_s, u"Device pixels for each logical pixel, 1 to 4."_s, u"S"_s};
    QCommandLineOption theme{u"theme"_s, u"light or dark; otherwise what is set."_s, u"THEME"_s};
    QCommandLineOption runAll{u"run-all"_s, u"With --screenshot: run all cells first."_s};
    QCommandLineOption pause{u"pause"_s, u"With --screenshot: pause the sandbox before the picture."_s};
    QCommandLineOption cell{u"cell"_s, u"With --screenshot: choose cell N and bring it into view."_s, u"N"_s};
    QCommandLineOption save{u"save"_s, u"With --screenshot: write the notebook with its outputs."_s, u"OUT.ipynb"_s};
    QCommandLineOption help{{u"h"_s, u"help"_s}, u"Show this text."_s};
    QCommandLineOption version{{u"v"_s, u"version"_s}, u"Show the version."_s};
};

Error usageError(const QString &message)
{
    return {Error::Kind::BadRequest, QString(message + u" `sandfish --help` lists the options."_s).toStdString(), {}};
}

Result<QSize> parseSize(const QString &text)
{
    static const QRegularExpression pattern(u"^(\\d{2,5})x(\\d{2,5})$"_s);
    const auto match = pattern.match(text);
    if (!match.hasMatch())
        return usageError(u"--size wants a width and a height such as 1440x900, not %1."_s.arg(text));
    return QSize(match.captured(1).toInt(), match.captured(2).toInt());
}

Result<double> parseScale(const QString &text)
{
    bool isNumber = false;
    const double scale = text.toDouble(&isNumber);
    if (!isNumber || scale < 1 || scale > 4)
        return usageError(u"--scale wants a number from 1 to 4, not %1."_s.arg(text));
    return scale;
}

Result<int> parseCell(const QString &text)
{
    bool isNumber = false;
    const int cell = text.toInt(&isNumber);
    if (!isNumber || cell < 1)
        return usageError(u"--cell wants a number from 1 on, not %1."_s.arg(text));
    return cell;
}

Result<Options> checked(Options options)
{
    const bool hasScreenshotOption =
        options.runsAll || options.pauses || options.cell > 0 || !options.savePath.isEmpty();
    if (hasScreenshotOption && options.screenshotPath.isEmpty())
        return usageError(u"--run-all, --pause, --cell and --save need --screenshot."_s);
    if (!options.screenshotPath.isEmpty() && options.files.size() != 1)
        return usageError(u"--screenshot wants exactly one notebook file."_s);
    if (!options.theme.isEmpty() && options.theme != "light"_L1 && options.theme != "dark"_L1)
        return usageError(u"--theme is light or dark, not %1."_s.arg(options.theme));
    return options;
}

} // namespace

Result<Options> parseOptions(const QStringList &arguments)
{
    const Names names;
    QCommandLineParser parser;
    parser.setApplicationDescription(u"A notebook whose cells run in a sandbox."_s);
    parser.addOptions({names.screenshot, names.size, names.scale, names.theme, names.runAll, names.pause, names.cell,
        names.save, names.help, names.version});
    parser.addPositionalArgument(u"FILE"_s, u"Notebooks to open (.ipynb)."_s, u"[FILE…]"_s);
    if (!parser.parse(arguments))
        return usageError(parser.errorText() + u'.');
    Options options;
    // The parser knows the name of the program only from an application object.
    options.helpText = parser.helpText().replace("<executable_name>"_L1, QFileInfo(arguments.value(0)).fileName());
    options.showsHelp = parser.isSet(names.help);
    options.showsVersion = parser.isSet(names.version);
    options.files = parser.positionalArguments();
    options.theme = parser.value(names.theme);
    options.screenshotPath = parser.value(names.screenshot);
    options.savePath = parser.value(names.save);
    options.runsAll = parser.isSet(names.runAll);
    options.pauses = parser.isSet(names.pause);
    if (parser.isSet(names.size)) {
        const Result<QSize> size = parseSize(parser.value(names.size));
        if (!size)
            return size.error();
        options.size = *size;
    }
    if (parser.isSet(names.cell)) {
        const Result<int> cell = parseCell(parser.value(names.cell));
        if (!cell)
            return cell.error();
        options.cell = *cell;
    }
    if (parser.isSet(names.scale)) {
        const Result<double> scale = parseScale(parser.value(names.scale));
        if (!scale)
            return scale.error();
        options.scale = *scale;
    }
    return checked(std::move(options));
}

} // namespace sandfish
