#pragma once

#include "core/document/notebookdocument.h"

#include <QUndoStack>

#include <memory>

namespace sandfish::test {

/// A saved notebook with one code cell for each letter.
inline std::unique_ptr<NotebookDocument> letters(const QString &names)
{
    auto document = std::make_unique<NotebookDocument>();
    document->removeCells(0, 1);
    for (const QChar name : names)
        document->insertCell(document->cellCount(), Cell::Type::Code, name);
    document->undoStack()->clear();
    document->markSaved();
    return document;
}

/// Text on standard output.
inline StreamText out(const char *text)
{
    return StreamText{StreamText::Channel::Stdout, text, false};
}

/// The text of one output.
inline QByteArray streamText(const Cell &cell, std::size_t index)
{
    return QByteArray::fromStdString(cell.outputs.at(index).text->toUtf8());
}

} // namespace sandfish::test
