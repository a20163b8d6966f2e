#include "ui/window/limitsdialog.h"

#include "core/support/settings.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

using namespace Qt::StringLiterals;

namespace sandfish {

LimitsDialog::LimitsDialog(Settings *settings, QWidget *parent)
    : QDialog(parent)
    , m_settings(settings)
    , m_lines(new QSpinBox(this))
    , m_megabytes(new QSpinBox(this))
{
    setObjectName(u"limitsDialog"_s);
    setWindowTitle(tr("Output limits"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_lines->setObjectName(u"shownLines"_s);
    m_lines->setRange(100, 100'000);
    m_lines->setSingleStep(500);
    m_lines->setGroupSeparatorShown(true);
    m_lines->setValue(settings->get<int>(Settings::Key::MaxShownLines));
    m_megabytes->setObjectName(u"keptMegabytes"_s);
    m_megabytes->setRange(1, 4096);
    m_megabytes->setSuffix(tr(" MiB"));
    m_megabytes->setValue(settings->get<int>(Settings::Key::OutputLimitMegabytes));

    auto *form = new QFormLayout(this);
    form->addRow(tr("Lines of an output on the page"), m_lines);
    form->addRow(tr("Text kept of an output"), m_megabytes);
    auto *hint = new QLabel(tr("Longer outputs show their last lines; all of them open in the viewer. What is kept is "
                               "counted from the next output on: beyond it, lines from the middle are dropped."),
        this);
    hint->setWordWrap(true);
    form->addRow(hint);
    auto *buttons = new QDialogButtonBox(this);
    buttons->addButton(tr("Cancel"), QDialogButtonBox::RejectRole);
    QPushButton *change = buttons->addButton(tr("Change limits"), QDialogButtonBox::AcceptRole);
    change->setObjectName(u"changeLimits"_s);
    change->setProperty("sandfishPrimary", true);
    change->setDefault(true);
    form->addRow(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, &LimitsDialog::apply);
}

void LimitsDialog::apply()
{
    m_settings->set(Settings::Key::MaxShownLines, m_lines->value());
    m_settings->set(Settings::Key::OutputLimitMegabytes, m_megabytes->value());
    accept();
}

} // namespace sandfish
