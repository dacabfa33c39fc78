"""`make anchors`: measure the house bots on every board and write each game's anchors.json.

    python -m tests.calibration.anchors play [MINUTES [BOARD...]]   sets into build/anchors/
    python -m tests.calibration.anchors fit                         anchors.json, per game

Sets are added to those that were played before by the same command and bots, so it can be stopped
at any time and go on later: first all boards a little, then all of them more.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from engine.game import Game
from engine.games import GAMES
from tests.calibration import house_play
from tests.calibration.anchor_fit import Measured, as_json, usual_misfit
from tests.calibration.anchor_source import origin

LOGS = Path(__file__).resolve().parent.parent.parent / "build" / "anchors"
MINUTES = 150.0
# Direct sets of each pair in each half, and whether bots that search play too.
PHASES = ((100, False), (20, True), (50, True), (100, True))


def play_all(minutes: float, names: list[str]) -> None:
    LOGS.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + 60 * minutes
    boards = [
        (game, seats)
        for slug, game in GAMES.items()
        for seats in game.seats
        if not names or f"{slug}/{seats}" in names
    ]
    for target, dear in PHASES:
        for game, seats in boards:
            path = log_of(game, seats)
            known = sets_in(path, game)
            if not known:
                path.write_text(json.dumps({"origin": origin(game)}) + "\n", encoding="utf-8")
            with path.open("a", encoding="utf-8") as file:
                measurement = house_play.Measurement(game, seats, known)
                for line in measurement.play(target, dear=dear):
                    file.write(json.dumps(line) + "\n")
                    file.flush()
                    if time.monotonic() > until:
                        return
            print(f"{game.slug}/{seats}: {target} direct sets a pair, dear={dear}", flush=True)


def log_of(game: Game, seats: int) -> Path:
    return LOGS / f"{game.slug}-{seats}.jsonl"


def sets_in(path: Path, game: Game) -> list[dict[str, Any]]:
    """The sets of a log; none if other bots, rules or another command played them."""
    if not path.exists():
        return []
    head, *lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return lines if head == {"origin": origin(game)} else []


def fit_all() -> None:
    measured: dict[str, dict[int, Measured]] = {}
    for slug, game in GAMES.items():
        logs = {seats: sets_in(log_of(game, seats), game) for seats in game.seats}
        if not all(logs.values()):
            print(f"{slug}: not all boards were played by this command; left as it is")
            continue
        measured[slug] = {seats: Measured.of(sets, game) for seats, sets in logs.items()}
    every = [board for boards in measured.values() for board in boards.values()]
    usual = [usual_misfit(every, is_loose=is_loose) for is_loose in (False, True)]
    print("gaps stray by {:.0f} Elo on average, those with random by {:.0f}".format(*usual))
    for slug, found in measured.items():
        game = GAMES[slug]
        boards = {str(seats): as_json(board, *usual) for seats, board in found.items()}
        told = {"fixed": house_play.FIXED, "origin": origin(game), "boards": boards}
        text = json.dumps(told, indent=1)
        (game.folder / "anchors.json").write_text(text + "\n", encoding="utf-8")
        for seats, board in boards.items():
            ratings = ", ".join(
                f"{name} {one['elo']} ± {one['error']}" for name, one in board["bots"].items()
            )
            print(f"{slug}/{seats}: {ratings}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["fit"]:
        fit_all()
    else:
        play_all(float(sys.argv[2]) if len(sys.argv) > 2 else MINUTES, sys.argv[3:])
