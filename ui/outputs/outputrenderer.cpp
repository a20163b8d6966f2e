#include "ui/outputs/outputrenderer.h"

#include "ui/outputs/chipoutput.h"
#include "ui/outputs/erroroutput.h"
#include "ui/outputs/imageoutput.h"
#include "ui/outputs/jsonoutput.h"
#include "ui/outputs/richtextoutput.h"
#include "ui/outputs/svgoutput.h"
#include "ui/outputs/textoutput.h"

#include <algorithm>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

class PlainTextRenderer : public OutputRenderer
{
public:
    // Types that have no renderer of their own are shown as the text they are.
    QStringList mimeTypes() const override
    {
        return {u"text/plain"_s, u"text/latex"_s, u"text/csv"_s, u"text/tab-separated-values"_s, u"text/x-python"_s,
            u"text/yaml"_s, u"text/xml"_s};
    }
    std::unique_ptr<OutputItem> createItem(
        const Output &output, std::string_view mimeType, const RenderStyle &style) const override
    {
        return std::make_unique<TextOutput>(std::string(output.data.text(mimeType)), output.serial, style);
    }
};

bool isActive(std::string_view type)
{
    return type == "text/html" || type == "image/svg+xml" || type.find("javascript") != std::string_view::npos;
}

} // namespace

struct OutputRendererRegistry::Private
{
    struct Entry
    {
        std::unique_ptr<OutputRenderer> renderer;
        int priority;
    };
    struct Match
    {
        const OutputRenderer *renderer = nullptr;
        std::string type;
        int rank = 0;
    };

    /// What can show something of \a bundle, best first.
    std::vector<Match> matches(const MimeBundle &bundle, bool isTrusted) const
    {
        std::vector<Match> found;
        for (const Entry &entry : entries) {
            const QStringList types = entry.renderer->mimeTypes();
            for (qsizetype i = 0; i < types.size(); ++i) {
                std::string type = types[i].toStdString();
                if (bundle.contains(type) && (isTrusted || !isActive(type)))
                    found.push_back({entry.renderer.get(), std::move(type), entry.priority});
            }
        }
        std::stable_sort(found.begin(), found.end(), [](const Match &a, const Match &b) { return a.rank > b.rank; });
        return found;
    }

    std::vector<Entry> entries;
};

OutputRendererRegistry::OutputRendererRegistry()
    : d(std::make_unique<Private>())
{
}

OutputRendererRegistry::~OutputRendererRegistry() = default;

std::unique_ptr<OutputRendererRegistry> OutputRendererRegistry::withDefaults()
{
    auto registry = std::make_unique<OutputRendererRegistry>();
    registry->add(std::make_unique<HtmlRenderer>(), 60);
    registry->add(std::make_unique<MarkdownRenderer>(), 55);
    registry->add(std::make_unique<ImageRenderer>(), 52);
    registry->add(std::make_unique<SvgRenderer>(), 50);
    registry->add(std::make_unique<PlainTextRenderer>(), 30);
    registry->add(std::make_unique<JsonRenderer>(), 20);
    return registry;
}

void OutputRendererRegistry::add(std::unique_ptr<OutputRenderer> renderer, int priority)
{
    d->entries.push_back({std::move(renderer), priority});
}

std::string OutputRendererRegistry::bestMimeType(const MimeBundle &bundle, bool isTrusted) const
{
    const std::vector<Private::Match> matches = d->matches(bundle, isTrusted);
    return matches.empty() ? std::string() : matches.front().type;
}

std::unique_ptr<OutputItem> OutputRendererRegistry::createItem(
    const Output &output, const RenderStyle &style, bool isTrusted) const
{
    if (output.kind == Output::Kind::Stream)
        return std::make_unique<TextOutput>(output, style);
    if (output.kind == Output::Kind::Error)
        return std::make_unique<ErrorItem>(output, style);
    for (const Private::Match &match : d->matches(output.data, isTrusted)) {
        std::unique_ptr<OutputItem> item = match.renderer->createItem(output, match.type, style);
        if (item)
            return item;
    }
    return makeChip(output, style, isTrusted);
}

} // namespace sandfish
