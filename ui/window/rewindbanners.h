#pragma once

#include "core/document/cell.h"

#include <QObject>
#include <QString>

namespace sandfish {

class NotebookTab;
struct BannerContent;
struct CrashReport;

/// Tells by banners that an interpreter has ended or does not react to an interrupt, and offers what helps with one
/// click (DESIGN.md §6, kernel.signal). Thread: GUI.
class RewindBanners : public QObject
{
    Q_OBJECT
public:
    /// \a tab is the parent.
    explicit RewindBanners(NotebookTab *tab);

private:
    void showCrash(const CrashReport &report);
    void offerAfterCrash(const CrashReport &report, BannerContent &content);
    void showStuck();
    void runsOn(const CellId &id, const ExecutionSummary &summary);

    NotebookTab *m_tab;
};

} // namespace sandfish
