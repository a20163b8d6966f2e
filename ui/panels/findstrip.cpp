#include "ui/panels/findstrip.h"

#include "ui/text/icons.h"
#include "ui/text/themesource.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QToolButton>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kHeightPx = 44;

} // namespace

FindStrip::FindStrip(const ThemeSource *source, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
    , m_field(new QLineEdit(this))
    , m_result(new QLabel(this))
{
    setObjectName(u"findStrip"_s);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 6, 8, 6);
    row->setSpacing(6);
    row->addWidget(m_field, 1);
    m_field->setMaximumWidth(340);
    m_field->setPlaceholderText(tr("Find in notebook"));
    m_field->setAccessibleName(tr("Find in notebook"));
    connect(m_field, &QLineEdit::textChanged, this, [this] { emit queryChanged(query()); });
    connect(addButton(u"move-up"_s, tr("Previous hit (Shift+F3)")), &QToolButton::clicked, this,
        &FindStrip::previousRequested);
    connect(addButton(u"move-down"_s, tr("Next hit (F3)")), &QToolButton::clicked, this, &FindStrip::nextRequested);
    row->addWidget(m_result);
    row->addSpacing(12);
    m_case = addScope(tr("Match case"), false);
    m_code = addScope(tr("Code"), true);
    m_text = addScope(tr("Text"), true);
    m_output = addScope(tr("Output"), true);
    row->addStretch(1);
    connect(addButton(u"close"_s, tr("Close the search (Esc)")), &QToolButton::clicked, this, &FindStrip::close);
    connect(source, &ThemeSource::changed, this, &FindStrip::applyTheme);
    applyTheme();
    hide();
}

QToolButton *FindStrip::addButton(const QString &icon, const QString &tip)
{
    auto *button = new QToolButton(this);
    button->setAutoRaise(true);
    button->setFixedSize(28, 28);
    button->setProperty("sandfishIcon", icon);
    button->setToolTip(tip);
    button->setAccessibleName(tip);
    layout()->addWidget(button);
    m_buttons.append(button);
    return button;
}

QCheckBox *FindStrip::addScope(const QString &text, bool isChecked)
{
    auto *box = new QCheckBox(text, this);
    box->setChecked(isChecked);
    layout()->addWidget(box);
    connect(box, &QCheckBox::toggled, this, [this] { emit queryChanged(query()); });
    return box;
}

FindQuery FindStrip::query() const
{
    return {m_field->text(), m_case->isChecked(), m_code->isChecked(), m_text->isChecked(), m_output->isChecked()};
}

void FindStrip::open()
{
    show();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
    emit queryChanged(query());
}

void FindStrip::setResult(int current, int count, int inOutputs)
{
    const QLocale locale;
    QString text;
    if (count == 0)
        text = tr("No hit");
    else if (current == 0)
        text = count == 1 ? tr("1 hit") : tr("%1 hits").arg(locale.toString(count));
    else
        text = tr("%1 of %2").arg(locale.toString(current), locale.toString(count));
    if (inOutputs > 0)
        text += tr(", %1 in outputs").arg(locale.toString(inOutputs));
    m_result->setText(m_field->text().isEmpty() ? QString() : text);
}

QString FindStrip::resultText() const
{
    return m_result->text();
}

void FindStrip::close()
{
    hide();
    emit closed();
}

void FindStrip::applyTheme()
{
    const Theme &theme = m_source->theme();
    setFixedHeight(qRound(theme.scaled(kHeightPx)));
    for (QToolButton *button : std::as_const(m_buttons))
        button->setIcon(tintedIcon(button->property("sandfishIcon").toString(), theme.color(ColorToken::Text2),
            theme.color(ColorToken::Text3)));
    update();
}

void FindStrip::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_source->theme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorToken::Panel));
    painter.fillRect(0, 0, width(), 1, theme.color(ColorToken::Border));
}

void FindStrip::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        close();
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        event->modifiers().testFlag(Qt::ShiftModifier) ? emit previousRequested() : emit nextRequested();
    else
        QWidget::keyPressEvent(event);
}

} // namespace sandfish
