"""A tournament at home: your bots and house bots, by the formats of the site.

What comes of it is a record like the site's: `ladle verify --tournament` follows it step by step.
A record of one that was stopped is enough to go on with it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from time import monotonic
from typing import Any

from engine import games
from engine.arena import side_count, table_sizes
from engine.game import Game
from engine.results import set_result
from ladder.tournaments import FORMATS, Event, Format, Row, Score, Table
from ladder.tournaments.format import Outcome
from ladder.tournaments.knockout import knockout_winner
from ladder.tournaments.record import SCHEMA, row_as_json, set_score
from ladder.tournaments.seeds import commitment, match_seed
from ladle.bots import Bot
from ladle.errors import Refusal
from ladle.files import read_bytes, write_bytes
from ladle.players import Mode
from ladle.sets import Setting, played

WRITTEN_EVERY_S = 1.0
MAX_RECORD_BYTES = 64 * 2**20


@dataclass(slots=True)
class Drawn:
    """A table: when it was drawn, what was played there, and when it was counted."""

    table: Table
    drawn_at_step: int
    sets: list[dict[str, Any]] = field(default_factory=list)
    finished_at_step: int | None = None

    @property
    def score(self) -> Score:
        return Score(self.table, tuple(map(set_score, self.sets)))


class OtherRecord(Exception):
    """A record that this tournament cannot go on from, and why."""


class Tournament:
    """A tournament of bots, seeded in the order given; all luck follows from the secret."""

    def __init__(
        self,
        game: str,
        seats: int,
        bots: Sequence[Bot],
        *,
        format: str,
        secret: str,
        sets: int = 1,
        options: Mapping[str, int] | None = None,
        so_far: Mapping[str, Any] | None = None,
    ) -> None:
        """Refusal says what does not go together; OtherRecord, that `so_far` is of another one.

        What the record `so_far` has is not played again.
        """
        rules = games.get(game)
        sides = side_count(rules, seats)
        if format not in FORMATS:
            raise Refusal(f"there is no format '{format}'; the formats are {', '.join(FORMATS)}.")
        self.format: Format = FORMATS[format]
        sizes = table_sizes(rules, seats)
        if not self.format.fits(sides, sizes):
            raise Refusal(f"{self.format.title} is not for tables of {sides} sides.")
        try:
            self.options = self.format.full_options(
                options or {}, sides=sides, sizes=sizes, sets=sets
            )
        except ValueError as error:
            raise Refusal(f"{error}.") from None
        if len(bots) < (fewest := self.format.fewest(self.options)):
            raise Refusal(f"{self.format.title} needs {fewest} bots at least, not {len(bots)}.")
        self.game, self.seats, self.bots = rules, seats, bots
        self.sets, self.secret = sets, secret
        self.faults: list[tuple[Bot, str]] = []  # who, and the kind
        self._has_many_sides = sides > 2
        self._tables: list[Drawn] = []
        self._step = 0
        self._known: dict[tuple[str, int], dict[str, Any]] = {}
        if so_far is not None:
            self._recall(so_far)

    def run(self, mode: Mode, jobs: int = 1) -> Iterator[tuple[Table, int]]:
        """Play it to its end: the table and the number of each set, as it ends."""
        while self._advance():
            while due := self._sets_due():
                yield from self._play(due, mode, jobs)

    def recorded(self, path: Path | None, mode: Mode, jobs: int = 1) -> Iterator[tuple[Table, int]]:
        """The same, with the record written to a file every second, and at the end or a stop."""
        written_at = monotonic()
        try:
            for one in self.run(mode, jobs):
                yield one
                if path is not None and monotonic() - written_at > WRITTEN_EVERY_S:
                    self._write(path)
                    written_at = monotonic()
        finally:
            if path is not None:
                self._write(path)

    @property
    def expected(self) -> int:
        """How many sets there will be if none are drawn."""
        return self.format.preview(len(self.bots), self.options).matches * self.sets

    @property
    def has_own_fault(self) -> bool:
        """Whether a bot that was given as a file failed."""
        return any(bot.is_own for bot, _ in self.faults)

    def standings(self) -> list[Row]:
        return self.format.standings(self._event())

    def record(self) -> dict[str, Any]:
        """Its full record, in the site's form."""
        anchors = self.game.anchors().get(self.seats, {})
        event = self._event()
        is_over = not any(one.finished_at_step is None for one in self._tables)
        return {
            "format": SCHEMA,
            "id": None,
            "name": f"{self.format.title}, {self.game.title}",
            "organiser": "",
            "game": self.game.slug,
            "seats": self.seats,
            "system": self.format.name,
            "options": self.options,
            "sets": self.sets,
            "seeding": "manual",
            "status": "finished" if is_over else "running",
            "started_at": None,
            "ended_at": None,
            "commitment": commitment(self.secret),
            "secret": self.secret,
            "steps": self._step,
            "entrants": [
                {
                    "seed": seed,
                    "bot": bot.name,
                    "bot_id": seed,
                    "owner": "" if bot.is_own else "house",
                    "version": 1,
                    "sha256": bot.program.sha256,
                    "rating": None if bot.is_own else anchors.get(bot.typed, (None,))[0],
                    "rating_error": event.errors.get(seed),
                    "status": "enrolled",
                    "left_at_step": None,
                }
                for seed, bot in enumerate(self.bots, 1)
            ],
            "tables": [_table(one) for one in self._tables],
            "standings": [row_as_json(row) for row in self.format.standings(event)],
            "champion": self.format.champion(event) if is_over else None,
        }

    def _write(self, path: Path) -> None:
        """In one go, so that a process that is killed leaves a whole record."""
        beside = path.with_name(f"{path.name}.part")
        write_bytes(beside, json.dumps(self.record(), indent=1).encode())
        beside.replace(path)

    def _event(self) -> Event:
        anchors = self.game.anchors().get(self.seats, {})
        known = {
            seed: anchors[bot.typed]
            for seed, bot in enumerate(self.bots, 1)
            if not bot.is_own and bot.typed in anchors
        }
        return Event(
            entrants=len(self.bots),
            finished=tuple(one.score for one in self._tables if one.finished_at_step is not None),
            options=self.options,
            seated=tuple(one.table for one in self._tables if one.finished_at_step is None),
            key=commitment(self.secret),
            ratings={seed: elo for seed, (elo, _) in known.items()},
            errors={seed: error for seed, (_, error) in known.items()},
        )

    def _advance(self) -> bool:
        """Count what was played and draw what is due; False when nothing is left."""
        step = self._step + 1
        waiting = [one for one in self._tables if one.finished_at_step is None]
        for one in waiting:
            one.finished_at_step = step
        drawn = [Drawn(table, step) for table in self.format.tables_due(self._event())]
        self._tables += drawn
        if waiting or drawn:
            self._step = step
        return bool(drawn)

    def _sets_due(self) -> list[tuple[Drawn, int]]:
        """Of each open table the sets that are known to be needed."""
        due = []
        for one in self._tables:
            if one.finished_at_step is not None or one.table.is_bye:
                continue
            done = len(one.sets)
            missing = range(done + 1, self.sets + 1)
            if self.format.is_knockout and not missing:
                decision = knockout_winner(one.table.entrants, one.score.sets, self.sets)
                missing = range(done + 1, done + 1 + decision.needs_set)
            due += [(one, number) for number in missing]
        return due

    def _recall(self, record: Mapping[str, Any]) -> None:
        """Know the sets of a record; Refusal when it is of another tournament."""
        own = self.record()
        same = ("format", "game", "seats", "system", "options", "sets", "secret", "entrants")
        try:
            if any(record[name] != own[name] for name in same):
                raise OtherRecord("it is of other bots, or of another game, format or seed")
            for table in record["tables"]:
                for one in table["sets"]:
                    set_score(one), [fault["kind"] for fault in one["faults"]]  # there and sound
                    self._known[table["label"], one["number"]] = one
        except (KeyError, TypeError, ValueError):
            raise OtherRecord("it is not the record of a tournament at home") from None

    def _count(self, one: Drawn, found: dict[str, Any]) -> None:
        one.sets.append(found)
        one.sets.sort(key=itemgetter("number"))
        self.faults += [
            (self.bots[fault["entrant"] - 1], fault["kind"]) for fault in found["faults"]
        ]

    def _play(
        self, due: Sequence[tuple[Drawn, int]], mode: Mode, jobs: int
    ) -> Iterator[tuple[Table, int]]:
        at: dict[int, tuple[Drawn, int]] = {}
        settings = []
        for one, number in due:
            if found := self._known.get((one.table.label, number)):
                self._count(one, found)
                yield one.table, number
                continue
            seed = match_seed(self.secret, one.table.label, number)
            bots = tuple(self.bots[entrant - 1] for entrant in one.table.entrants)
            seats = len(bots) if self._has_many_sides else self.seats
            at[seed] = one, number
            options = self.game.full_options({})
            settings.append((Setting(self.game.slug, seats, bots, options, mode), seed))
        for setting, record in played(settings, mode, jobs):
            one, number = at[record.seed]
            result = set_result(record.plays, len(setting.bots))
            entrants = one.table.entrants
            found = {
                "number": number,
                "match": None,
                "seed": record.seed,
                "places": [list(row) for row in result.places],
                "points": [list(row) for row in result.points],
                "digests": [],
                "faults": [
                    {"entrant": entrants[note.entry], "kind": note.kind} for note in record.faults
                ],
            }
            self._count(one, found)
            yield one.table, number


def resumed(
    path: Path | None,
    game: Game,
    seats: int,
    bots: Sequence[Bot],
    *,
    format: str = "round_robin",
    seed: int | None = None,
    sets: int = 1,
    options: Mapping[str, int] | None = None,
) -> Tournament:
    """A tournament that goes on from its record, or begins where there is none."""
    if path is not None and not path.parent.is_dir():
        raise Refusal(f"{path} cannot be written: there is no folder {path.parent}.")
    so_far = _read(path)
    secret = secrets.token_hex(32) if seed is None else f"seed {seed}"
    if so_far and seed is None:
        secret = str(so_far.get("secret"))
    try:
        return Tournament(
            game.slug,
            seats,
            bots,
            format=format,
            secret=secret,
            sets=sets,
            options=options,
            so_far=so_far,
        )
    except OtherRecord as error:
        raise Refusal(f"{path} cannot be resumed: {error}.") from None


def _read(path: Path | None) -> dict[str, Any] | None:
    """What a tournament has come to so far; None where it begins."""
    if path is None or not path.exists():
        return None
    try:
        found = json.loads(read_bytes(path, MAX_RECORD_BYTES))
    except ValueError as error:
        raise Refusal(f"{path} exists, and is not JSON: {error}.") from None
    return found if isinstance(found, dict) else {}


def _table(one: Drawn) -> dict[str, Any]:
    table = one.table
    is_over = one.finished_at_step is not None
    return {
        "round": table.round,
        "number": table.number,
        "label": table.label,
        "drawn": list(table.entrants),
        "drawn_at_step": one.drawn_at_step,
        "entrants": list(table.entrants),
        "finished_at_step": one.finished_at_step,
        "outcome": (Outcome.BYE if table.is_bye else Outcome.PLAYED) if is_over else None,
        "sets": one.sets,
    }
