#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QSettings>
#include <QVariant>

namespace sandfish {

/// What the user chose, kept in one INI file. Every key stands in one table with its name and default, so unknown keys
/// cannot be written. Thread: GUI.
class Settings : public QObject
{
    Q_OBJECT
public:
    enum class Key
    {
        Theme,                ///< string: system, light or dark
        CodeFontFamily,       ///< string; empty: the system's fixed-pitch font
        RecentFiles,          ///< string list of absolute paths, newest first
        WindowGeometry,       ///< bytes of QWidget::saveGeometry()
        WindowState,          ///< bytes of QMainWindow::saveState()
        MaxShownLines,        ///< int: of an output with more lines the last ones are shown
        TourShown,            ///< bool
        ReducedMotion,        ///< bool
        AutosaveSeconds,      ///< int; 0: never
        OpenFiles,            ///< string list of absolute paths: the tabs at the last quit
        DocksTouched,         ///< bool: the user opened or closed a dock, the automatic layout stops
        FolderAccess,         ///< string: read-write, read-only or none, for notebooks opened from now on
        QuitLeavesRunning,    ///< bool: leave sandboxes running at quit without asking
        OutputLimitMegabytes, ///< int, MiB: text kept of one output; beyond it lines from the middle are dropped
        NotebookSandboxes     ///< string list: the sandbox that each notebook used last, see SandboxMemory
    };
    Q_ENUM(Key)

    /// The file of the user who runs the program.
    explicit Settings(QObject *parent = nullptr);
    /// A file of the caller's choice; it is created at the first write.
    explicit Settings(const QString &filePath, QObject *parent = nullptr);

    /// The stored value in the type of the default; the default where nothing is stored or it cannot be converted.
    QVariant value(Key key) const;
    template <typename T> T get(Key key) const { return value(key).value<T>(); }
    /// \a value is converted to the type of the default; one that cannot be is ignored.
    void set(Key key, const QVariant &value);
    void reset(Key key);
    static QVariant defaultValue(Key key);

    /// Writes to the disk now; otherwise this happens by itself soon after a change.
    Result<> sync();
    QString filePath() const { return m_store.fileName(); }

signals:
    /// After the value seen by value() became another one, not at every set().
    void changed(sandfish::Settings::Key key);

private:
    QSettings m_store;
};

} // namespace sandfish
