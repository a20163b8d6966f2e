#include "ui/window/outputacts.h"

#include "core/document/notebookdocument.h"
#include "ui/outputs/outputrenderer.h"
#include "ui/text/themesource.h"
#include "ui/window/appcontext.h"
#include "ui/window/documentarea.h"
#include "ui/window/limitsdialog.h"
#include "ui/window/notebooktab.h"
#include "ui/window/outputviewer.h"
#include "ui/window/question.h"
#include "ui/window/sessionbanners.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QSaveFile>
#include <QUrl>
#include <QtConcurrentRun>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

/// The cell and the output with a serial; the cell is null if there is none.
std::pair<const Cell *, const Output *> findOutput(const NotebookDocument &document, std::uint64_t serial)
{
    for (qsizetype i = 0; i < document.cellCount(); ++i) {
        const Cell &cell = document.peekAt(i);
        for (const Output &output : cell.outputs) {
            if (output.serial == serial)
                return {&cell, &output};
        }
    }
    return {nullptr, nullptr};
}

QByteArray bytesOf(const Output &output)
{
    if (output.text)
        return QByteArray::fromStdString(output.text->toUtf8());
    const std::string_view text = output.data.text("text/plain");
    return QByteArray(text.data(), qsizetype(text.size()));
}

Result<> writeText(const QString &path, const QByteArray &bytes)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return {};
    const QString message = OutputActs::tr("The output was not saved: %1. It is still in the notebook; choose another "
                                           "place.")
                                .arg(file.errorString());
    return Error{Error::Kind::Io, message.toStdString(), path.toStdString()};
}

} // namespace

OutputActs::OutputActs(const AppContext &context, DocumentArea *area, QWidget *window)
    : QObject(window)
    , m_context(context)
    , m_area(area)
    , m_window(window)
{
}

void OutputActs::perform(NotebookTab *tab, const OutputRequest &request)
{
    using Kind = OutputRequest::Kind;
    if (request.kind == Kind::OpenLink)
        return openLink(request.link);
    if (request.kind == Kind::GoToCell)
        return goToCell(tab, request.executionCount);
    if (request.kind == Kind::ChangeLimit)
        return changeLimits();
    const auto [cell, output] = findOutput(*tab->document(), request.serial);
    if (!output)
        return;
    if (request.kind == Kind::OpenInViewer)
        openViewer(tab, *cell, *output);
    else
        saveToFile(tab, *output);
}

void OutputActs::changeLimits()
{
    (new LimitsDialog(m_context.settings, m_window))->open();
}

void OutputActs::openViewer(NotebookTab *tab, const Cell &cell, const Output &output)
{
    for (int i = 0; i < m_area->pageCount(); ++i) {
        const auto *open = qobject_cast<OutputViewer *>(m_area->pageAt(i));
        if (open && open->serial() == output.serial) {
            m_area->setCurrentIndex(i);
            return;
        }
    }
    auto *viewer = new OutputViewer(m_context.themes, m_context.renderers, tab->document(), cell.id, output);
    const QString title = cell.executionCount > 0 ? tr("Output of [%1]").arg(cell.executionCount) : tr("Output");
    m_area->addPage(viewer, title);
    m_area->setMark(viewer, {u"outline"_s, int(ColorToken::Text2)});
    viewer->setFocus();
}

void OutputActs::saveToFile(NotebookTab *tab, const Output &output)
{
    auto *dialog = new QFileDialog(m_window, tr("Save output"), {}, tr("Text (*.txt);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(u"txt"_s);
    connect(dialog, &QFileDialog::fileSelected, tab, [tab, bytes = bytesOf(output)](const QString &path) {
        QtConcurrent::run(&writeText, path, bytes).then(tab, [tab](const Result<> &written) {
            if (!written)
                tab->sessionBanners()->showError(written.error(), u"output"_s);
        });
    });
    dialog->open();
}

void OutputActs::openLink(const QString &link)
{
    const QUrl url(link);
    if (url.scheme() != "https"_L1 && url.scheme() != "http"_L1)
        return;
    ask(m_window,
        {u"linkQuestion"_s, tr("Open this link in the browser?"),
            tr("It comes from the output of a cell:\n%1").arg(url.toDisplayString()),
            {{tr("Cancel"), Choice::Kind::Safe, {}},
                {tr("Open link"), Choice::Kind::Primary, [url] { QDesktopServices::openUrl(url); }}}});
}

void OutputActs::goToCell(NotebookTab *tab, int executionCount)
{
    const NotebookDocument &document = *tab->document();
    for (qsizetype i = 0; i < document.cellCount(); ++i) {
        const Cell &cell = document.peekAt(i);
        if (cell.executionCount != executionCount)
            continue;
        tab->view()->setCurrentCell(cell.id);
        tab->view()->setFocus();
        return;
    }
}

} // namespace sandfish
