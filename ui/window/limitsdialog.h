#pragma once

#include <QDialog>

class QSpinBox;

namespace sandfish {

class Settings;

/// Asks how much of long outputs is shown and kept, and writes it to the settings. Thread: GUI.
class LimitsDialog : public QDialog
{
    Q_OBJECT
public:
    /// \a settings outlives the dialog.
    explicit LimitsDialog(Settings *settings, QWidget *parent = nullptr);

private:
    void apply();

    Settings *m_settings;
    QSpinBox *m_lines;
    QSpinBox *m_megabytes;
};

} // namespace sandfish
