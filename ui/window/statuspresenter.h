#pragma once

#include <QObject>

namespace sandfish {

class NotebookTab;
class StatusStrip;
struct SessionStatus;

/// Words the status bar for the notebook in front. Thread: GUI.
class StatusPresenter : public QObject
{
    Q_OBJECT
public:
    explicit StatusPresenter(StatusStrip *strip, QObject *parent = nullptr);

    /// \a tab may be null: no notebook is in front.
    void show(const NotebookTab *tab, const SessionStatus &status);

private:
    void showPlace(const NotebookTab &tab);
    void showKernel(const SessionStatus &status);
    void showMemory(const SessionStatus &status);
    void showFile(const NotebookTab &tab, const SessionStatus &status);

    StatusStrip *m_strip;
};

} // namespace sandfish
