#pragma once

#include "core/session/codehelp.h"

#include <QObject>
#include <QPointer>

namespace sandfish {

class CodeEditor;
class CodeTip;
class Theme;

/// The signature and documentation of the call at the cursor: behind a typed bracket and by Shift+Tab. Thread: GUI.
class CellSignature : public QObject
{
    Q_OBJECT
public:
    enum class Trigger
    {
        Asked,
        Typed
    };

    CellSignature(QWidget *view, QObject *parent);
    ~CellSignature() override;

    void setHelp(CodeHelp *help) { m_help = help; }
    void setTheme(const Theme &theme);
    void attach(CodeEditor *editor);
    void ask(Trigger trigger);
    /// Why there is nothing, until the text or the cursor moves on.
    void showNote(const QString &text);
    /// The text or the cursor may have changed.
    void review();
    void place();
    void close();
    bool isOpen() const;
    CodeTip *tip() const; ///< null: never opened

private:
    void take(int serial, Trigger trigger, const Result<Inspection> &answer);
    void show();
    QString reason() const;

    QWidget *m_view;
    QPointer<CodeHelp> m_help;
    QPointer<CodeEditor> m_editor;
    QPointer<CodeTip> m_tip;
    const Theme *m_theme = nullptr;
    Request m_request;
    int m_serial = 0;
    int m_from = 0;  ///< where the cursor was
    int m_block = 0; ///< the line it was on
    QString m_text;
    bool m_isNote = false;
};

} // namespace sandfish
