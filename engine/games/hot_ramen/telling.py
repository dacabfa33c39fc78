"""What happens at the counter, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

COLOURS = {
    "W": "white", "G": "green", "Y": "yellow", "R": "red", "B": "blue", "O": "orange", "J": "joker",
}  # fmt: skip
SYMBOLS = {"P": "pepper", "R": "ramen", "M": "money"}
PAID = {
    "draw": "pays 2 $ for one more die",
    "heal": "pays 2 $ for 1 HP",
    "recycle": "pays 2 $ for a new market",
    "joker": "buys a joker for 3 $",
}


def die(text: str) -> str:
    """R:P2 or B:4 as people say it."""
    name = COLOURS[text[0]]
    return "a joker" if name == "joker" else f"{'an' if name[0] == 'o' else 'a'} {name} die"


def move(text: str) -> str:
    """An action as people say it after a name."""
    verb, *rest = text.split(" ")
    if verb == "pick":
        return f"keeps all {SYMBOLS[rest[0]]}{_jokers(rest[1:])}"
    if verb == "wild":
        wilds = rest.count("J")
        dice = "a joker" if wilds == 1 else f"{wilds} jokers"
        return f"keeps {dice} as {SYMBOLS[rest[0]]}{_jokers([j for j in rest if j[0] == 'X'])}"
    if verb == "discard":
        return f"throws away {die(rest[0])}, {rest[0][2:]} ramen"
    if verb == "stop":
        return "stops and serves"
    if verb == "roll":
        return "rolls again"
    if verb == "buy":
        return f"buys {die(rest[0])} for 2 $"
    if verb == "reroll":
        return f"pays 2 $ to roll {die(rest[0])} again"
    if verb == "trash":
        place = f"the {rest[0]}" if rest[0] in ("table", "trash") else f"the {rest[0]} dice"
        return f"pays 2 $ to trash {die(rest[1])} from {place}"
    return PAID[verb]


def _jokers(jokers: Sequence[str]) -> str:
    wilds, times = jokers.count("J"), sum(int(one[1]) for one in jokers if one[0] == "X")
    lines = [] if not wilds else ["with a joker" if wilds == 1 else f"with {wilds} jokers"]
    if times:
        lines.append(f"times {times}")
    return f" {', '.join(lines)}" if lines else ""


def rolled(table: Sequence[str]) -> str:
    """The faces of rolled dice, added up."""
    found: Counter[str] = Counter()
    for face in (text.partition(":")[2] for text in table):
        if face[0] in SYMBOLS:
            found[SYMBOLS[face[0]]] += int(face[1])
        else:
            found[{"-": "blank", "J": "wild"}.get(face, f"times {face[1:]}")] += 1
    return ", ".join(_counted(count, name) for name, count in found.items())


def _counted(count: int, name: str) -> str:
    if name.startswith("times"):  # two dice that double are told as such, not as a number of them
        return ", ".join([name] * count)
    return f"{count} {name}s" if name == "blank" and count > 1 else f"{count} {name}"


def story(events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
    """What happened, a sentence each; all who are hit by one service share one."""
    lines = [made] if made else []
    hit: dict[int, list[str]] = {}
    out: list[str] = []
    for event in events:
        who = names[event["seat"]] if "seat" in event else ""
        kind = event["event"]
        if kind not in ("hit", "out"):
            lines += _service(hit, out)
            hit, out = {}, []
        if kind == "roll":
            if lines == [made] and made == f"{who} rolls again":
                lines = []  # this says what, too
            lines.append(f"{who} rolls {rolled(event['table'])}")
        elif kind == "pick":
            lines = [f"{made or who}: {event['value']} in all"]
        elif kind == "refill":
            lines.append(f"{who} tips the trash back into the pouch")
        elif kind == "serve" and event["damage"]:
            lines = [one for one in lines if one != f"{who} stops and serves"]
            lines.append(f"{who} serves {event['damage']} pepper")
        elif kind == "hit":
            hit.setdefault(event["lost"], []).append(who)
        elif kind == "out":
            out.append(who)
    return lines + _service(hit, out)


def _service(hit: dict[int, list[str]], out: list[str]) -> list[str]:
    """Who loses how much, those who lose the same together; then who is out."""
    parts = []
    for lost, who in sorted(hit.items(), reverse=True):
        one = len(who) == 1
        verb = ("loses" if one else "lose") if lost else ("has" if one else "have")
        parts.append(f"{_together(who)} {verb} {f'{lost} HP' if lost else 'ramen enough'}")
    lines = [", ".join(parts)] if parts else []
    return [*lines, f"{_together(out)} {'is' if len(out) == 1 else 'are'} out"] if out else lines


def _together(who: Sequence[str]) -> str:
    return " and ".join([", ".join(who[:-1]), who[-1]] if len(who) > 1 else who)
