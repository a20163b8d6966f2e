#include "ui/outputs/svgsanitizer.h"

#include "ui/outputs/svgrules.h"

#include <QCoreApplication>
#include <QHash>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

#include <algorithm>
#include <vector>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qsizetype kMaxBytes = 8 << 20;
constexpr qint64 kMaxElements = 100'000;
constexpr int kMaxDepth = 100;
constexpr auto kSvgNamespace = "http://www.w3.org/2000/svg"_L1;
constexpr auto kXlinkNamespace = "http://www.w3.org/1999/xlink"_L1;

Error svgError(const char *text)
{
    const QString message = QCoreApplication::translate("sandfish::SvgSanitizer", text);
    return {.kind = Error::Kind::Unsupported, .message = message.toStdString(), .detail = {}};
}

/// Counts what a drawing shows, with every use element standing for the element it repeats.
class UseCounter
{
public:
    void enter(const QString &id)
    {
        m_open.push_back(id);
        for (const QString &open : m_open)
            m_own[open] += open.isEmpty() ? 0 : 1;
        ++m_total;
    }
    void leave() { m_open.pop_back(); }
    void use(const QString &id)
    {
        for (const QString &open : m_open) {
            if (!open.isEmpty())
                m_uses[open].push_back(id);
        }
        m_rootUses.push_back(id);
    }
    /// kMaxElements + 1 if it is too much, or if an element shows itself.
    qint64 total() const
    {
        qint64 sum = m_total;
        QHash<QString, qint64> known;
        for (const QString &id : m_rootUses)
            sum = std::min(sum + expanded(id, known, 0), kMaxElements + 1);
        return sum;
    }

private:
    qint64 expanded(const QString &id, QHash<QString, qint64> &known, int depth) const
    {
        const auto it = known.constFind(id);
        if (it != known.cend())
            return *it;
        if (depth > kMaxDepth)
            return kMaxElements + 1;
        known[id] = kMaxElements + 1; // met again while it is open: it shows itself
        qint64 sum = m_own.value(id);
        const std::vector<QString> uses = m_uses.value(id);
        for (const QString &inner : uses)
            sum = std::min(sum + expanded(inner, known, depth + 1), kMaxElements + 1);
        known[id] = sum;
        return sum;
    }

    std::vector<QString> m_open;
    QHash<QString, qint64> m_own;
    QHash<QString, std::vector<QString>> m_uses;
    std::vector<QString> m_rootUses;
    qint64 m_total = 0;
};

class Sanitizer
{
public:
    explicit Sanitizer(const QByteArray &svg)
        : m_reader(svg)
        , m_writer(&m_out.source)
    {
        m_reader.setNamespaceProcessing(true);
    }

    Result<SanitizedSvg> run()
    {
        m_writer.writeStartDocument();
        while (!m_reader.atEnd()) {
            switch (m_reader.readNext()) {
            case QXmlStreamReader::DTD:
                if (!m_reader.entityDeclarations().isEmpty())
                    return svgError("The SVG picture declares entities, which are not read.");
                break;
            case QXmlStreamReader::StartElement:
                startElement();
                break;
            case QXmlStreamReader::EndElement:
                m_writer.writeEndElement();
                m_counter.leave();
                --m_depth;
                break;
            case QXmlStreamReader::Characters:
                m_writer.writeCharacters(m_reader.text().toString());
                break;
            default:
                break;
            }
            if (m_isTooMuch)
                return svgError("The SVG picture is too large to draw.");
        }
        m_writer.writeEndDocument();
        if (m_reader.hasError() || m_out.sizePx.isEmpty())
            return svgError("The SVG picture is damaged or cut off.");
        if (m_counter.total() > kMaxElements)
            return svgError("The SVG picture is too large to draw.");
        return std::move(m_out);
    }

private:
    void startElement()
    {
        const QString name = m_reader.name().toString();
        const bool isRoot = m_depth == 0;
        if (!isRoot && name == "style"_L1) {
            copyStyleSheet();
            return;
        }
        if (isRoot ? name != "svg"_L1 : !isAllowedSvgElement(name)) {
            m_reader.skipCurrentElement();
            return;
        }
        m_counter.enter(m_reader.attributes().value("id"_L1).toString());
        m_isTooMuch = ++m_depth > kMaxDepth || ++m_elements > kMaxElements;
        m_writer.writeStartElement(name);
        if (isRoot) {
            m_writer.writeDefaultNamespace(kSvgNamespace);
            m_writer.writeNamespace(kXlinkNamespace, u"xlink"_s);
            m_out.sizePx = svgSize(m_reader.attributes());
        }
        for (const QXmlStreamAttribute &attribute : m_reader.attributes())
            copyAttribute(name, attribute);
    }

    void copyStyleSheet()
    {
        const QString sheet = m_reader.readElementText(QXmlStreamReader::SkipChildElements);
        if (isAllowedSvgStyleSheet(sheet))
            m_writer.writeTextElement(u"style"_s, sheet);
    }

    void copyAttribute(const QString &element, const QXmlStreamAttribute &attribute)
    {
        const QString name = attribute.name().toString();
        const QString value = attribute.value().toString();
        const bool isLink = name == "href"_L1;
        if (isLink ? !isAllowedSvgLink(element, value) : !isAllowedSvgAttribute(name, value))
            return;
        if (isLink && element == "use"_L1)
            m_counter.use(value.mid(1));
        if (isLink)
            m_writer.writeAttribute(kXlinkNamespace, name, value);
        else
            m_writer.writeAttribute(name, value);
    }

    QXmlStreamReader m_reader;
    SanitizedSvg m_out;
    QXmlStreamWriter m_writer;
    UseCounter m_counter;
    int m_depth = 0;
    qint64 m_elements = 0;
    bool m_isTooMuch = false;
};

} // namespace

Result<SanitizedSvg> sanitizeSvg(const QByteArray &svg)
{
    if (svg.size() > kMaxBytes)
        return svgError("The SVG picture is too large to draw.");
    return Sanitizer(svg).run();
}

QSizeF readSvgSize(const QByteArray &svg)
{
    QXmlStreamReader reader(svg);
    while (!reader.atEnd()) {
        if (reader.readNext() == QXmlStreamReader::StartElement)
            return reader.name() == "svg"_L1 ? svgSize(reader.attributes()) : QSizeF();
    }
    return {};
}

} // namespace sandfish
