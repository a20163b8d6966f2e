#include "app/gui/desktop.h"
#include "app/gui/firsttabs.h"
#include "app/gui/options.h"
#include "app/gui/pictureshoot.h"
#include "core/support/logging.h"
#include "ui/text/icons.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <QFont>
#include <QTimer>

#include <cstdio>

using namespace Qt::StringLiterals;
using namespace sandfish;

namespace {

/// What Qt reads once, when the application object is made.
void prepareEnvironment(const Options &options)
{
    if (!options.screenshotPath.isEmpty()) {
        if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
            qputenv("QT_QPA_PLATFORM", "offscreen");
        qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale));
    }
    QGuiApplication::setHighDpiScaleFactorRoundingPolicy(Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
}

/// Off-screen there is no desktop to say how large its font is: the size of the design stands in.
void useDesignFont()
{
    constexpr int kDesignPx = 13;
    QFont font = QApplication::font();
    font.setPixelSize(kDesignPx);
    QApplication::setFont(font);
}

int run(QApplication &application, const Options &options)
{
    if (!options.screenshotPath.isEmpty() && QGuiApplication::platformName() == "offscreen"_L1)
        useDesignFont();
    Desktop desktop(options);
    MainWindow window(desktop.context());
    if (!options.screenshotPath.isEmpty()) {
        PictureShoot shoot(options, &window);
        QTimer::singleShot(0, &shoot, &PictureShoot::start);
        return application.exec();
    }
    if (options.size.isValid())
        window.resize(options.size);
    openFirstTabs(window, *desktop.settings(), options.files);
    window.show();
    const auto afterFirstPaint = [] {
        qCDebug(lcUi) << "first frame painted";
        // The icons of the window list are drawn from SVG, which takes its time.
        QApplication::setWindowIcon(logoIcon());
    };
    QObject::connect(&window, &MainWindow::firstPainted, &application, afterFirstPaint, Qt::SingleShotConnection);
    return application.exec();
}

} // namespace

int main(int argc, char **argv)
{
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments.append(QString::fromLocal8Bit(argv[i]));
    const Result<Options> options = parseOptions(arguments);
    if (!options) {
        std::fprintf(stderr, "sandfish: %s\n", options.error().message.c_str());
        return 2;
    }
    if (options->showsHelp || options->showsVersion) {
        const QString text = options->showsHelp ? options->helpText : u"sandfish %1\n"_s.arg(SANDFISH_VERSION);
        std::fputs(text.toUtf8().constData(), stdout);
        return 0;
    }
    prepareEnvironment(*options);
    QApplication application(argc, argv);
    QApplication::setApplicationName(u"sandfish"_s);
    QApplication::setApplicationDisplayName(u"Sandfish"_s);
    QApplication::setApplicationVersion(SANDFISH_VERSION);
    QApplication::setDesktopFileName(u"org.sandfish.Sandfish"_s);
    return run(application, *options);
}
