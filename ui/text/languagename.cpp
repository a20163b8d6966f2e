#include "ui/text/languagename.h"

#include <QHash>

namespace sandfish {

using namespace Qt::StringLiterals;

QString languageName(const QString &id)
{
    static const QHash<QString, QString> names{{u"javascript"_s, u"JavaScript"_s}, {u"typescript"_s, u"TypeScript"_s},
        {u"sql"_s, u"SQL"_s}, {u"html"_s, u"HTML"_s}, {u"css"_s, u"CSS"_s}, {u"cpp"_s, u"C++"_s}, {u"c++"_s, u"C++"_s},
        {u"csharp"_s, u"C#"_s}};
    const auto known = names.find(id);
    if (known != names.end())
        return *known;
    return id.isEmpty() ? QString() : id.front().toUpper() + id.mid(1);
}

} // namespace sandfish
