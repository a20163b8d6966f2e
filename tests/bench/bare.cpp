#include <QApplication>
#include <QLabel>
#include <QMainWindow>
#include <QMenuBar>
#include <QPaintEvent>
#include <QStatusBar>
#include <QTimer>

#include <cstdio>

namespace {

/// The least that is a window of Qt: menu, text, status bar.
class BareWindow : public QMainWindow
{
public:
    BareWindow()
    {
        setCentralWidget(new QLabel(QStringLiteral("hello"), this));
        menuBar()->addMenu(QStringLiteral("File"))->addAction(QStringLiteral("Quit"));
        statusBar()->showMessage(QStringLiteral("ready"));
        resize(1280, 800);
    }

protected:
    void paintEvent(QPaintEvent *event) override
    {
        QMainWindow::paintEvent(event);
        // As Sandfish tells it: in the turn after the paint.
        QTimer::singleShot(0, this, [] {
            std::fputs("first frame painted\n", stderr);
            std::fflush(stderr);
        });
    }
};

} // namespace

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    BareWindow window;
    window.show();
    return QApplication::exec();
}
