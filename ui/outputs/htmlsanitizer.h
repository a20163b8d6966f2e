#pragma once

#include "ui/outputs/htmltokens.h"

#include <QString>

namespace sandfish {

/// HTML for QTextDocument with an allow-list of tags and attributes: text, lists, tables, links and pictures inside the
/// file. No script, style sheet, form, frame, event handler, remote or local address. Nesting beyond 60 is flattened
/// and the whole cut after 20,000 tags, since the layout of nested tables is recursive and slow. Cost: O(tokens).
QString sanitizedHtml(const std::vector<HtmlToken> &tokens);

/// True for http and https addresses: all that a link of an output may be.
bool isAllowedLink(const QString &address);

} // namespace sandfish
