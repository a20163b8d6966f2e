#include "ui/notebook/rewindwords.h"

#include <QCoreApplication>
#include <QLocale>

#include <array>

namespace sandfish {

using namespace Qt::StringLiterals;

namespace {

struct Tr
{
    Q_DECLARE_TR_FUNCTIONS(RewindWords)
};

struct Word
{
    const char *reason;
    const char *one;
    const char *many; ///< with %1
};

constexpr std::array kWords{
    Word{"threads", QT_TRANSLATE_NOOP("RewindWords", "1 thread"), QT_TRANSLATE_NOOP("RewindWords", "%1 threads")},
    Word{"sockets", QT_TRANSLATE_NOOP("RewindWords", "1 network connection"),
        QT_TRANSLATE_NOOP("RewindWords", "%1 network connections")},
    Word{"files", QT_TRANSLATE_NOOP("RewindWords", "1 open file"), QT_TRANSLATE_NOOP("RewindWords", "%1 open files")},
    Word{"pipes", QT_TRANSLATE_NOOP("RewindWords", "1 pipe"), QT_TRANSLATE_NOOP("RewindWords", "%1 pipes")},
    Word{"shared", QT_TRANSLATE_NOOP("RewindWords", "1 block of shared memory"),
        QT_TRANSLATE_NOOP("RewindWords", "%1 blocks of shared memory")},
    Word{"tasks", QT_TRANSLATE_NOOP("RewindWords", "1 task of an event loop"),
        QT_TRANSLATE_NOOP("RewindWords", "%1 tasks of an event loop")},
    Word{"children", QT_TRANSLATE_NOOP("RewindWords", "child processes"),
        QT_TRANSLATE_NOOP("RewindWords", "child processes")},
    Word{"gpu", QT_TRANSLATE_NOOP("RewindWords", "the state of the graphics processor"),
        QT_TRANSLATE_NOOP("RewindWords", "the state of the graphics processor")},
};

QString wordsFor(const std::string &reason)
{
    const QString whole = QString::fromStdString(reason);
    const QString name = whole.section(u':', 0, 0);
    const int count = whole.section(u':', 1).toInt();
    for (const Word &word : kWords) {
        if (name != QLatin1String(word.reason))
            continue;
        const QString many = Tr::tr(word.many);
        return count > 1 && many.contains("%1"_L1) ? many.arg(QLocale().toString(count)) : Tr::tr(word.one);
    }
    return whole;
}

} // namespace

QString inexactText(const std::vector<std::string> &reasons)
{
    QStringList words;
    for (const std::string &reason : reasons)
        words.append(wordsFor(reason));
    if (words.size() < 2)
        return words.join(QString());
    const QString last = words.takeLast();
    return Tr::tr("%1 and %2").arg(words.join(", "_L1), last);
}

} // namespace sandfish
