#include "ui/text/codehighlighter.h"
#include "ui/text/syntaxrepository.h"

#include <KSyntaxHighlighting/AbstractHighlighter>
#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/State>
#include <KSyntaxHighlighting/Theme>

#include <QSet>

#include <algorithm>
#include <optional>

using namespace Qt::StringLiterals;
using KSyntaxHighlighting::Format;
using KSyntaxHighlighting::State;
using KshStyle = KSyntaxHighlighting::Theme::TextStyle;

namespace sandfish {
namespace {

constexpr qsizetype kMaxLineLength = 4096;

std::optional<SyntaxStyle> styleOf(KshStyle style)
{
    using Ksh = KSyntaxHighlighting::Theme;
    switch (style) {
    case Ksh::Keyword:
    case Ksh::ControlFlow:
    case Ksh::Import:
    case Ksh::Preprocessor:
        return SyntaxStyle::Keyword;
    case Ksh::Function:
    case Ksh::BuiltIn:
    case Ksh::Extension:
    case Ksh::Attribute:
        return SyntaxStyle::Function;
    case Ksh::Char:
    case Ksh::SpecialChar:
    case Ksh::String:
    case Ksh::VerbatimString:
    case Ksh::SpecialString:
        return SyntaxStyle::String;
    case Ksh::DecVal:
    case Ksh::BaseN:
    case Ksh::Float:
    case Ksh::Constant:
        return SyntaxStyle::Number;
    case Ksh::Comment:
    case Ksh::Documentation:
    case Ksh::Annotation:
    case Ksh::CommentVar:
    case Ksh::RegionMarker:
    case Ksh::Information:
    case Ksh::Alert:
    case Ksh::Warning:
        return SyntaxStyle::Comment;
    default:
        return std::nullopt;
    }
}

bool isWordCharacter(QChar c)
{
    return c.isLetterOrNumber() || c == u'_';
}

} // namespace

struct SyntaxState::Data
{
    State state;
};

SyntaxState::SyntaxState() = default;
SyntaxState::~SyntaxState() = default;
SyntaxState::SyntaxState(const SyntaxState &other) = default;
SyntaxState &SyntaxState::operator=(const SyntaxState &other) = default;

bool SyntaxState::operator==(const SyntaxState &other) const
{
    if (d == other.d)
        return true;
    return (d ? d->state : State()) == (other.d ? other.d->state : State());
}

class LineHighlighter::Engine : public KSyntaxHighlighting::AbstractHighlighter
{
public:
    State run(QStringView text, const State &state, std::vector<SyntaxSpan> &spans)
    {
        m_spans = &spans;
        State next = highlightLine(text, state);
        m_spans = nullptr;
        if (marksCalls())
            addCalls(text, spans);
        return next;
    }

    void applyFormat(int offset, int length, const Format &format) override
    {
        const std::optional<SyntaxStyle> style = length > 0 ? mapped(format) : std::nullopt;
        if (!style)
            return;
        std::vector<SyntaxSpan> &spans = *m_spans;
        if (!spans.empty() && spans.back().style == *style && spans.back().start + spans.back().length == offset)
            spans.back().length += length;
        else
            spans.push_back({offset, length, *style});
    }

private:
    std::optional<SyntaxStyle> mapped(const Format &format) const
    {
        if (definition().name() == "Markdown"_L1) {
            const QString name = format.name();
            if (name.startsWith("Header"_L1))
                return SyntaxStyle::Heading;
            if (name.startsWith("Strong"_L1) || name.startsWith("Bold"_L1))
                return SyntaxStyle::Strong;
            if (name.startsWith("Emphasis"_L1) || name.startsWith("Italic"_L1))
                return SyntaxStyle::Emphasis;
        }
        return styleOf(format.textStyle());
    }

    bool marksCalls() const
    {
        static const QSet<QString> languages{u"Python"_s, u"JavaScript"_s, u"TypeScript"_s, u"R Script"_s, u"Julia"_s,
            u"C"_s, u"C++"_s, u"Java"_s, u"Go"_s, u"Rust"_s};
        return languages.contains(definition().name());
    }

    // The definitions mark built-in names only; the design colours every call.
    static void addCalls(QStringView text, std::vector<SyntaxSpan> &spans)
    {
        std::vector<SyntaxSpan> calls;
        for (qsizetype at = text.indexOf(u'('); at >= 0; at = text.indexOf(u'(', at + 1)) {
            qsizetype start = at;
            while (start > 0 && isWordCharacter(text[start - 1]))
                --start;
            if (start == at || text[start].isDigit())
                continue;
            const auto overlaps = [&](const SyntaxSpan &span) {
                return span.start < at && span.start + span.length > start;
            };
            if (std::none_of(spans.begin(), spans.end(), overlaps))
                calls.push_back({static_cast<int>(start), static_cast<int>(at - start), SyntaxStyle::Function});
        }
        spans.insert(spans.end(), calls.begin(), calls.end());
        std::sort(spans.begin(), spans.end(), [](const auto &a, const auto &b) { return a.start < b.start; });
    }

    std::vector<SyntaxSpan> *m_spans = nullptr;
};

LineHighlighter::LineHighlighter(const QString &language)
    : m_language(language)
{
    load();
}

LineHighlighter::~LineHighlighter() = default;
LineHighlighter::LineHighlighter(LineHighlighter &&) noexcept = default;
LineHighlighter &LineHighlighter::operator=(LineHighlighter &&) noexcept = default;

bool LineHighlighter::isLoaded() const
{
    return SyntaxRepository::instance().isReady();
}

void LineHighlighter::load()
{
    if (m_engine || !isLoaded())
        return;
    m_engine = std::make_unique<Engine>();
    m_engine->setDefinition(SyntaxRepository::instance().definition(m_language));
}

LineHighlighter::Line LineHighlighter::highlight(QStringView text, const SyntaxState &state)
{
    load();
    Line line;
    if (!m_engine || !m_engine->definition().isValid() || text.size() > kMaxLineLength) {
        line.state = state;
        return line;
    }
    auto data = std::make_shared<SyntaxState::Data>();
    data->state = m_engine->run(text, state.d ? state.d->state : State(), line.spans);
    line.state.d = std::move(data);
    return line;
}

} // namespace sandfish
