#include "ui/outputs/chipoutput.h"

#include "ui/outputs/placeholder.h"
#include "ui/text/theme.h"

#include <QCoreApplication>

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kMaxNamedTypes = 5;

QString tr(const char *text)
{
    return QCoreApplication::translate("sandfish::ChipOutput", text);
}

QString typeList(const MimeBundle &bundle)
{
    QStringList types;
    for (const MimeEntry &entry : bundle.entries()) {
        if (types.size() == kMaxNamedTypes) {
            types.append(u"…"_s);
            break;
        }
        types.append(QString::fromStdString(entry.type).left(80));
    }
    return types.join(u", "_s);
}

} // namespace

ChipOutput::ChipOutput(QString text, const RenderStyle &style)
    : m_style(style)
    , m_text(std::move(text))
{
}

qreal ChipOutput::heightForWidth(qreal widthPx)
{
    m_widthPx = widthPx;
    return Placeholder::heightPx(*m_style.theme);
}

void ChipOutput::paint(QPainter &painter, const QRectF &)
{
    Placeholder::paint(
        painter, QRectF(0, 0, m_widthPx, Placeholder::heightPx(*m_style.theme)), u"info"_s, m_text, *m_style.theme);
}

bool ChipOutput::update(const Output &)
{
    return false;
}

std::unique_ptr<OutputItem> makeChip(const Output &output, const RenderStyle &style, bool isTrusted)
{
    if (output.kind == Output::Kind::Unknown) {
        const QString kind = QString::fromStdString(stringOr(output.raw, "output_type", "")).left(80);
        return std::make_unique<ChipOutput>(
            tr("Output of the unknown kind \"%1\". It is kept in the notebook.").arg(kind), style);
    }
    const QString types = typeList(output.data);
    if (types.isEmpty())
        return std::make_unique<ChipOutput>(tr("Empty output"), style);
    const bool hasActive = output.data.contains("text/html") || output.data.contains("image/svg+xml");
    if (!isTrusted && hasActive)
        return std::make_unique<ChipOutput>(
            tr("Not shown until the notebook is trusted: %1. It is kept.").arg(types), style);
    return std::make_unique<ChipOutput>(tr("Cannot be shown here: %1. It is kept in the notebook.").arg(types), style);
}

} // namespace sandfish
