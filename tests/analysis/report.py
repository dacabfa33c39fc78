"""The figures as the table of docs/analysis.md."""

from __future__ import annotations

from typing import Any

from engine.games import GAMES

NONE = "–"


def table(figures: dict[str, Any]) -> str:
    """Markdown, a column per game."""
    rows = [
        ["", *(game.title for game in GAMES.values())],
        ["---"] * (1 + len(GAMES)),
        ["planted blunders found", *_each(figures, "plants", _found)],
        ["marks on the strong bot, mistake or worse", *_each(figures, "own", _marks("strong"))],
        ["slips on the strong bot", *_each(figures, "own", _slips)],
        ["marks on what the analyst advised", *_each(figures, "own", _marks("advised"))],
        ["start + luck + decisions = result", *_each(figures, "sums", _sums)],
        ["calibration slope", *_each(figures, "calibration", _slope)],
        ["seconds at home, quick / standard", *_seconds(figures, "home")],
        ["seconds in a tab, quick / standard", *_seconds(figures, "tab")],
        ["sets needed without the luck term for one with it (95%)", *_each(figures, "luck", _luck)],
    ]
    if "trials" in figures:
        rows += [
            ["sets of a trial without / with the luck term", *_each(figures, "trials", _lengths)],
            ["ratio of these lengths (95%)", *_each(figures, "trials", _ratio)],
        ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _each(figures: dict[str, Any], section: str, words: Any) -> list[str]:
    found = figures.get(section, {})
    return [words(found[slug]) if slug in found else NONE for slug in GAMES]


def _found(one: dict[str, Any]) -> str:
    return f"{one['found']} of {one['confirmed']}"


def _marks(who: str) -> Any:
    return lambda one: f"{one[who]['mistake'] + one[who]['blunder']} of {one['decisions']}"


def _slips(one: dict[str, Any]) -> str:
    return f"{one['strong']['slip']} of {one['decisions']}"


def _sums(one: dict[str, Any]) -> str:
    return f"{one['plays']} plays, largest gap {one['largest_gap']}"


def _slope(one: dict[str, Any]) -> str:
    names = {"slope_strong": "strong bots", "slope_policy": "the policy itself"}
    others = ", ".join(f"{words} {one[name]}" for name, words in names.items() if name in one)
    return f"{one['slope']} ({others})" if others else str(one["slope"])


def _seconds(figures: dict[str, Any], where: str) -> list[str]:
    found = figures.get("seconds", {}).get("all")
    if not found:
        return [NONE] * len(GAMES)
    return [f"{found[slug][where]['quick']} / {found[slug][where]['standard']}" for slug in GAMES]


def _luck(one: dict[str, Any]) -> str:
    low, high = one["interval"]
    return f"{one['factor']} ({low} to {high})"


def _lengths(one: dict[str, Any]) -> str:
    """Of trials of equal bots, and of ones that are +40 Elo apart."""
    pairs = [(one["plain"][truth], one["luck"][truth]) for truth in ("equal", "better")]
    equal, better = (f"{plain['length']} / {luck['length']}" for plain, luck in pairs)
    return f"equal {equal}, better {better}"


def _ratio(one: dict[str, Any]) -> str:
    low, high = one["interval"]
    return f"{one['ratio']} ({low} to {high}), {one['sets']} sets"
