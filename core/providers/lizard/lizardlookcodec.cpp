#include "core/providers/lizard/lizardlook.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <utility>

namespace sandfish::Lizard {
namespace {

using namespace std::string_view_literals;
using Kind = ValuePage::Kind;

constexpr std::array kKinds{
    std::pair{Kind::Table, "table"sv},
    std::pair{Kind::Array, "array"sv},
    std::pair{Kind::List, "list"sv},
    std::pair{Kind::Dict, "dict"sv},
    std::pair{Kind::Object, "object"sv},
    std::pair{Kind::Text, "text"sv},
};

Error misunderstood()
{
    return {Error::Kind::Protocol,
        QCoreApplication::translate("sandfish::Lizard", "The answer of the context cannot be understood. Try again.")
            .toStdString(),
        {}};
}

const Json &listOr(const Json &object, std::string_view key, const Json &fallback)
{
    const Json &member = memberOrNull(object, key);
    return member.is_array() ? member : fallback;
}

// Texts as they are, numbers as JSON writes them.
std::string textOf(const Json &value)
{
    return value.is_string() ? value.get<std::string>() : dumpJson(value);
}

std::vector<std::int64_t> numbersFrom(const Json &list)
{
    std::vector<std::int64_t> numbers;
    for (const Json &item : list) {
        if (item.is_number_integer())
            numbers.push_back(item.get<std::int64_t>());
    }
    return numbers;
}

VariableInfo variableFrom(const Json &entry)
{
    VariableInfo info;
    info.name = stringOr(entry, "name", "");
    info.type = stringOr(entry, "type", "");
    if (const Json &size = memberOrNull(entry, "size"); size.is_number_integer() && size.get<std::int64_t>() >= 0)
        info.sizeBytes = size.get<std::int64_t>();
    if (const Json &value = memberOrNull(entry, "value"); value.is_string())
        info.value = value.get<std::string>();
    if (const Json &shape = memberOrNull(entry, "shape"); shape.is_array())
        info.shape = numbersFrom(shape);
    return info;
}

std::vector<std::vector<std::string>> rowsFrom(const Json &list)
{
    std::vector<std::vector<std::string>> rows;
    rows.reserve(list.size());
    for (const Json &item : list) {
        std::vector<std::string> row;
        for (const Json &cell : item.is_array() ? item : Json::array())
            row.push_back(textOf(cell));
        rows.push_back(std::move(row)); // also an empty one: the place of a row says which it is
    }
    return rows;
}

} // namespace

std::string variablesBody(const VariablesQuery &query)
{
    return dumpJson({{"limit", query.limit}, {"budget_ms", query.budgetMs}});
}

std::string valueBody(const ValueQuery &query)
{
    return dumpJson(
        {{"name", query.name}, {"offset", query.offset}, {"limit", query.limit}, {"budget_ms", query.budgetMs}});
}

std::string placeBody(const CodePlace &place)
{
    return dumpJson({{"code", place.code}, {"pos", place.position}, {"detail", 0}});
}

Result<VariableList> parseVariables(const Json &answer)
{
    if (!memberOrNull(answer, "vars").is_array())
        return misunderstood();
    VariableList list;
    for (const Json &entry : memberOrNull(answer, "vars")) {
        VariableInfo info = variableFrom(entry);
        if (!info.name.empty())
            list.variables.push_back(std::move(info));
    }
    list.total = std::max(integerOr(answer, "total", 0), static_cast<std::int64_t>(list.variables.size()));
    return list;
}

Result<ValuePage> parseValue(const Json &answer)
{
    static const Json kEmpty = Json::array();
    const std::string word = stringOr(answer, "kind", "");
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(), [&](const auto &row) { return row.second == word; });
    if (kind == kKinds.end())
        return misunderstood();
    ValuePage page;
    page.kind = kind->first;
    page.type = stringOr(answer, "type", "");
    page.offset = std::max<std::int64_t>(0, integerOr(answer, "offset", 0));
    page.total = std::max<std::int64_t>(0, integerOr(answer, "total", 0));
    page.shape = numbersFrom(listOr(answer, "shape", kEmpty));
    for (const Json &column : listOr(answer, "columns", kEmpty))
        page.columns.push_back({stringOr(column, "name", ""), stringOr(column, "type", "")});
    page.rows = rowsFrom(listOr(answer, "rows", kEmpty));
    page.text = stringOr(answer, "text", "");
    return page;
}

Result<CompletionList> parseCompletions(const Json &answer)
{
    if (!memberOrNull(answer, "matches").is_array())
        return misunderstood();
    CompletionList list;
    for (const Json &match : memberOrNull(answer, "matches")) {
        CompletionMatch entry{stringOr(match, "text", ""), stringOr(match, "type", "")};
        if (!entry.text.empty())
            list.matches.push_back(std::move(entry));
    }
    list.start = integerOr(answer, "start", 0);
    list.end = integerOr(answer, "end", 0);
    return list;
}

Result<Inspection> parseInspection(const Json &answer)
{
    if (!answer.is_object())
        return misunderstood();
    Inspection found;
    found.isFound = boolOr(answer, "found", false);
    found.name = stringOr(answer, "name", "");
    found.type = stringOr(answer, "type", "");
    found.signature = stringOr(answer, "signature", "");
    found.value = stringOr(answer, "value", "");
    found.doc = stringOr(answer, "doc", "");
    return found;
}

} // namespace sandfish::Lizard
