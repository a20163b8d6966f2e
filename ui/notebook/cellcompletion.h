#pragma once

#include "core/session/codehelp.h"
#include "ui/text/completionlist.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>
#include <QTimer>

class QKeyEvent;

namespace sandfish {

class CellSignature;
class CodeEditor;
class CompletionPopup;
class NotebookDocument;
class Theme;

/// Completion in the live editor: Tab behind a name, Ctrl+Space anywhere, by itself behind a dot. What the kernel
/// knows, or the words of the notebook where it cannot be asked. An answer to a text that has changed since is dropped.
/// Thread: GUI.
class CellCompletion : public QObject
{
    Q_OBJECT
public:
    /// Both outlive this; the popup is a child of the window of \a view.
    CellCompletion(NotebookDocument &document, QWidget *view);
    ~CellCompletion() override;

    void setHelp(CodeHelp *help); ///< null: words of the notebook only
    void setTheme(const Theme &theme);
    void attach(CodeEditor *editor);
    /// True for keys that would be shortcuts elsewhere while a popup is open.
    bool wantsKey(const QKeyEvent &event) const;
    /// True if the key was for a popup, or opened one; else it belongs to the editor.
    bool takeKey(const QKeyEvent &event);
    void close();
    CompletionPopup *popup() const; ///< null: never opened
    CellSignature *signature() const { return m_signature; }
    bool isOpen() const;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum class Trigger
    {
        Asked,
        Typed
    };

    bool takePopupKey(const QKeyEvent &event);
    bool takeTrigger(const QKeyEvent &event);
    bool isBehindName() const;
    bool isInCode() const;
    void ask(Trigger trigger);
    void take(int serial, Trigger trigger, const Result<CompletionList> &answer);
    void openWords(Trigger trigger, const QString &foot);
    void open(std::vector<CompletionEntry> entries, qsizetype start, const QString &foot, bool hasDocs);
    void accept(const CompletionEntry &entry);
    void review();
    void reviewPopup();
    void actOnTyped(QChar typed);
    void place();
    void askForDocs();
    void makePopup();
    QString language() const;
    QString text() const;
    qsizetype position() const;

    NotebookDocument &m_document;
    QWidget *m_view;
    QPointer<CodeHelp> m_help;
    QPointer<CodeEditor> m_editor;
    QPointer<CompletionPopup> m_popup;
    CellSignature *m_signature;
    const Theme *m_theme = nullptr;
    Request m_request;
    Request m_docRequest;
    QElapsedTimer m_asked;
    QTimer m_reviewTimer; ///< after the editor has done with a key
    QTimer m_askTimer;    ///< debounces what is asked because of typing
    QTimer m_docTimer;
    QString m_typed; ///< by the last key
    QString m_askedText;
    qsizetype m_askedAt = 0;
    qsizetype m_start = 0; ///< of what is completed, in UTF-16 units
    Trigger m_trigger = Trigger::Asked;
    int m_serial = 0;
};

} // namespace sandfish
