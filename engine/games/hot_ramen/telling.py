"""What happens at the counter, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.person import says, whose

COLOURS = {
    "W": "white", "G": "green", "Y": "yellow", "R": "red", "B": "blue", "O": "orange", "J": "joker",
}  # fmt: skip
SYMBOLS = {"P": "pepper", "R": "ramen", "M": "money"}
STOP = "<stop|stops> and <serve|serves>"
ROLL = "<roll|rolls> again"
PAID = {
    "draw": "<pay|pays> $2 for one more die",
    "heal": "<pay|pays> $2 for 1 HP",
    "recycle": "<pay|pays> $2 for a new market",
    "joker": "<buy|buys> a joker for $3",
}


def die(text: str) -> str:
    """R:P2 or B:4 as people say it."""
    name = COLOURS[text[0]]
    return "a joker" if name == "joker" else f"{'an' if name[0] == 'o' else 'a'} {name} die"


def shown_die(text: str, zone: str = "") -> str:
    """The same with what it shows, or counts for in its zone: dice of one colour differ by that."""
    face = text.partition(":")[2]
    if face[:1] in SYMBOLS:
        face = f"{face[1:]} {SYMBOLS[face[0]]}"
    elif face.isdigit():
        face = f"{face} {zone}"
    else:
        face = {"": "", "-": "blank", "J": "wild"}.get(face, f"times {face[1:]}")
    return f"{die(text)} ({face})" if face else die(text)


def move(text: str) -> str:
    """An action in words, for `State.phrase`."""
    verb, *rest = text.split(" ")
    if verb == "pick":
        return f"<keep|keeps> all {SYMBOLS[rest[0]]}{_jokers(rest[1:])}"
    if verb == "wild":
        wilds = rest.count("J")
        dice = "a joker" if wilds == 1 else f"{wilds} jokers"
        return (
            f"<keep|keeps> {dice} as {SYMBOLS[rest[0]]}{_jokers([j for j in rest if j[0] == 'X'])}"
        )
    if verb == "discard":
        return f"<trash|trashes> {shown_die(rest[0], 'ramen')}"
    if verb == "stop":
        return STOP
    if verb == "roll":
        return ROLL
    if verb == "buy":
        return f"<buy|buys> {die(rest[0])} for $2"
    if verb == "reroll":
        return f"<pay|pays> $2 to roll {shown_die(rest[0])} again"
    if verb == "trash":
        place = f"the {rest[0]}" if rest[0] in ("table", "trash") else f"the {rest[0]} dice"
        return f"<pay|pays> $2 to trash {shown_die(rest[1], rest[0])} from {place}"
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
    if name.startswith("times"):  # two dice that double are named as such, not as a number of them
        return ", ".join([name] * count)
    return f"{count} {name}s" if name == "blank" and count > 1 else f"{count} {name}"


def story(events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
    """What happened, a sentence each; all who are hit by one service share one."""
    lines = [made] if made else []
    hit: dict[tuple[int, int], list[str]] = {}
    out: list[str] = []
    damage = 0
    for event in events:
        who = names[event["seat"]] if "seat" in event else ""
        kind = event["event"]
        if kind not in ("hit", "out"):
            lines += _service(hit, out)
            hit, out = {}, []
        if kind == "roll":
            if lines == [made] and made == says(who, ROLL):
                lines = []  # this says what, too
            lines.append(says(who, f"<roll|rolls> {rolled(event['table'])}"))
        elif kind == "pick":
            lines = [f"{made or who}: {event['value']} in all"]
        elif kind == "refill":
            lines.append(says(who, "<tip|tips> the trash back into the pouch"))
        elif kind == "serve":
            damage = event["damage"]
            lines = [one for one in lines if one != says(who, STOP)]
            ends = f"{whose(who)} turn ends without pepper"
            lines.append(says(who, f"<serve|serves> {damage} pepper") if damage else ends)
        elif kind == "hit":
            absorbed = min(damage, sum(int(text.partition(":")[2]) for text in event["used"]))
            hit.setdefault((event["lost"], absorbed), []).append(who)
        elif kind == "out":
            out.append(who)
    return lines + _service(hit, out)


def _service(hit: dict[tuple[int, int], list[str]], out: list[str]) -> list[str]:
    """Who absorbs and loses how much, those alike together; then who is out."""
    parts = []
    for (lost, absorbed), who in sorted(hit.items(), reverse=True):
        done = [f"<absorb|absorbs> {absorbed}"] * (absorbed > 0)
        done += [f"<lose|loses> {lost} HP"] * (lost > 0)
        parts.append(says(who, " and ".join(done)))
    # Two of them to a line, which fits a small screen.
    lines = [", ".join(parts[at : at + 2]) for at in range(0, len(parts), 2)]
    return [*lines, says(out, "<are|is> out")] if out else lines
