#include "ui/outputs/jsonoutput.h"

#include "ui/outputs/textoutput.h"

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr int kMaxLines = 1000;
constexpr int kMaxDepth = 40;
constexpr std::size_t kMaxStringBytes = 4096;
constexpr auto kEllipsis = "\u2026";

class Printer
{
public:
    explicit Printer(int maxLines)
        : m_linesLeft(maxLines)
    {
    }

    std::string run(const Json &value)
    {
        print(value, 0);
        return std::move(m_out);
    }

private:
    void print(const Json &value, int depth)
    {
        if (value.is_structured() && !value.empty())
            printContainer(value, depth);
        else if (value.is_string() && value.get_ref<const std::string &>().size() > kMaxStringBytes)
            m_out += dumpJson(value.get_ref<const std::string &>().substr(0, kMaxStringBytes)) + kEllipsis;
        else
            m_out += dumpJson(value);
    }

    void printContainer(const Json &value, int depth)
    {
        m_out += value.is_object() ? '{' : '[';
        bool isFirst = true;
        for (const auto &[key, member] : value.items()) {
            if (!isFirst)
                m_out += ',';
            isFirst = false;
            newLine(depth + 1);
            if (m_linesLeft <= 0 || depth >= kMaxDepth) {
                m_out += kEllipsis;
                break;
            }
            if (value.is_object())
                m_out += dumpJson(Json(key)) + ": ";
            print(member, depth + 1);
        }
        newLine(depth);
        m_out += value.is_object() ? '}' : ']';
    }

    void newLine(int depth)
    {
        --m_linesLeft;
        m_out += '\n';
        m_out.append(static_cast<std::size_t>(depth) * 2, ' ');
    }

    std::string m_out;
    int m_linesLeft;
};

} // namespace

std::string indentedJson(const Json &value, int maxLines)
{
    return Printer(maxLines).run(value);
}

QStringList JsonRenderer::mimeTypes() const
{
    return {u"application/json"_s, u"application/geo+json"_s};
}

std::unique_ptr<OutputItem> JsonRenderer::createItem(
    const Output &output, std::string_view mimeType, const RenderStyle &style) const
{
    const Json *value = output.data.find(mimeType);
    return std::make_unique<TextOutput>(value ? indentedJson(*value, kMaxLines) : std::string(), output.serial, style);
}

} // namespace sandfish
