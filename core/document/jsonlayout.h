#pragma once

#include "core/base/json.h"

#include <QStringView>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sandfish {

struct JsonMember;

/// How a notebook file is laid out, so that new parts look like their surroundings. Defaults: as Jupyter writes.
///
/// Text is UTF-8 in which a lone surrogate may stand as its three bytes; it is written as a `\ud800` escape.
struct JsonLayout
{
    std::string indent = " ";
    std::string newline = "\n"; ///< empty: all on one line
    std::string colon = ": ";
    std::string comma = ", "; ///< between members on one line
    bool escapesNonAscii = false;

    /// From the bytes of the whole file's top-level object. Cost: at most two passes at memory speed.
    static JsonLayout detect(std::string_view object, const std::vector<JsonMember> &members);

    /// What stands before a member or element at \a depth; empty on one line.
    std::string lineStart(int depth) const;
    /// What stands between two members or elements at \a depth.
    std::string separator(int depth) const;

    void appendString(std::string_view text, std::string &out) const;
    /// \a depth: how many containers the value is in.
    void appendValue(const Json &value, int depth, std::string &out) const;
    /// Appends \a text as a list of its lines, as nbformat keeps multiline strings.
    void appendMultiline(std::string_view text, int depth, std::string &out) const;
    /// Appends a container of texts that are JSON already.
    void appendArray(const std::vector<std::string> &elements, int depth, std::string &out) const;
    void appendObject(
        const std::vector<std::pair<std::string, std::string>> &members, int depth, std::string &out) const;
};

/// Cuts as Python's splitlines(keepends=True): what nbformat does to a multiline string.
std::vector<std::string_view> pythonLines(std::string_view text);
/// UTF-8; a lone surrogate becomes its three bytes.
std::string utf8WithSurrogates(QStringView text);

/// A change of one member of an object; no value: the member goes.
struct JsonEdit
{
    std::string key;
    std::optional<std::string> value; ///< JSON, laid out for its depth
};

/// The text of \a object after the edits; everything else keeps its bytes. \a depth: how many containers it is in.
std::string patchedObject(
    std::string_view object, const std::vector<JsonEdit> &edits, const JsonLayout &layout, int depth);

} // namespace sandfish
