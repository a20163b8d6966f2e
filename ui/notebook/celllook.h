#pragma once

#include "core/document/cell.h"
#include "ui/text/durationtext.h"
#include "ui/text/theme.h"

#include <QDateTime>
#include <QString>

namespace sandfish {

/// How the user points at a cell, and what the view knows beyond the cell.
struct CellFlags
{
    bool isHovered = false;
    bool isSelected = false;
    bool isCurrent = false;
    bool isEditing = false;
    bool isPaused = false; ///< its sandbox is: what runs stands still
    bool isStale = false;  ///< the source differs from what ran
    QString languageName;  ///< "Python"; shown while editing
    QDateTime now;         ///< for the running seconds
    bool operator==(const CellFlags &) const = default;
};

/// What a cell looks like: the table of DESIGN.md §3.1. The stripe tells what the run did, edge and gutter what the
/// user selected.
struct CellLook
{
    enum class Stripe
    {
        None,
        Solid,
        Dotted, ///< 2 on, 3 off
        Dashed  ///< 5 on, 4 off
    };
    enum class Button
    {
        None,
        Run,
        Stop
    };

    Stripe stripe = Stripe::None;
    ColorToken stripeColor = ColorToken::Accent;
    bool isAnimated = false; ///< a lighter piece travels down the stripe
    ColorToken edge = ColorToken::Border;
    int edgePx = 1;
    bool hasGutterTint = false;
    Button button = Button::None;
    ColorToken buttonFill = ColorToken::Hover;
    QString count; ///< "[4]", "[ ]", "[*]"; empty: none
    bool isCountBelowButton = false;
    bool hasHalfDot = false; ///< before the count: the kept state from before the run is not exact
    QString metaIcon;
    ColorToken metaIconColor = ColorToken::Text3;
    QString metaText;
    ColorToken metaTextColor = ColorToken::Text3;
    bool isSpinning = false; ///< the icon turns
    bool hasMore = false;    ///< the button with the cell's menu
    QString noteIcon;        ///< of the line below the outputs that tells why a run ended
    QString note;
    ColorToken noteColor = ColorToken::Sand;
};

CellLook lookOf(const Cell &cell, const CellFlags &flags);

/// The state in words for assistive tools: "running 14 s", "failed", "not run".
QString spokenState(const Cell &cell, const CellFlags &flags);

} // namespace sandfish
