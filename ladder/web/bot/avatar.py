"""A picture for a bot, made of its name alone: a bowl, what floats in it, and steam."""

from __future__ import annotations

import hashlib
import math

SIZE = 48
# Bowl and soup by turns; all are dark or light enough for both themes.
BOWLS = ("#a93c1b", "#1f6b63", "#8a6410", "#5c4a94", "#2f639b", "#8c3a6c", "#3e7329", "#5c4936")
SOUPS = ("#e8b765", "#d99a4e", "#c9d28a", "#e7a08c", "#a9cfc4", "#e6cf9a", "#cdb6e0", "#9cc1e6")
TOPPINGS = ("#fffdf7", "#f0942a", "#7dbb4a", "#c0705a", "#2f5d50", "#ee86a8", "#f4e3c8", "#80573a")
GROUNDS = ("#f7e3d6", "#e2eedd", "#f6ebcc", "#e6e1f3", "#dfeaf5", "#f5e0ec", "#e9efd9", "#efe6da")


def avatar(name: str) -> str:
    """What goes into an SVG of 48 by 48; the same for the same name."""
    digest = hashlib.sha256(name.encode()).digest()
    bowl, soup, ground = (
        colours[value % len(colours)]
        for colours, value in zip((BOWLS, SOUPS, GROUNDS), digest, strict=False)
    )
    made = [
        f'<rect width="{SIZE}" height="{SIZE}" rx="11" fill="{ground}"/>',
        *_steam(digest[3], bowl),
        f'<ellipse cx="24" cy="25" rx="18" ry="6.4" fill="{bowl}"/>',
        f'<ellipse cx="24" cy="25" rx="15.6" ry="4.8" fill="{soup}"/>',
        *_toppings(digest[4:20]),
        f'<path fill="{bowl}" d="M6 25c0 11 7 17 12 18h12c5-1 12-7 12-18-1 3.6-9 6.4-18 6.4'
        'S7 28.6 6 25z"/>',
        *_band(digest[20], digest[21]),
    ]
    return "".join(made)


def _steam(value: int, colour: str) -> list[str]:
    count = 1 + value % 3
    left = 24 - 4 * (count - 1)
    lean = 3 if value & 8 else -3
    return [
        f'<path fill="none" stroke="{colour}" stroke-opacity="0.45" stroke-width="2.2"'
        f' stroke-linecap="round" d="M{left + 8 * at} 16c{-lean} -3.5 {lean} -5 0 -9"/>'
        for at in range(count)
    ]


def _toppings(values: bytes) -> list[str]:
    """Three to five things in the soup, on an ellipse."""
    count = 3 + values[0] % 3
    turn = values[1] / 256 * math.tau
    made = []
    for at in range(count):
        angle = turn + at * math.tau / count
        x, y = 24 + 9.5 * math.cos(angle), 25 + 2.6 * math.sin(angle)
        colour = TOPPINGS[values[2 + at] % len(TOPPINGS)]
        if values[8 + at] % 2:
            made.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.3" fill="{colour}"/>')
        else:
            made.append(
                f'<rect x="{x - 2.6:.1f}" y="{y - 1.6:.1f}" width="5.2" height="3.2" rx="1.2"'
                f' fill="{colour}"/>'
            )
    return made


def _band(kind: int, colour: int) -> list[str]:
    """What is painted on the bowl."""
    paint = f'fill="{SOUPS[colour % len(SOUPS)]}"'
    if kind % 4 == 0:
        return [f'<circle cx="{x}" cy="36" r="1.7" {paint}/>' for x in (17, 24, 31)]
    if kind % 4 == 1:
        return [f'<path {paint} d="M12 34.500h24l-1.2 2.600h-21.600z"/>']
    if kind % 4 == 2:
        return [f'<path {paint} d="M24 33.500l2.6 3-2.6 3-2.6-3z"/>']
    return [f'<path {paint} d="M15 36q3-3.6 6 0t6 0 6 0v1.800q-3 3.6-6 0t-6 0-6 0z"/>']
