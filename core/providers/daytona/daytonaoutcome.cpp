#include "core/providers/daytona/daytonaoutcome.h"

#include <QCoreApplication>

namespace sandfish::Daytona {
namespace {

// RFC 6455 §7.4.1, and Daytona's own.
constexpr int kNormal = 1000;
constexpr int kGoingAway = 1001;
constexpr int kProtocolError = 1002;
constexpr int kPolicyViolated = 1008;
constexpr int kTimeLimit = 4008;

struct OutcomeText
{
    Q_DECLARE_TR_FUNCTIONS(sandfish::DaytonaExecution)
};

RunEnd ended(Outcome outcome, const QString &reason, ContextFate fate = ContextFate::Alive)
{
    return {ExecutionSummary{outcome, 0, {}, reason.toStdString()}, fate};
}

// The service answers an interrupt as it does a time limit.
RunEnd stopped(const RunTrace &trace)
{
    const Outcome outcome = trace.isInterruptAsked ? Outcome::Interrupted : Outcome::TimedOut;
    if (!trace.hasInterrupted)
        return ended(outcome,
            OutcomeText::tr(
                "The run did not react to the interrupt, so its interpreter was ended. The variables are gone; "
                "run the cells you need again."),
            ContextFate::Reset);
    if (trace.isInterruptAsked)
        return ended(outcome, {});
    return ended(
        outcome, OutcomeText::tr("The time limit has passed and the run was interrupted. The variables are kept."));
}

RunEnd lost(const QString &cause)
{
    return ended(Outcome::ConnectionLost,
        cause + u' '
            + OutcomeText::tr("What came until then is kept. The code may still run, and the next run waits for it; "
                              "restart the context to end it."));
}

RunEnd refused(const QString &words)
{
    const bool isContextGone = words.startsWith(QLatin1String("context not found"))
        || words.startsWith(QLatin1String("context is not active"));
    const QString advice = isContextGone ? OutcomeText::tr("Run the cell again to open another context.")
                                         : OutcomeText::tr("Nothing was run. Check the cell and try again.");
    return ended(Outcome::Rejected, OutcomeText::tr("Daytona refused the run: \"%1\".").arg(words) + u' ' + advice,
        isContextGone ? ContextFate::Gone : ContextFate::Alive);
}

RunEnd byCode(const RunTrace &trace, const SocketClose &close)
{
    const QString words = QString::fromStdString(close.reason);
    if (close.code == kGoingAway) {
        const bool isShutDown = words.contains(QLatin1String("shutdown"));
        return ended(Outcome::Crashed,
            isShutDown
                ? OutcomeText::tr("The context was closed while the run went on. Run the cell again to open another.")
                : OutcomeText::tr("The interpreter ended. Its variables are gone; run the cells you need again."),
            isShutDown ? ContextFate::Gone : ContextFate::Reset);
    }
    // "slow consumer" comes in the middle of a run that goes on.
    const bool isUnstarted = !trace.hasFrames && !words.contains(QLatin1String("slow consumer"));
    if (isUnstarted && (close.code == kPolicyViolated || close.code == kProtocolError))
        return refused(words.isEmpty() ? QString::number(close.code) : words);
    const QString told = words.isEmpty() ? QString::number(close.code) : words;
    return lost(OutcomeText::tr("Daytona closed the connection before the run had ended (%1).").arg(told));
}

} // namespace

RunEnd runEnd(const RunTrace &trace, const Result<SocketClose> &close)
{
    if (trace.hasInterrupted || (close && close->code == kTimeLimit))
        return stopped(trace);
    const bool isComplete = trace.hasCompleted || (trace.hasError && close && close->code == kNormal);
    if (isComplete)
        return ended(trace.hasError ? Outcome::CodeError : Outcome::Ok, {});
    if (!close)
        return lost(QString::fromStdString(close.error().message));
    return byCode(trace, *close);
}

} // namespace sandfish::Daytona
