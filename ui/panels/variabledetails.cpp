#include "ui/panels/variabledetails.h"

#include "ui/panels/variablewords.h"
#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kHeadPx = 30;

} // namespace

VariableDetails::VariableDetails(const ThemeSource *source, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_name(new QLabel(this))
    , m_open(new QPushButton(this))
{
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(12, 1, 8, 10);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    grid->setRowMinimumHeight(0, kHeadPx);
    m_name->setTextFormat(Qt::PlainText);
    m_open->setFlat(true);
    grid->addWidget(m_name, 0, 0, 1, 2);
    grid->addWidget(m_open, 0, 2, Qt::AlignRight);
    const std::array names{tr("Type"), tr("Shape"), tr("Size"), tr("Value")};
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_facts[i] = {new QLabel(names[i], this), new QLabel(this)};
        m_facts[i].value->setTextFormat(Qt::PlainText);
        m_facts[i].value->setWordWrap(true);
        m_facts[i].value->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_facts[i].name->setBuddy(m_facts[i].value);
        grid->addWidget(m_facts[i].name, int(i) + 1, 0, Qt::AlignTop);
        grid->addWidget(m_facts[i].value, int(i) + 1, 1, 1, 2);
    }
    connect(m_open, &QPushButton::clicked, this, &VariableDetails::openRequested);
    connect(source, &ThemeSource::changed, this, &VariableDetails::applyTheme);
    applyTheme();
    hide();
}

void VariableDetails::setFact(std::size_t row, const QString &value)
{
    m_facts[row].value->setText(value);
    m_facts[row].value->setVisible(!value.isEmpty());
    m_facts[row].name->setVisible(!value.isEmpty());
}

void VariableDetails::showVariable(const VariableInfo *info, bool canOpen, const QString &reason)
{
    setVisible(info != nullptr);
    if (!info)
        return;
    const bool isTable = info->shape && info->shape->size() > 1;
    m_name->setText(QString::fromStdString(info->name));
    m_open->setText(isTable ? tr("Open as table") : tr("Open"));
    m_open->setAccessibleName(tr("Open %1").arg(m_name->text()));
    m_open->setEnabled(canOpen);
    m_open->setToolTip(canOpen ? tr("Show the whole value in a tab (Enter)") : reason);
    setFact(0, QString::fromStdString(info->type));
    setFact(1, shapeText(*info));
    setFact(2, info->sizeBytes ? objectSizeText(*info->sizeBytes) : QString());
    setFact(3, valueText(*info));
}

void VariableDetails::applyTheme()
{
    const Theme &theme = m_source->theme();
    QFont name = theme.codeSmallFont();
    name.setWeight(QFont::DemiBold);
    m_name->setFont(name);
    m_open->setFont(theme.smallFont());
    m_open->setIcon(tintedIcon(u"table"_s, theme.color(ColorToken::Accent), theme.color(ColorToken::Text3)));
    for (std::size_t i = 0; i < m_facts.size(); ++i) {
        QPalette quiet = theme.palette();
        quiet.setColor(QPalette::WindowText, theme.color(ColorToken::Text2));
        m_facts[i].name->setFont(theme.smallFont());
        m_facts[i].name->setPalette(quiet);
        m_facts[i].value->setFont(i + 1 == m_facts.size() ? theme.codeSmallFont() : theme.smallFont());
    }
    update();
}

void VariableDetails::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorToken::Panel));
    painter.fillRect(0, 0, width(), 1, theme.color(ColorToken::Border));
    painter.fillRect(0, kHeadPx + 2, width(), 1, theme.color(ColorToken::Border));
}

} // namespace sandfish
