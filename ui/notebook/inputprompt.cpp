#include "ui/notebook/inputprompt.h"

#include "ui/notebook/celllook.h"
#include "ui/notebook/devicepixels.h"
#include "ui/text/icons.h"
#include "ui/text/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace sandfish {

using namespace Qt::StringLiterals;

InputPrompt::InputPrompt(const InputRequest &request, const Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_request(request)
    , m_theme(&theme)
    , m_icon(new QLabel(this))
    , m_title(new QLabel(tr("Input requested"), this))
    , m_waiting(new QLabel(this))
    , m_prompt(new QLabel(QString::fromStdString(request.prompt), this))
    , m_field(new QLineEdit(this))
    , m_send(new QPushButton(tr("Send"), this))
    , m_end(new QPushButton(tr("End of input"), this))
    , m_interrupt(new QPushButton(tr("Interrupt"), this))
{
    auto *head = new QHBoxLayout;
    head->setSpacing(6);
    head->addWidget(m_icon);
    head->addWidget(m_title);
    head->addWidget(m_waiting);
    head->addStretch();
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_field, 1);
    for (QPushButton *button : {m_send, m_end, m_interrupt})
        row->addWidget(button);
    auto *box = new QVBoxLayout(this);
    box->setContentsMargins(13, 10, 13, 10);
    box->setSpacing(7);
    box->addLayout(head);
    box->addWidget(m_prompt);
    box->addLayout(row);

    m_prompt->setTextFormat(Qt::PlainText);
    m_prompt->setVisible(!request.prompt.empty());
    m_field->setEchoMode(request.isPassword ? QLineEdit::Password : QLineEdit::Normal);
    m_field->setAccessibleName(request.prompt.empty() ? tr("Input") : m_prompt->text());
    m_send->setProperty("sandfishPrimary", true);
    connect(m_field, &QLineEdit::returnPressed, this, &InputPrompt::submit);
    connect(m_send, &QPushButton::clicked, this, &InputPrompt::submit);
    connect(m_end, &QPushButton::clicked, this, &InputPrompt::ended);
    connect(m_interrupt, &QPushButton::clicked, this, &InputPrompt::interruptRequested);
    setTheme(theme);
}

void InputPrompt::setTheme(const Theme &theme)
{
    m_theme = &theme;
    setPalette(theme.palette());
    m_icon->setPixmap(iconPixmap(u"terminal"_s, theme.color(ColorToken::Accent), 16, devicePixelRatioF()));
    m_title->setFont(theme.strongFont());
    m_waiting->setFont(theme.smallFont());
    QPalette quiet = theme.palette();
    quiet.setColor(QPalette::WindowText, theme.color(ColorToken::Text2));
    m_waiting->setPalette(quiet);
    m_prompt->setFont(theme.codeFont());
    m_field->setFont(theme.codeFont());
    m_interrupt->setIcon(tintedIcon(u"interrupt"_s, theme.color(ColorToken::Text), theme.color(ColorToken::Text3)));
    update();
}

void InputPrompt::setWaiting(std::chrono::seconds waiting)
{
    m_waiting->setText(tr("Waiting %1").arg(clockText(waiting)));
}

void InputPrompt::takeFocus()
{
    m_field->setFocus();
}

bool InputPrompt::hasFocusInside() const
{
    return focusWidget() && focusWidget()->hasFocus();
}

void InputPrompt::submit()
{
    const QString line = m_field->text();
    m_field->clear();
    emit submitted(line);
}

void InputPrompt::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    paintBox(painter, rect(), 5, m_theme->color(ColorToken::AccentTint), m_theme->color(ColorToken::Accent), 1);
}

void InputPrompt::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && event->modifiers() == Qt::NoModifier) {
        emit left();
        return;
    }
    // Keys of the field end here: a letter must not become a command of the page.
    event->accept();
}

} // namespace sandfish
