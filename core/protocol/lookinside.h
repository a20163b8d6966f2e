#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sandfish {

/// One variable of a context, as a list of all shows it.
struct VariableInfo
{
    std::string name;
    std::string type;                               ///< empty: there was no time to look at it
    std::optional<std::int64_t> sizeBytes;          ///< of the object itself, not of what it refers to
    std::optional<std::string> value;               ///< short text; nothing: making it took longer than its time
    std::optional<std::vector<std::int64_t>> shape; ///< rows, columns, …; elements of a container

    bool operator==(const VariableInfo &) const = default;
};

struct VariableList
{
    std::vector<VariableInfo> variables; ///< in the order in which the context made them
    std::int64_t total = 0;              ///< there may be more than are listed

    bool operator==(const VariableList &) const = default;
};

/// What a call may ask about all variables.
struct VariablesQuery
{
    int limit = 500;   ///< of variables listed
    int budgetMs = 40; ///< for all values together; a cell that is run meanwhile waits for no more than this
};

/// One page of one value: some rows of a table, or some characters of a text.
struct ValuePage
{
    enum class Kind
    {
        Table,  ///< columns, rows of cells
        Array,  ///< rows of cells, shape
        List,   ///< rows of index, type, value
        Dict,   ///< rows of key, type, value
        Object, ///< rows of attribute, type, value
        Text,
    };
    struct Column
    {
        std::string name;
        std::string type;
        bool operator==(const Column &) const = default;
    };

    Kind kind = Kind::Text;
    std::string type;        ///< of the variable
    std::int64_t offset = 0; ///< of the first row or character
    std::int64_t total = 0;  ///< rows or characters of the whole value
    std::vector<Column> columns;
    std::vector<std::int64_t> shape;
    std::vector<std::vector<std::string>> rows;
    std::string text;

    bool operator==(const ValuePage &) const = default;
};

struct ValueQuery
{
    std::string name;
    std::int64_t offset = 0; ///< rows; of a text characters
    int limit = 100;
    int budgetMs = 500;
};

/// A place in code that is being written. Positions count code points, as on the wire.
struct CodePlace
{
    std::string code; ///< UTF-8
    std::int64_t position = 0;
};

struct CompletionMatch
{
    std::string text;
    std::string kind; ///< such as "function", "module", "keyword"; the context's own word

    bool operator==(const CompletionMatch &) const = default;
};

/// What may stand in place of the code points from start to end.
struct CompletionList
{
    std::vector<CompletionMatch> matches;
    std::int64_t start = 0;
    std::int64_t end = 0;

    bool operator==(const CompletionList &) const = default;
};

/// What is known about the object at a place. Members that are not known are empty.
struct Inspection
{
    bool isFound = false;
    std::string name;
    std::string type;
    std::string signature; ///< of what can be called
    std::string value;     ///< short text
    std::string doc;

    bool operator==(const Inspection &) const = default;
};

} // namespace sandfish
