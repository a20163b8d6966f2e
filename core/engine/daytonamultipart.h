#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

/// One part of a `multipart/form-data` body.
struct MultipartPart
{
    std::string name;
    std::string fileName;   ///< empty: none
    std::string_view bytes; ///< into the body
};

/// The parts of \a body, in order; at most 10000. Kind::BadRequest when it is no such body, or is cut short.
Result<std::vector<MultipartPart>> parseMultipart(std::string_view body, std::string_view contentType);

/// Writes such a body. The names of files may hold any UTF-8.
class MultipartWriter
{
public:
    explicit MultipartWriter(std::string boundary)
        : m_boundary(std::move(boundary))
    {
    }

    void add(std::string_view name, std::string_view fileName, std::string_view contentType, std::string_view bytes);
    /// The whole body; once.
    std::string take();
    std::string contentType() const { return "multipart/form-data; boundary=" + m_boundary; }
    std::size_t size() const { return m_body.size(); }

private:
    std::string m_boundary;
    std::string m_body;
};

} // namespace sandfish
