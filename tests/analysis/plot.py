"""Expectation against outcome as one drawing, a panel per game."""

from __future__ import annotations

from typing import Any

from engine.games import GAMES

SIDE, GAP, EDGE = 150, 40, 34


def drawn(calibration: dict[str, Any]) -> str:
    """The SVG: dots as large as there are moments, with two standard errors."""
    panels = [
        _panel(EDGE + at * (SIDE + GAP), GAMES[slug].title, calibration[slug])
        for at, slug in enumerate(GAMES)
        if slug in calibration
    ]
    width = EDGE + len(panels) * (SIDE + GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {SIDE + 70}"'
        ' font-family="sans-serif" font-size="11" fill="none" stroke="none">\n'
        f'<rect width="{width}" height="{SIDE + 70}" fill="#fffdf8"/>\n'
        + "\n".join(panels)
        + "\n</svg>\n"
    )


def _panel(left: int, title: str, figures: dict[str, Any]) -> str:
    top = 26

    def x(share: float) -> float:
        return round(left + SIDE * share, 1)

    def y(share: float) -> float:
        return round(top + SIDE * (1 - min(1.0, max(0.0, share))), 1)

    parts = [
        f'<text x="{left}" y="{top - 9}" fill="#2a201a" font-weight="bold">{title}</text>',
        f'<rect x="{left}" y="{top}" width="{SIDE}" height="{SIDE}" stroke="#cdbda3"/>',
        f'<line x1="{x(0)}" y1="{y(0)}" x2="{x(1)}" y2="{y(1)}" stroke="#cdbda3"/>',
    ]
    for told, got, count in figures["bins"]:
        error = 2 * (got * (1 - got) / count) ** 0.5
        parts.append(
            f'<line x1="{x(told)}" x2="{x(told)}" y1="{y(got - error)}" y2="{y(got + error)}"'
            ' stroke="#a93c1b"/>'
        )
        size = round(1.5 + (count / figures["moments"]) ** 0.5 * 6, 1)
        parts.append(f'<circle cx="{x(told)}" cy="{y(got)}" r="{size}" fill="#a93c1b"/>')
    for share in (0, 0.5, 1):
        words = f"{share * 100:.0f}"
        parts.append(
            f'<text x="{x(share)}" y="{top + SIDE + 14}" fill="#66564a" text-anchor="middle">'
            f"{words}</text>"
        )
        parts.append(
            f'<text x="{left - 4}" y="{y(share) + 4}" fill="#66564a" text-anchor="end">'
            f"{words}</text>"
        )
    parts.append(
        f'<text x="{left + SIDE / 2}" y="{top + SIDE + 30}" fill="#66564a" text-anchor="middle">'
        f"expected; slope {figures['slope']}</text>"
    )
    return "\n".join(parts)
