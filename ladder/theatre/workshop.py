"""A bot that is being written: tried in the author's own tab, before anyone else meets it.

One play shows every decision with what was printed; sets tell how strong it is; a check plays
every seat count, as the gate does. No limit holds here: who runs it stops what takes too long.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from contextlib import redirect_stdout
from typing import Any

from engine.arena import Entry, Tally, copies, plan, play_set, side_count, tally
from engine.errors import BadScript
from engine.game import Game, Result
from engine.games import get
from engine.local import ScriptPlayer
from engine.match import Answer, Fault, Question, play
from engine.results import PlayResult
from engine.script import short_traceback
from ladder.theatre.film import film
from ladder.theatre.inside import decisions

FILENAME = "bot.py"


class BrokenBot(Exception):
    """It cannot be loaded; `detail` is its traceback."""

    def __init__(self, sentence: str, detail: str = "") -> None:
        super().__init__(sentence)
        self.detail = detail


class Workshop:
    """A source and a game, with the house bot it is tried against. Answers are JSON."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        self._game = get(setup["game"])
        self._seats: int = setup["seats"]
        self._source: str = setup["source"]
        self._rival = self._game.house_bots()[setup["rival"]]
        self._tallies: list[Tally] = []

    def play(self, seed: int) -> dict[str, Any]:
        """One play: its film, and the decisions of the bot from the inside."""
        try:
            own = [_Listened(self._load()) for _ in range(copies(self._game, self._seats))]
        except BrokenBot as error:
            return {"broken": str(error), "detail": error.detail}
        entries = [Entry(own, "Your bot"), *self._rivals(len(own), self._sides(self._seats) - 1)]
        seating = plan(self._game, self._seats, len(entries), seed)[0]
        at = [seat for seat, entry in enumerate(seating) if entry == 0]
        taken = {entry: iter(one.players) for entry, one in enumerate(entries)}
        played = play(
            self._game,
            [next(taken[entry]) for entry in seating],
            seed=seed,
            seating=[entries[entry].seating(seat) for seat, entry in enumerate(seating)],
        )
        fault = played.faults.get(at[0])
        told: dict[str, Any] | None = None
        if fault is not None:
            told = {"seat": at[0], "sentence": fault.sentence, "detail": fault.detail}
        seen = decisions(self._game, played.replay, at[0], printed=own[0].printed, fault=told)
        return {
            "film": film(self._game, played.replay),
            "films": [film(self._game, played.replay, seat) for seat in range(self._seats)],
            "seat": at[0],
            "inside": {"loading": own[0].printed.get(0, ""), "decisions": seen},
            "faults": [told] if told else [],
        }

    def set(self, seed: int) -> dict[str, Any]:
        """One more set; the record so far."""
        try:
            own = [self._load() for _ in range(copies(self._game, self._seats))]
        except BrokenBot as error:
            return {"broken": str(error), "detail": error.detail}
        # Alone at a table, the rival plays the same deal alone too.
        others = max(1, self._sides(self._seats) - 1)
        entries = [Entry(own, "Your bot"), *self._rivals(len(own), others)]
        self._tallies = self._tallies or [Tally() for _ in entries]
        plays = play_set(self._game, self._seats, entries, seed=seed)
        tally(self._tallies, [PlayResult.of(one.seating, one.played) for one in plays])
        mine = self._tallies[0]
        return {
            "sets": len(mine.sets),
            "win_rate": mine.win_rate(),
            "even": 1 / len(entries),
            "faults": dict(mine.faults),
        }

    def check(self, seats: int) -> dict[str, Any]:
        """A play at one seat count, as at the gate; `problem` is empty when nothing went wrong."""
        try:
            own = [self._load() for _ in range(copies(self._game, seats))]
        except BrokenBot as error:
            return {"broken": str(error), "detail": error.detail}
        entries = [Entry(own, "Your bot"), *self._rivals(len(own), self._sides(seats) - 1)]
        one = next(play_set(self._game, seats, entries, seed=1))
        found = [fault for seat, fault in one.played.faults.items() if one.seating[seat] == 0]
        return {"problem": found[0].sentence if found else ""}

    def _load(self) -> ScriptPlayer:
        try:
            return ScriptPlayer(self._source, FILENAME)
        except BadScript as error:
            raise BrokenBot(str(error)) from None
        except (Exception, SystemExit) as error:
            sentence = f"the bot raised {error!r} while it was loaded"
            raise BrokenBot(sentence, short_traceback(error, FILENAME)) from None

    def _sides(self, seats: int) -> int:
        return side_count(self._game, seats)

    def _rivals(self, each: int, count: int) -> list[Entry]:
        """So many entries of the rival, with so many players each."""
        name = f"House {self._rival.stem.removesuffix('_bot').title()}"
        return [
            Entry([ScriptPlayer.from_file(self._rival) for _ in range(each)], name)
            for _ in range(count)
        ]


class _Listened:
    """A player whose prints are kept, by decision; those of loading are at 0."""

    def __init__(self, player: ScriptPlayer) -> None:
        self._player = player
        self._asked = 0
        self.printed: dict[int, str] = {}
        self._room = 0

    def start(
        self, *, game: Game, seat: int, seats: int, options: Mapping[str, Any], luck: int
    ) -> None:
        self._room = game.limits.log_bytes
        with self._listening():
            self._player.start(game=game, seat=seat, seats=seats, options=options, luck=luck)

    def decide(self, question: Question) -> Answer | Fault:
        self._asked += 1
        with self._listening():
            return self._player.decide(question)

    def end(self, result: Result) -> None:
        with redirect_stdout(io.StringIO()):
            self._player.end(result)

    def _listening(self) -> redirect_stdout[Any]:
        return redirect_stdout(_Notes(self))

    def note(self, text: str) -> None:
        kept = text[: self._room]
        self._room -= len(kept)
        if kept:
            self.printed[self._asked] = self.printed.get(self._asked, "") + kept


class _Notes(io.TextIOBase):
    """Where a bot prints to."""

    def __init__(self, listened: _Listened) -> None:
        self._listened = listened

    def write(self, text: str, /) -> int:
        self._listened.note(text)
        return len(text)
