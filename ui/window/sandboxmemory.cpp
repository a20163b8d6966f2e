#include "ui/window/sandboxmemory.h"

#include "core/support/settings.h"

#include <QStringList>

using namespace Qt::StringLiterals;

namespace sandfish {
namespace {

constexpr qsizetype kMostNotebooks = 200;

// "provider access sandbox path": only the last may hold blanks.
constexpr qsizetype kFields = 4;

bool isOf(const QString &line, const QString &path)
{
    return line.section(u' ', kFields - 1) == path;
}

} // namespace

SandboxMemory::SandboxMemory(Settings *settings)
    : m_settings(settings)
{
}

std::optional<SandboxMemory::Entry> SandboxMemory::find(const QString &path) const
{
    const QStringList lines = m_settings->get<QStringList>(Settings::Key::NotebookSandboxes);
    for (const QString &line : lines) {
        if (!isOf(line, path))
            continue;
        const int access = line.section(u' ', 1, 1).toInt();
        if (access < 0 || access > int(NotebookSession::FolderAccess::None))
            return std::nullopt;
        return Entry{line.section(u' ', 0, 0), SandboxId{line.section(u' ', 2, 2).toStdString()},
            NotebookSession::FolderAccess(access)};
    }
    return std::nullopt;
}

void SandboxMemory::remember(const QString &path, const Entry &entry)
{
    if (find(path) == entry)
        return;
    QStringList lines = m_settings->get<QStringList>(Settings::Key::NotebookSandboxes);
    lines.removeIf([&](const QString &line) { return isOf(line, path); });
    lines.prepend(u"%1 %2 %3 %4"_s.arg(
        entry.provider, QString::number(int(entry.access)), QString::fromStdString(entry.sandbox.value), path));
    m_settings->set(Settings::Key::NotebookSandboxes, lines.first(std::min(lines.size(), kMostNotebooks)));
}

void SandboxMemory::forget(const QString &path)
{
    QStringList lines = m_settings->get<QStringList>(Settings::Key::NotebookSandboxes);
    if (lines.removeIf([&](const QString &line) { return isOf(line, path); }) > 0)
        m_settings->set(Settings::Key::NotebookSandboxes, lines);
}

} // namespace sandfish
