#include "core/document/ipynbwriter.h"

#include "core/document/cellsnapshot.h"

namespace sandfish {
namespace {

constexpr int kDepthOfCells = 2;

// The blanks and commas around the cells of the file.
struct Gaps
{
    std::string lead;
    std::string separator;
    std::string tail;
};

Gaps gapsOf(const NotebookFrame &frame)
{
    if (frame.cellRun.isEmpty())
        return {frame.layout.lineStart(kDepthOfCells), frame.layout.separator(kDepthOfCells),
            frame.layout.lineStart(kDepthOfCells - 1)};
    const auto between = [&](std::size_t begin, std::size_t end) {
        return std::string(TextSpan{begin, end - begin}.in(frame.bytes));
    };
    Gaps gaps;
    gaps.lead = between(frame.cells.begin + 1, frame.cellRun.begin);
    gaps.tail = between(frame.cellRun.end(), frame.cells.end() - 1);
    const bool isInline = gaps.lead.find('\n') == std::string::npos;
    gaps.separator = isInline ? frame.layout.comma : "," + gaps.lead;
    return gaps;
}

void appendCells(
    const NotebookFrame &frame, const std::vector<std::shared_ptr<CellRecord>> &records, NotebookImage &image)
{
    const Gaps gaps = gapsOf(frame);
    image.append(TextSpan{frame.cells.begin, 1});
    const CellRecord *before = nullptr;
    for (const auto &record : records) {
        const bool followsAsInFile =
            before && record->filePosition > 0 && before->filePosition + 1 == record->filePosition;
        if (followsAsInFile)
            image.append(TextSpan{before->origin.end(), record->origin.begin - before->origin.end()});
        else
            image.append(before ? gaps.separator : gaps.lead);
        if (record->changes == 0 && !record->origin.isEmpty())
            image.append(record->origin);
        else if ((record->changes & CellRecord::OutputsChanged) && !record->cell.outputs.empty())
            image.append(std::make_shared<CellSnapshot>(*record, frame));
        else
            image.append(cellText(*record, frame));
        before = record.get();
    }
    if (before)
        image.append(gaps.tail);
    image.append(TextSpan{frame.cells.end() - 1, 1});
}

void appendMetadata(const NotebookFrame &frame, NotebookImage &image)
{
    if (!frame.newLanguage) {
        image.append(frame.metadata);
        return;
    }
    std::vector<JsonEdit> edits;
    for (const auto &[key, value] : languageMetadata(*frame.newLanguage)) {
        std::string text;
        frame.layout.appendValue(value, 2, text);
        edits.push_back({key, text});
    }
    image.append(patchedObject(frame.metadata.in(frame.bytes), edits, frame.layout, 1));
}

} // namespace

NotebookImage::NotebookImage(QByteArray source)
    : m_source(std::move(source))
{
}

void NotebookImage::append(const TextSpan &span)
{
    if (span.isEmpty())
        return;
    auto *last = m_pieces.empty() ? nullptr : std::get_if<TextSpan>(&m_pieces.back());
    if (last && last->end() == span.begin)
        last->size += span.size;
    else
        m_pieces.emplace_back(span);
}

void NotebookImage::append(std::string text)
{
    if (text.empty())
        return;
    // What equals the bytes that follow the last part is one with it: the gaps between cells mostly are.
    auto *last = m_pieces.empty() ? nullptr : std::get_if<TextSpan>(&m_pieces.back());
    if (last && TextSpan{last->end(), text.size()}.end() <= static_cast<std::size_t>(m_source.size())
        && TextSpan{last->end(), text.size()}.in(m_source) == text)
        last->size += text.size();
    else
        m_pieces.emplace_back(std::move(text));
}

void NotebookImage::append(std::shared_ptr<const CellSnapshot> cell)
{
    m_pieces.emplace_back(std::move(cell));
}

std::string_view NotebookImage::viewOf(const Piece &piece) const
{
    if (const auto *span = std::get_if<TextSpan>(&piece))
        return span->in(m_source);
    if (const auto *cell = std::get_if<std::shared_ptr<const CellSnapshot>>(&piece))
        return (*cell)->text();
    return std::get<std::string>(piece);
}

qsizetype NotebookImage::sizeBytes() const
{
    std::size_t size = 0;
    visit([&](std::string_view part) { size += part.size(); });
    return static_cast<qsizetype>(size);
}

QByteArray NotebookImage::toBytes() const
{
    if (isSource())
        return m_source;
    QByteArray bytes;
    bytes.reserve(sizeBytes());
    visit([&](std::string_view part) { bytes.append(part.data(), static_cast<qsizetype>(part.size())); });
    return bytes;
}

bool NotebookImage::isSource() const
{
    const auto *span = m_pieces.size() == 1 ? std::get_if<TextSpan>(&m_pieces.front()) : nullptr;
    return span && span->begin == 0 && span->size == static_cast<std::size_t>(m_source.size());
}

NotebookImage notebookImage(const NotebookFrame &frame, const std::vector<std::shared_ptr<CellRecord>> &records)
{
    NotebookImage image(frame.bytes);
    const auto fileSize = static_cast<std::size_t>(frame.bytes.size());
    const bool cellsComeFirst = frame.cells.begin < frame.metadata.begin;
    const TextSpan &first = cellsComeFirst ? frame.cells : frame.metadata;
    const TextSpan &second = cellsComeFirst ? frame.metadata : frame.cells;
    image.append(TextSpan{0, first.begin});
    cellsComeFirst ? appendCells(frame, records, image) : appendMetadata(frame, image);
    image.append(TextSpan{first.end(), second.begin - first.end()});
    cellsComeFirst ? appendMetadata(frame, image) : appendCells(frame, records, image);
    image.append(TextSpan{second.end(), fileSize - second.end()});
    return image;
}

} // namespace sandfish
