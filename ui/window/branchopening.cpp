#include "core/document/ipynbreader.h"
#include "core/document/notebookdocument.h"
#include "core/providers/provider.h"
#include "core/session/rewinder.h"
#include "ui/window/filecontroller.h"
#include "ui/window/notebooktab.h"

// A branch of a context begins and ends with a tab of its own.

using namespace Qt::StringLiterals;

namespace sandfish {

void FileController::openBranch(NotebookTab *origin, const BranchPoint &point)
{
    copyNotebook(origin->document()->image(), origin,
        [this, origin, point](const Result<std::shared_ptr<ParsedNotebook>> &copy) {
            if (!copy) {
                showError(copy.error(), u"open"_s);
                return;
            }
            std::unique_ptr<NotebookDocument> document = NotebookDocument::fromParsed(*copy);
            document->setTrusted(origin->document()->isTrusted());
            addTab(std::move(document))->becomeBranch(*origin, point);
        });
}

// Nobody would find the way back to a context whose notebook was never saved.
void FileController::endIfBranch(const NotebookTab *tab)
{
    const NotebookSession &session = *tab->session();
    if (Provider *provider = session.provider(); provider && tab->isBranch() && tab->filePath().isEmpty())
        provider->closeContext(session.sandbox().id, session.branchContext()->id, provider, [](const Result<> &) {});
}

} // namespace sandfish
