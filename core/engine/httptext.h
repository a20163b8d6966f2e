#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

/// \a text with %XX decoded; a '%' without two hex digits stays. The result may hold any byte.
std::string percentDecoded(std::string_view text, bool plusIsSpace);
/// The decoded pairs of a query; of equal names the first counts.
std::map<std::string, std::string> parseQuery(std::string_view query);
/// The decoded values of every pair with this name, in order.
std::vector<std::string> queryValues(std::string_view query, std::string_view name);
/// ASCII letters in lower case.
std::string lowerCase(std::string_view text);

/// Appends one chunk of a chunked body.
void appendChunk(std::string_view bytes, std::string &out);

} // namespace sandfish
