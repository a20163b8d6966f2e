#include "core/engine/httptext.h"

#include "core/engine/httpserver.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <utility>

namespace sandfish {
namespace {

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Takes the first pair off \a query, decoded.
std::pair<std::string, std::string> takePair(std::string_view &query)
{
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    const std::string_view value = equals == std::string_view::npos ? std::string_view() : pair.substr(equals + 1);
    return {percentDecoded(pair.substr(0, equals), true), percentDecoded(value, true)};
}

} // namespace

std::string percentDecoded(std::string_view text, bool plusIsSpace)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        const int high = text[i] == '%' && i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
        const int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
        if (low >= 0) {
            out += static_cast<char>(high * 16 + low);
            i += 2;
        } else {
            out += plusIsSpace && text[i] == '+' ? ' ' : text[i];
        }
    }
    return out;
}

std::map<std::string, std::string> parseQuery(std::string_view query)
{
    std::map<std::string, std::string> values;
    while (!query.empty())
        values.insert(takePair(query));
    return values;
}

std::vector<std::string> queryValues(std::string_view query, std::string_view name)
{
    std::vector<std::string> values;
    while (!query.empty()) {
        auto [found, value] = takePair(query);
        if (found == name)
            values.push_back(std::move(value));
    }
    return values;
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return lower;
}

void appendChunk(std::string_view bytes, std::string &out)
{
    char size[20];
    const int length = std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
    out.append(size, static_cast<std::size_t>(length)).append(bytes).append("\r\n");
}

std::string HttpRequest::header(std::string_view lowerCaseName) const
{
    const auto it = headers.find(std::string(lowerCaseName));
    return it == headers.end() ? std::string() : it->second;
}

} // namespace sandfish
