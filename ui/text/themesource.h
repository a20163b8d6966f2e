#pragma once

#include "ui/text/theme.h"

#include <QObject>

namespace sandfish {

/// Holds the look of the whole window; widgets that paint with it listen to changed(). Thread: GUI.
class ThemeSource : public QObject
{
    Q_OBJECT
public:
    explicit ThemeSource(const Theme &theme, QObject *parent = nullptr)
        : QObject(parent)
        , m_theme(theme)
    {
    }

    const Theme &theme() const { return m_theme; }
    void setTheme(const Theme &theme)
    {
        m_theme = theme;
        emit changed();
    }

signals:
    void changed();

private:
    Theme m_theme;
};

} // namespace sandfish
