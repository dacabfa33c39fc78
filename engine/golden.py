"""Playthroughs: one readable play per seat count, saved beside each game and compared by a test.

`python -m engine.golden SLUG` compares; `--write` replaces them, and the tables of views in the
rules. When rules change, review the difference like code and raise the game's `rules_version`.
"""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path
from random import Random

from engine import games
from engine.chance import SeededChance
from engine.errors import EngineError
from engine.frames import seat_names
from engine.game import Game
from engine.shapes import with_tables

SEED = 7
LONGEST = 300  # decisions shown in full; the rest of a longer play is left out


def playthrough(game: Game, seats: int) -> str:
    """A random play on a fixed seed: every decision, its choices, and the table now and then."""
    state = game.start(seats, SeededChance(SEED))
    state.events = []
    rng = Random(SEED)
    lines = [f"{game.title}, {seats} seats, seed {SEED}, rules version {game.rules_version}", ""]
    names = seat_names(seats)
    step = 0
    while state.to_act is not None and step < LONGEST:
        if step % 10 == 0:
            lines += [*game.text(state.observe(None), names).splitlines(), ""]
        action = state.sample(rng)
        offered = [state.notation(choice) for choice in state.suggestions()]
        shown = " | ".join(offered[:6]) + (f" | ... {len(offered)}" if len(offered) > 6 else "")
        lines.append(f"{step:3} {names[state.to_act]} {state.kind}: {state.notation(action)}")
        lines.append(f"      of {shown}")
        state.apply(action)
        for event in state.events:
            data = ", ".join(f"{key} {value}" for key, value in event.items() if key != "event")
            lines.append(f"      * {event['event']}: {data}"[:160].rstrip(": "))
        state.events.clear()
        step += 1
    state.events = None
    untold = 0
    while state.to_act is not None:
        state.apply(state.sample(rng))
        untold += 1
    if untold:
        lines.append(f"... and {untold} decisions more")
    lines += ["", *game.text(state.observe(None), names).splitlines(), "", f"{state.result()}", ""]
    return "\n".join(lines)


def path(game: Game, seats: int) -> Path:
    """Where the playthrough of a seat count is saved."""
    return game.folder / "golden" / f"playthrough-{seats}.txt"


def difference(game: Game, seats: int) -> str:
    """What the rules now give against what is saved; empty when they agree."""
    kept = path(game, seats)
    old = kept.read_text(encoding="utf-8") if kept.exists() else ""
    new = playthrough(game, seats)
    return "".join(
        difflib.unified_diff(old.splitlines(True), new.splitlines(True), "kept", "now", n=1)
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m engine.golden", description=__doc__)
    parser.add_argument("slug", nargs="*", default=list(games.GAMES))
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    try:
        chosen = [games.get(slug) for slug in arguments.slug]
    except EngineError as error:
        parser.error(str(error))
    changed = False
    for game in chosen:
        if arguments.write and (game.folder / "shapes.py").exists():
            rules = game.folder / "RULES.md"
            rules.write_text(with_tables(rules.read_text("utf-8"), game), encoding="utf-8")
        for seats in game.seats:
            if arguments.write:
                path(game, seats).parent.mkdir(exist_ok=True)
                path(game, seats).write_text(playthrough(game, seats), encoding="utf-8")
            elif text := difference(game, seats):
                changed = True
                print(text)
    raise SystemExit(1 if changed else 0)


if __name__ == "__main__":
    main()
