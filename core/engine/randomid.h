#pragma once

#include <cstddef>
#include <string>

namespace sandfish {

/// \a byteCount random bytes of the kernel as lower-case hexadecimal digits; fit for secrets.
std::string randomHex(std::size_t byteCount);
/// A random UUID (version 4) in its usual text form.
std::string randomUuid();

} // namespace sandfish
