#pragma once

#include <QString>

#include <functional>
#include <vector>

class QWidget;

namespace sandfish {

/// One verb of a question. The focus is on the safe one.
struct Choice
{
    enum class Kind
    {
        Normal,
        Safe,    ///< has the focus; Esc means it
        Primary, ///< filled
        Danger   ///< error edge
    };
    QString text;
    Kind kind = Kind::Normal;
    std::function<void()> trigger; ///< may be empty
};

/// A question before a loss (DESIGN.md §3.5): names the object and the loss, verbs on the buttons, window-modal and
/// never blocking. The dialog's object name is \a id. At most one choice runs, once.
struct Question
{
    QString id;
    QString title;
    QString text;
    std::vector<Choice> choices;
};
void ask(QWidget *parent, const Question &question);

} // namespace sandfish
