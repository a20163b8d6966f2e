#pragma once

#include "ui/panels/banner.h"

#include <QWidget>

#include <vector>

namespace sandfish {

/// The banners of one document: shows the worst, keeps the others behind "1 more" (DESIGN.md §3.5). Takes no height
/// while there is none. Thread: GUI.
class BannerStack : public QWidget
{
    Q_OBJECT
public:
    /// \a source outlives the stack.
    explicit BannerStack(const ThemeSource *source, QWidget *parent = nullptr);

    /// Shows \a content, in place of one with the same id.
    void put(const BannerContent &content);
    void remove(const QString &id);
    bool contains(const QString &id) const;
    /// What is in sight; empty id if there is nothing.
    BannerContent shown() const;
    int count() const { return int(m_contents.size()); }

signals:
    void dismissed(const QString &id);

private:
    void rebuild();
    void showNext();

    const ThemeSource *m_source;
    std::vector<BannerContent> m_contents; ///< worst first; the first is shown
    Banner *m_banner = nullptr;
};

} // namespace sandfish
