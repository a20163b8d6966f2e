#include "core/engine/daytonamultipart.h"

#include "core/base/utf8.h"
#include "core/engine/httptext.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace sandfish {
namespace {

constexpr std::size_t kMaxParts = 10'000;

Error badMultipart(std::string message)
{
    return {Error::Kind::BadRequest, std::move(message)};
}

/// The value of `; key=value` or `; key="value"`, with \" and \\ taken out; empty if it is not there.
std::string parameterOf(std::string_view header, std::string_view key)
{
    const std::string lower = lowerCase(header);
    for (std::size_t at = lower.find(key); at != std::string::npos; at = lower.find(key, at + 1)) {
        const std::size_t equals = at + key.size();
        const bool isWhole = at > 0 && (lower[at - 1] == ' ' || lower[at - 1] == ';') && equals < lower.size();
        if (!isWhole || lower[equals] != '=')
            continue;
        std::string_view value = header.substr(equals + 1);
        if (value.empty() || value.front() != '"')
            return std::string(value.substr(0, value.find_first_of("; \t")));
        std::string text;
        for (std::size_t i = 1; i < value.size() && value[i] != '"'; ++i) {
            if (value[i] == '\\' && i + 1 < value.size() && (value[i + 1] == '"' || value[i + 1] == '\\'))
                ++i;
            text += value[i];
        }
        return text;
    }
    return {};
}

std::string dispositionOf(std::string_view head)
{
    while (!head.empty()) {
        const std::size_t end = std::min(head.find("\r\n"), head.size());
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + 2, head.size()));
        static constexpr std::string_view kName = "content-disposition:";
        if (lowerCase(line.substr(0, kName.size())) == kName)
            return std::string(line.substr(kName.size()));
    }
    return {};
}

std::string percentEncoded(std::string_view text)
{
    std::string encoded;
    for (const char c : text) {
        char code[4];
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) && byte < 0x80) {
            encoded += c;
        } else {
            std::snprintf(code, sizeof(code), "%%%02X", byte);
            encoded += code;
        }
    }
    return encoded;
}

std::string fileNameParameter(std::string_view name)
{
    if (!isAscii(name))
        return "filename*=UTF-8''" + percentEncoded(name);
    std::string quoted = "filename=\"";
    for (const char c : name) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += c == '\r' || c == '\n' ? ' ' : c;
    }
    return quoted + '"';
}

} // namespace

Result<std::vector<MultipartPart>> parseMultipart(std::string_view body, std::string_view contentType)
{
    const std::string boundary = parameterOf(contentType, "boundary");
    if (!lowerCase(contentType).starts_with("multipart/form-data") || boundary.empty())
        return badMultipart("A multipart/form-data body is expected");
    const std::string delimiter = "\r\n--" + boundary;
    std::vector<MultipartPart> parts;
    // The first delimiter may stand at the very beginning, without its line end.
    const bool isAtStart = body.starts_with(std::string_view(delimiter).substr(2));
    const std::size_t first = isAtStart ? 0 : body.find(delimiter);
    std::size_t at = first == std::string_view::npos ? first : first + delimiter.size() - (isAtStart ? 2 : 0);
    while (at <= body.size()) {
        if (body.substr(at, 2) == "--")
            return parts;
        const std::size_t head = body.find("\r\n", at);
        const std::size_t gap = head == std::string_view::npos ? head : body.find("\r\n\r\n", head);
        const std::size_t end = gap == std::string_view::npos ? gap : body.find(delimiter, gap + 2);
        if (end == std::string_view::npos || parts.size() == kMaxParts)
            break;
        const std::string disposition = dispositionOf(body.substr(head + 2, gap > head ? gap - head - 2 : 0));
        const std::size_t start = std::min(gap + 4, end);
        parts.push_back(
            {parameterOf(disposition, "name"), parameterOf(disposition, "filename"), body.substr(start, end - start)});
        at = end + delimiter.size();
    }
    return badMultipart("The multipart body is cut short, or has too many parts");
}

void MultipartWriter::add(
    std::string_view name, std::string_view fileName, std::string_view contentType, std::string_view bytes)
{
    m_body += "--" + m_boundary + "\r\nContent-Disposition: form-data; name=\"";
    m_body.append(name).append("\"; ").append(fileNameParameter(fileName)).append("\r\nContent-Type: ");
    m_body.append(contentType).append("\r\nContent-Length: ").append(std::to_string(bytes.size()));
    m_body.append("\r\n\r\n").append(bytes).append("\r\n");
}

std::string MultipartWriter::take()
{
    return std::move(m_body) + "--" + m_boundary + "--\r\n";
}

} // namespace sandfish
