#pragma once

#include <QList>
#include <QString>
#include <QStringView>

#include <utility>
#include <vector>

namespace sandfish {

/// A piece of HTML: a tag or the text between two.
struct HtmlToken
{
    enum class Kind
    {
        Text, ///< \ref text with its entities as they are
        Open, ///< \ref name in lower case, \ref attributes
        Close ///< \ref name
    };
    Kind kind = Kind::Text;
    QString text;
    QString name;
    std::vector<std::pair<QString, QString>> attributes; ///< names in lower case, values without quotes
    bool isSelfClosed = false;

    QString attribute(QStringView attributeName) const;
};

/// Cuts HTML into tokens. Comments, declarations and the content of script, style, template, noscript, iframe, object,
/// svg and math are left out. Reads tag soup: never fails, one pass, O(size).
std::vector<HtmlToken> htmlTokens(const QString &html);

/// Text with the common named and all numeric entities replaced.
QString decodedEntities(const QString &text);

} // namespace sandfish
