#include "tests/support/scriptedlook.h"

#include <utility>

namespace sandfish::test {

void ScriptedLook::release()
{
    isHeld = false;
    for (const auto &finish : std::exchange(m_held, {}))
        finish();
}

} // namespace sandfish::test
