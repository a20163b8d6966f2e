// How contexts of a sandbox are made, begin with what is ready for them, and go.
#include "core/engine/localsandbox.h"

#include <algorithm>

namespace sandfish {
namespace {

constexpr std::size_t kMaxContexts = 64;
// The first cell of the new context goes before the next spare.
constexpr std::chrono::seconds kSpareDelay(1);

Error tooManyContexts()
{
    return {Error::Kind::RateLimited,
        "The sandbox has " + std::to_string(kMaxContexts)
            + " contexts, which is the most it can have. Delete one that is no longer needed."};
}

} // namespace

void LocalSandbox::createContext(
    Language language, const std::string &cwd, std::function<void(Result<ContextPtr>)> done)
{
    const Result<std::vector<std::string>> interpreter = runnerArguments(language, m_facts.interpreters, "");
    if (!interpreter) {
        done(interpreter.error());
        return;
    }
    if (!m_process) {
        done(stateError());
        return;
    }
    if (m_contexts.size() >= kMaxContexts) {
        done(tooManyContexts());
        return;
    }
    m_process->link().isDirectory(
        insidePath(cwd), [this, alive = m_isAlive, language, cwd, done = std::move(done)](const Result<Json> &answer) {
            if (!*alive || !answer || m_state == SandboxState::Stopping || m_state == SandboxState::Gone) {
                done(Error{Error::Kind::NotFound, "The sandbox has ended."});
                return;
            }
            if (*answer != Json(true)) {
                done(
                    Error{Error::Kind::BadRequest, "The working directory " + cwd + " does not exist in the sandbox."});
                return;
            }
            if (m_contexts.size() >= kMaxContexts) {
                done(tooManyContexts());
                return;
            }
            const ContextPtr context = addContext(language, cwd);
            warmUp(context);
            done(context);
        });
}

// The default context of Python has a runner ready that may never be asked for: it serves as the spare of all others.
void LocalSandbox::warmUp(const ContextPtr &context)
{
    if (context->language() == Language::JavaScript) {
        m_nodeSpares.supply(*context);
        return;
    }
    const ContextPtr spare = findContext(m_defaults[context->language()]);
    // What a zygote has loaded is worth more than a start that has begun.
    const bool hasZygote = context->language() == Language::Python && m_zygote.take();
    if (spare && !hasZygote && context->takeRunner(*spare)) {
        m_clock.start(kSpareDelay, [weak = std::weak_ptr(spare)] {
            if (const ContextPtr strong = weak.lock())
                strong->warmUp();
        });
    }
    context->warmUp();
}

void LocalSandbox::branchContext(
    const KernelContext &context, const Checkpoint &checkpoint, std::function<void(Result<ContextPtr>)> done)
{
    if (m_contexts.size() >= kMaxContexts) {
        done(tooManyContexts());
        return;
    }
    const ContextPtr branch = addContext(context.language(), context.info().cwd);
    branch->beginAt(context, checkpoint,
        [this, alive = m_isAlive, weak = std::weak_ptr(branch), done = std::move(done)](const Result<> &result) {
            const ContextPtr made = weak.lock();
            if (result && made)
                done(made);
            else
                done(result ? Error{Error::Kind::NotFound, "The sandbox has ended."} : result.error());
            if (!result && made && *alive)
                removeContext(made);
        });
}

// The newest state of each context stays: it is what a cell that uses up the memory can be undone with.
void LocalSandbox::giveUpStates()
{
    for (const ContextPtr &context : m_contexts)
        context->checkpoints().keepNewest(1);
}

void LocalSandbox::removeContext(const ContextPtr &context)
{
    context->shutDown("The context was deleted.");
    m_contexts.erase(std::remove(m_contexts.begin(), m_contexts.end(), context), m_contexts.end());
    // Its runner's call-backs may still be on the stack.
    m_loop.post([context] {});
}

} // namespace sandfish
