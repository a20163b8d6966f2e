#include "ui/window/question.h"

#include <QMessageBox>
#include <QPushButton>

namespace sandfish {
namespace {

QMessageBox::ButtonRole roleOf(Choice::Kind kind)
{
    switch (kind) {
    case Choice::Kind::Safe:
        return QMessageBox::RejectRole;
    case Choice::Kind::Danger:
        return QMessageBox::DestructiveRole;
    default:
        return QMessageBox::AcceptRole;
    }
}

} // namespace

void ask(QWidget *parent, const Question &question)
{
    auto *box = new QMessageBox(parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(question.id);
    box->setWindowTitle(question.title);
    box->setTextFormat(Qt::PlainText);
    box->setText(question.title);
    box->setInformativeText(question.text);
    for (const Choice &choice : question.choices) {
        QPushButton *button = box->addButton(choice.text, roleOf(choice.kind));
        button->setAutoDefault(false);
        button->setProperty("sandfishPrimary", choice.kind == Choice::Kind::Primary);
        button->setProperty("sandfishDanger", choice.kind == Choice::Kind::Danger);
        if (choice.kind == Choice::Kind::Safe) {
            box->setEscapeButton(button);
            box->setDefaultButton(button);
        }
        // After the box has closed: what follows may open the next one.
        QObject::connect(button, &QPushButton::clicked, parent, [parent, trigger = choice.trigger] {
            if (trigger)
                QMetaObject::invokeMethod(parent, trigger, Qt::QueuedConnection);
        });
    }
    box->open();
}

} // namespace sandfish
