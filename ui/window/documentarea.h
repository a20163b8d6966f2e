#pragma once

#include "ui/window/documenttabbar.h"

#include <QWidget>

class QStackedWidget;
class QToolButton;

namespace sandfish {

/// The centre of the window: the tab bar with "+", and the page in front. Pages are owned by the area. Thread: GUI.
class DocumentArea : public QWidget
{
    Q_OBJECT
public:
    explicit DocumentArea(const ThemeSource *source, QWidget *parent = nullptr);

    int addPage(QWidget *page, const QString &title); ///< and brings it to the front
    void removePage(QWidget *page);                   ///< the page is deleted in a later loop turn
    QWidget *currentPage() const;
    QWidget *pageAt(int index) const;
    int pageCount() const;
    void setCurrentPage(QWidget *page);
    void setCurrentIndex(int index);
    int currentIndex() const;
    void setTitle(QWidget *page, const QString &title, const QString &tip);
    void setMark(QWidget *page, const DocumentTabBar::Mark &mark);
    DocumentTabBar *tabBar() const { return m_bar; }

signals:
    void currentChanged(QWidget *page);
    void closeRequested(QWidget *page);
    void newRequested();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void movePage(int from, int to);
    void applyTheme();

    const ThemeSource *m_source;
    DocumentTabBar *m_bar;
    QStackedWidget *m_stack;
    QToolButton *m_plus;
};

} // namespace sandfish
