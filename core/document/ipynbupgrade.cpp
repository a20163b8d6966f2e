#include "core/document/ipynbupgrade.h"

#include "core/document/jsonlayout.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace sandfish {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kMimeTypes{{{"text", "text/plain"},
    {"html", "text/html"}, {"svg", "image/svg+xml"}, {"png", "image/png"}, {"jpeg", "image/jpeg"},
    {"latex", "text/latex"}, {"json", "application/json"}, {"javascript", "application/javascript"}}};

std::string joined(const Json &value)
{
    if (value.is_string())
        return value.get<std::string>();
    std::string text;
    if (value.is_array())
        for (const Json &part : value)
            text += part.is_string() ? part.get<std::string>() : std::string();
    return text;
}

Json linesOf(const std::string &text)
{
    Json lines = Json::array();
    for (const std::string_view line : pythonLines(text))
        lines.push_back(line);
    return lines;
}

Json objectOr(const Json &parent, std::string_view key)
{
    const Json &value = memberOrNull(parent, key);
    return value.is_object() ? value : Json::object();
}

Json upgradedMimeKeys(const Json &old)
{
    Json data = Json::object();
    for (const auto &[key, type] : kMimeTypes) {
        const Json &value = memberOrNull(old, key);
        if (value.is_null())
            continue;
        if (key == "json") {
            Json parsed = value.is_object() ? value : Json::parse(joined(value), nullptr, false);
            data[std::string(type)] = parsed.is_discarded() ? value : parsed;
        } else {
            data[std::string(type)] = value.is_object() || value.is_string() ? value : Json(linesOf(joined(value)));
        }
    }
    return data;
}

Json upgradedOutput(const Json &old)
{
    const std::string type = stringOr(old, "output_type", "");
    if (type == "stream")
        return {{"output_type", "stream"}, {"name", stringOr(old, "stream", "stdout")},
            {"text", linesOf(joined(memberOrNull(old, "text")))}};
    if (type == "pyerr")
        return {{"output_type", "error"}, {"ename", stringOr(old, "ename", "")},
            {"evalue", stringOr(old, "evalue", "")},
            {"traceback", memberOrNull(old, "traceback").is_array() ? old["traceback"] : Json::array()}};
    if (type != "pyout" && type != "display_data")
        return old;
    Json output{{"output_type", type == "pyout" ? "execute_result" : "display_data"}, {"data", upgradedMimeKeys(old)},
        {"metadata", upgradedMimeKeys(objectOr(old, "metadata"))}};
    if (type == "pyout")
        output["execution_count"] = memberOrNull(old, "prompt_number");
    return output;
}

Json upgradedCode(const Json &old)
{
    Json metadata = objectOr(old, "metadata");
    metadata.erase("name");
    if (memberOrNull(old, "collapsed").is_boolean())
        metadata["collapsed"] = old["collapsed"];
    Json outputs = Json::array();
    if (memberOrNull(old, "outputs").is_array())
        for (const Json &output : old["outputs"])
            outputs.push_back(upgradedOutput(output));
    return {{"cell_type", "code"}, {"execution_count", memberOrNull(old, "prompt_number")}, {"metadata", metadata},
        {"outputs", outputs}, {"source", linesOf(joined(memberOrNull(old, "input")))}};
}

std::string headingText(const Json &old)
{
    std::string text = joined(memberOrNull(old, "source"));
    std::replace(text.begin(), text.end(), '\n', ' ');
    const auto level = std::clamp<std::int64_t>(integerOr(old, "level", 1), 1, 6);
    return std::string(static_cast<std::size_t>(level), '#') + " " + text;
}

Json upgradedCell(const Json &old)
{
    const std::string type = stringOr(old, "cell_type", "code");
    if (type == "code")
        return upgradedCode(old);
    Json metadata = objectOr(old, "metadata");
    metadata.erase("name");
    const std::string text = type == "heading" ? headingText(old) : joined(memberOrNull(old, "source"));
    return {{"cell_type", type == "raw" ? "raw" : "markdown"}, {"metadata", metadata}, {"source", linesOf(text)}};
}

} // namespace

std::string upgradedNotebook(const Json &old)
{
    Json cells = Json::array();
    const Json &sheets = memberOrNull(old, "worksheets");
    if (sheets.is_array())
        for (const Json &sheet : sheets)
            if (memberOrNull(sheet, "cells").is_array())
                for (const Json &cell : sheet["cells"])
                    cells.push_back(upgradedCell(cell));
    Json metadata = objectOr(old, "metadata");
    metadata.erase("name");
    metadata.erase("signature");
    std::string text;
    JsonLayout().appendValue(
        {{"cells", cells}, {"metadata", metadata}, {"nbformat", 4}, {"nbformat_minor", 0}}, 0, text);
    return text + "\n";
}

} // namespace sandfish
