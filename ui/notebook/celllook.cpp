#include "ui/notebook/celllook.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace sandfish {

using namespace Qt::StringLiterals;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(CellLook)
};

std::chrono::seconds elapsedOf(const Cell &cell, const CellFlags &flags)
{
    if (!cell.run.startedAt.isValid() || !flags.now.isValid())
        return std::chrono::seconds(0);
    return std::chrono::seconds(std::max<qint64>(0, cell.run.startedAt.secsTo(flags.now)));
}

bool hasErrorOutput(const Cell &cell)
{
    return std::any_of(cell.outputs.begin(), cell.outputs.end(),
        [](const Output &output) { return output.kind == Output::Kind::Error; });
}

QString ordinal(int position)
{
    switch (position) {
    case 1:
        return Tr::tr("1st");
    case 2:
        return Tr::tr("2nd");
    case 3:
        return Tr::tr("3rd");
    default:
        return Tr::tr("%1th").arg(position);
    }
}

void setMeta(CellLook &look, const QString &icon, const QString &text, ColorToken color)
{
    look.metaIcon = icon;
    look.metaText = text;
    look.metaIconColor = color;
    look.metaTextColor = color;
}

void setStripe(CellLook &look, CellLook::Stripe stripe, ColorToken color)
{
    look.stripe = stripe;
    look.stripeColor = color;
}

QString withDuration(const QString &word, const CellRun &run)
{
    return run.duration.count() > 0 ? word + u' ' + durationText(run.duration) : word;
}

void lookFailed(CellLook &look, const QString &text)
{
    setStripe(look, CellLook::Stripe::Solid, ColorToken::Error);
    setMeta(look, u"error"_s, text, ColorToken::Error);
}

void lookInterrupted(CellLook &look, const CellRun &run)
{
    const bool isByPause = run.reason.starts_with("Interrupted by pause");
    setStripe(look, CellLook::Stripe::Solid, ColorToken::SandMark);
    setMeta(look, isByPause ? u"pause"_s : u"interrupt"_s,
        isByPause ? Tr::tr("Interrupted by pause") : Tr::tr("Interrupted"), ColorToken::Sand);
}

void lookOk(CellLook &look, const Cell &cell, const CellFlags &flags)
{
    if (cell.run.isUndone || flags.isStale) {
        setStripe(look, CellLook::Stripe::Dashed, ColorToken::SandMark);
        setMeta(look, u"stale"_s,
            cell.run.isUndone ? Tr::tr("Stale, ran after the rewind point") : Tr::tr("Stale, edited since run"),
            ColorToken::Sand);
        return;
    }
    setMeta(
        look, u"ok"_s, cell.run.duration.count() > 0 ? durationText(cell.run.duration) : QString(), ColorToken::Text3);
    look.metaIconColor = ColorToken::Run;
}

void setNote(CellLook &look, const Cell &cell)
{
    if (cell.run.reason.empty() || cell.run.outcome == Outcome::Ok || cell.run.outcome == Outcome::CodeError)
        return;
    look.note = QString::fromStdString(cell.run.reason);
    look.noteIcon = look.metaIcon;
    look.noteColor = look.metaTextColor;
}

void lookFinished(CellLook &look, const Cell &cell, const CellFlags &flags)
{
    switch (cell.run.outcome) {
    case Outcome::Ok:
        lookOk(look, cell, flags);
        break;
    case Outcome::CodeError:
        lookFailed(look, withDuration(Tr::tr("Failed"), cell.run));
        break;
    case Outcome::TimedOut:
        lookFailed(look, withDuration(Tr::tr("Timed out"), cell.run));
        break;
    case Outcome::Interrupted:
        lookInterrupted(look, cell.run);
        break;
    case Outcome::Aborted:
        setMeta(look, u"queued"_s, Tr::tr("Not run"), ColorToken::Text3);
        break;
    case Outcome::ConnectionLost:
        setStripe(look, CellLook::Stripe::Solid, ColorToken::SandMark);
        setMeta(look, u"unlink"_s, Tr::tr("Connection lost"), ColorToken::Sand);
        break;
    case Outcome::Crashed:
        lookFailed(look, Tr::tr("Kernel ended"));
        break;
    case Outcome::Rejected:
        lookFailed(look, Tr::tr("Not accepted"));
        break;
    }
    setNote(look, cell);
}

void lookRunning(CellLook &look, const Cell &cell, const CellFlags &flags)
{
    const bool isWaiting = cell.run.state == CellRun::State::AwaitingInput;
    const QString time = clockText(elapsedOf(cell, flags));
    setStripe(look, CellLook::Stripe::Solid, ColorToken::Accent);
    setMeta(look, isWaiting ? u"terminal"_s : u"running"_s,
        isWaiting ? Tr::tr("Waiting for input %1").arg(time) : Tr::tr("Running %1").arg(time), ColorToken::Accent);
    look.isAnimated = !isWaiting;
    look.isSpinning = !isWaiting;
    look.count = u"[*]"_s;
    look.button = CellLook::Button::Stop;
    look.buttonFill = ColorToken::Raised;
    look.isCountBelowButton = true;
    if (!flags.isPaused)
        return;
    setStripe(look, CellLook::Stripe::Solid, ColorToken::SandMark);
    setMeta(look, u"pause"_s, Tr::tr("Paused"), ColorToken::Sand);
    look.isAnimated = false;
    look.isSpinning = false;
}

void lookOfRun(CellLook &look, const Cell &cell, const CellFlags &flags)
{
    look.count = cell.executionCount > 0 ? u"[%1]"_s.arg(cell.executionCount) : u"[ ]"_s;
    look.hasHalfDot = cell.run.before && !cell.run.before->inexact.empty();
    switch (cell.run.state) {
    case CellRun::State::None:
        if (hasErrorOutput(cell))
            lookFailed(look, Tr::tr("Failed"));
        break;
    case CellRun::State::Queued:
        setStripe(look, CellLook::Stripe::Dotted, ColorToken::Control);
        setMeta(look, u"queued"_s,
            cell.run.queuePosition > 0 ? Tr::tr("Queued, %1").arg(ordinal(cell.run.queuePosition)) : Tr::tr("Queued"),
            ColorToken::Text3);
        look.count = u"[ ]"_s;
        break;
    case CellRun::State::Running:
    case CellRun::State::AwaitingInput:
        lookRunning(look, cell, flags);
        break;
    case CellRun::State::Finished:
        lookFinished(look, cell, flags);
        break;
    }
}

void lookOfPointing(CellLook &look, const Cell &cell, const CellFlags &flags)
{
    look.hasGutterTint = flags.isSelected && !flags.isEditing;
    if (flags.isEditing) {
        look.edge = ColorToken::Accent;
        look.edgePx = 2;
    } else if (flags.isCurrent) {
        look.edge = ColorToken::Accent;
    } else if (flags.isHovered) {
        look.edge = ColorToken::Control;
    }
    look.hasMore = flags.isHovered && !flags.isEditing;
    const bool isPointed = flags.isHovered || flags.isCurrent || flags.isEditing;
    if (cell.type != Cell::Type::Code || look.button == CellLook::Button::Stop || !isPointed)
        return;
    look.button = CellLook::Button::Run;
    look.buttonFill = look.hasGutterTint ? ColorToken::Raised : ColorToken::Hover;
    look.isCountBelowButton = flags.isEditing;
}

} // namespace

CellLook lookOf(const Cell &cell, const CellFlags &flags)
{
    CellLook look;
    if (cell.type == Cell::Type::Code)
        lookOfRun(look, cell, flags);
    lookOfPointing(look, cell, flags);
    const bool isBusy = cell.run.state == CellRun::State::Queued || cell.run.state == CellRun::State::Running
        || cell.run.state == CellRun::State::AwaitingInput;
    if (flags.isEditing && !(cell.type == Cell::Type::Code && isBusy)) {
        look.metaIcon.clear();
        look.metaText = flags.languageName;
        look.metaTextColor = ColorToken::Text3;
        look.isSpinning = false;
    }
    return look;
}

QString spokenState(const Cell &cell, const CellFlags &flags)
{
    if (cell.type != Cell::Type::Code)
        return {};
    switch (cell.run.state) {
    case CellRun::State::None:
        return hasErrorOutput(cell) ? Tr::tr("failed") : Tr::tr("not run");
    case CellRun::State::Queued:
        return Tr::tr("queued, %1").arg(ordinal(std::max(1, cell.run.queuePosition)));
    case CellRun::State::Running:
        return flags.isPaused ? Tr::tr("paused") : Tr::tr("running %1 s").arg(elapsedOf(cell, flags).count());
    case CellRun::State::AwaitingInput:
        return Tr::tr("waiting for input");
    case CellRun::State::Finished:
        break;
    }
    CellLook look;
    lookFinished(look, cell, flags);
    const bool isPlain = cell.run.outcome == Outcome::Ok && !flags.isStale && !cell.run.isUndone;
    const QString words =
        isPlain ? Tr::tr("ran %1").arg(durationText(cell.run.duration)) : QLocale().toLower(look.metaText);
    const bool isInexact = cell.run.before && !cell.run.before->inexact.empty();
    return isInexact ? Tr::tr("%1, the state before it is kept but not exact").arg(words) : words;
}

} // namespace sandfish
