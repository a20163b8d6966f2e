#include "ui/panels/bannerstack.h"

#include "ui/text/themesource.h"

#include <QVBoxLayout>

#include <algorithm>

namespace sandfish {

BannerStack::BannerStack(const ThemeSource *source, QWidget *parent)
    : QWidget(parent)
    , m_source(source)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 10, 22, 6);
    hide();
    connect(source, &ThemeSource::changed, this, &BannerStack::rebuild);
}

void BannerStack::put(const BannerContent &content)
{
    std::erase_if(m_contents, [&](const BannerContent &other) { return other.id == content.id; });
    m_contents.push_back(content);
    std::stable_sort(m_contents.begin(), m_contents.end(),
        [](const BannerContent &a, const BannerContent &b) { return a.severity > b.severity; });
    rebuild();
}

void BannerStack::remove(const QString &id)
{
    const auto removed = std::erase_if(m_contents, [&](const BannerContent &other) { return other.id == id; });
    if (removed > 0)
        rebuild();
}

bool BannerStack::contains(const QString &id) const
{
    return std::any_of(m_contents.begin(), m_contents.end(), [&](const BannerContent &c) { return c.id == id; });
}

BannerContent BannerStack::shown() const
{
    return m_contents.empty() ? BannerContent() : m_contents.front();
}

void BannerStack::rebuild()
{
    if (m_banner) {
        m_banner->hide();
        m_banner->deleteLater();
        m_banner = nullptr;
    }
    setVisible(!m_contents.empty());
    if (m_contents.empty())
        return;
    m_banner = new Banner(m_source, m_contents.front(), count() - 1, this);
    layout()->addWidget(m_banner);
    connect(m_banner, &Banner::nextRequested, this, &BannerStack::showNext);
    connect(m_banner, &Banner::dismissed, this, [this, id = m_contents.front().id] {
        remove(id);
        emit dismissed(id);
    });
}

void BannerStack::showNext()
{
    std::rotate(m_contents.begin(), m_contents.begin() + 1, m_contents.end());
    rebuild();
}

} // namespace sandfish
