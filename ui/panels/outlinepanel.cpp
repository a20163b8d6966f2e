#include "ui/panels/outlinepanel.h"

#include "ui/panels/outlinemodel.h"
#include "ui/panels/rowdelegate.h"
#include "ui/text/themesource.h"

#include <QListView>
#include <QVBoxLayout>

using namespace Qt::StringLiterals;

namespace sandfish {

OutlinePanel::OutlinePanel(const ThemeSource *source, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_model(new OutlineModel(this))
    , m_list(new QListView(this))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_list);
    m_list->setObjectName(u"outlineList"_s);
    m_list->setAccessibleName(tr("Outline"));
    m_list->setModel(m_model);
    m_list->setItemDelegate(new OutlineRowDelegate(source, m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformItemSizes(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setProperty("sandfishPanel", true);
    const auto activate = [this](const QModelIndex &index) {
        emit cellActivated(CellId{index.data(OutlineModel::CellIdRole).toString()});
    };
    connect(m_list, &QListView::clicked, this, activate);
    connect(m_list, &QListView::activated, this, activate);
    connect(m_model, &OutlineModel::modelReset, this, [this] { setCurrentCell(m_current); });
    connect(source, &ThemeSource::changed, this, &OutlinePanel::applyTheme);
    applyTheme();
}

void OutlinePanel::setDocument(NotebookDocument *document)
{
    m_model->setDocument(document);
}

void OutlinePanel::setCurrentCell(const CellId &id)
{
    m_current = id;
    const int row = m_model->rowOf(id);
    if (row < 0)
        m_list->clearSelection();
    else
        m_list->setCurrentIndex(m_model->index(row));
}

void OutlinePanel::applyTheme()
{
    QPalette palette = m_source->theme().palette();
    palette.setColor(QPalette::Base, m_source->theme().color(ColorToken::Panel));
    m_list->setPalette(palette);
    m_list->doItemsLayout();
}

} // namespace sandfish
