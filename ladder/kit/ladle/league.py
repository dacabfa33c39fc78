"""A league at home: versions of your bots and all their sets in one file, rated as on a site.

The file has a line of JSON for each thing: first the board, then versions and sets as they came.
A version is saved whole, so that a bot can meet what it was last week.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec

from engine import games
from engine.arena import side_count
from engine.chance import MAX_SEED
from engine.results import set_result
from ladle.bots import Bot
from ladle.errors import Refusal
from ladle.players import Mode
from ladle.sets import SetRecord, Setting, played
from sandbox.program import Program

if TYPE_CHECKING:
    from ladder.ratings.fit import Fit
    from ladder.ratings.matchmaking import Candidate, Seating


class Head(msgspec.Struct, tag="league", frozen=True):
    """The first line: the board, and what all luck follows from."""

    game: str
    seats: int
    options: dict[str, Any]
    seed: int


class Version(msgspec.Struct, tag="version", frozen=True):
    """A bot as it was when it was added; a house bot has number 0."""

    bot: str
    number: int
    file: str
    content: bytes

    @property
    def is_house(self) -> bool:
        return self.number == 0

    @property
    def name(self) -> str:
        return self.bot if self.is_house else f"{self.bot} v{self.number}"

    def as_bot(self) -> Bot:
        program = Program(self.file, self.content)
        return Bot(self.name, Path(self.file), program, self.name, is_own=not self.is_house)


class Met(msgspec.Struct, tag="set", frozen=True):
    """A set and who met in it, by their places in the file."""

    versions: tuple[int, ...]
    record: SetRecord


@dataclass(frozen=True, slots=True)
class Line:
    """A version in the table; `band` is from 1, or 0 for one that has no rank yet."""

    version: Version
    elo: float
    low: float
    high: float
    sets: int
    band: int
    faults: Counter[str]


class League:
    """A league in a file. Every version and every set is written as it comes."""

    def __init__(self, path: Path) -> None:
        """Read it; Refusal says what is wrong with it."""
        self.path = path
        self.versions: list[Version] = []
        self.sets: list[Met] = []
        try:
            *lines, torn = path.read_bytes().split(b"\n")  # one that was killed left half a line
            self.head = msgspec.json.decode(lines[0], type=Head)
            for line in lines[1:]:
                one = msgspec.json.decode(line, type=Version | Met)
                if isinstance(one, Version):
                    self.versions.append(one)
                else:
                    self.sets.append(one)
        except FileNotFoundError:
            raise Refusal(
                f"there is no league {path}; `ladle league add {path} BOT --game GAME` begins one."
            ) from None
        except OSError as error:
            raise Refusal(f"{path} cannot be read: {error.strerror}.") from None
        except (IndexError, msgspec.MsgspecError):
            raise Refusal(f"{path} is not the file of a league.") from None
        if torn:
            self._write(b"\n".join(lines) + b"\n", "wb")

    @classmethod
    def begin(cls, path: Path, head: Head) -> League:
        """A new one, with the game's house bots in it: they hold the scale."""
        from ladle.bots import find_bots

        try:
            path.open("xb").close()
        except OSError as error:
            raise Refusal(f"{path} cannot be written: {error.strerror}.") from None
        path.write_bytes(msgspec.json.encode(head) + b"\n")
        league = cls(path)
        game = games.get(head.game)
        for bot in find_bots(game, list(game.house_bots())):
            if bot.is_script:  # others need a runtime that may not be there
                league._add(Version(bot.name, 0, bot.program.filename, bot.program.content))
        return league

    def add(self, bot: Bot) -> tuple[Version, bool]:
        """Take a bot in as its next version; False with the one it is if it is in already."""
        same_name = [one for one in self.versions if one.bot == bot.name]
        for one in same_name:
            if one.as_bot().program.sha256 == bot.program.sha256:
                return one, False
        number = 1 + max((one.number for one in same_name), default=0)
        version = Version(bot.name, number, bot.program.filename, bot.program.content)
        self._add(version)
        return version, True

    def fit(self) -> Fit:
        """All versions rated by all sets, as a site rates its boards; keys are places."""
        from ladder.ratings.fit import fit
        from ladder.ratings.outcome import Outcome

        anchors = games.get(self.head.game).anchors().get(self.head.seats, {})
        house = {
            place: anchors[one.bot]
            for place, one in enumerate(self.versions)
            if one.is_house and one.bot in anchors
        }
        last: dict[str, int] = {}
        parents: dict[int, int] = {}
        for place, one in enumerate(self.versions):
            if one.bot in last:
                parents[place] = last[one.bot]
            last[one.bot] = place
        results = [set_result(one.record.plays, len(one.versions)).places for one in self.sets]
        return fit(
            [
                Outcome.from_places(one.versions, places)
                for one, places in zip(self.sets, results, strict=True)
            ],
            fixed={place: elo for place, (elo, error) in house.items() if not error},
            measured={place: both for place, both in house.items() if both[1]},
            parents=parents,
            versions=range(len(self.versions)),
        )

    def table(self, fitted: Fit) -> list[Line]:
        """The standings, the best first; who has no rank yet stands where it would."""
        ranked = [place for place in fitted.rated if self._is_ranked(fitted, place)]
        band = {
            place: number
            for number, places in enumerate(fitted.bands(ranked), 1)
            for place in places
        }
        faults: dict[int, Counter[str]] = {place: Counter() for place in fitted.rated}
        for one in self.sets:
            for note in one.record.faults:
                faults[one.versions[note.entry]][note.kind] += 1
        order = sorted(fitted.rated, key=lambda place: -fitted.rated[place].value)
        return [
            Line(
                self.versions[place],
                (rated := fitted.rated[place]).value,
                rated.low,
                rated.high,
                rated.sets,
                band.get(place, 0),
                faults[place],
            )
            for place in order
        ]

    def next_table(self, fitted: Fit) -> Seating | None:
        """Whom to play next and why, as a site draws it; None when all are known well enough."""
        from ladder.ratings.matchmaking import solo_table, tick_tables

        sides = side_count(games.get(self.head.game), self.head.seats)
        everyone = [self._candidate(fitted, place) for place in range(len(self.versions))]
        if len(everyone) < max(2, sides):
            raise Refusal(f"a table here needs {max(2, sides)} versions; add more.")
        if sides == 1:
            return solo_table(everyone)
        met = {place: Counter[int]() for place in range(len(everyone))}
        for one in self.sets:
            for place in one.versions:
                met[place].update(other for other in one.versions if other != place)
        rng = Random(f"{self.head.seed}/table/{len(self.sets)}")
        tables = tick_tables(everyone, met.__getitem__, seats=sides, rng=rng)
        return tables[0] if tables else None

    def play(self, sets: int, mode: Mode, jobs: int = 1) -> Iterator[Met]:
        """Play up to `sets` sets, each at the table that is due then, and save them."""
        seated: dict[int, tuple[int, ...]] = {}
        for setting, record in played(self._due(sets, mode, seated), mode, jobs):
            one = Met(seated[record.seed], record)
            assert len(setting.bots) == len(one.versions)
            self.sets.append(one)
            self._write(msgspec.json.encode(one) + b"\n", "ab")
            yield one

    def _due(
        self, sets: int, mode: Mode, seated: dict[int, tuple[int, ...]]
    ) -> Iterator[tuple[Setting, int]]:
        """Drawn one by one, so that each table rests on all results so far."""
        used = {one.record.seed for one in self.sets}
        rng = Random(f"{self.head.seed}/sets/{len(self.sets)}")
        for _ in range(sets):
            table = self.next_table(self.fit())
            if table is None:
                return
            while (seed := rng.randint(0, MAX_SEED)) in used:
                pass
            used.add(seed)
            seated[seed] = tuple(one.id for one in table.candidates)
            bots = tuple(self.versions[place].as_bot() for place in seated[seed])
            head = self.head
            yield Setting(head.game, head.seats, bots, head.options, mode), seed

    def _candidate(self, fitted: Fit, place: int) -> Candidate:
        from ladder.ratings.matchmaking import Candidate, is_settled

        rated, version = fitted.rated[place], self.versions[place]
        return Candidate(
            place,
            version.name,
            rated.value,
            rated.sets,
            owner=place,  # versions of one bot may meet: that is what a league is for
            is_ranked=rated.is_ranked,
            is_house=version.is_house,
            is_settled=is_settled(
                is_ranked=rated.is_ranked, half_width=(rated.high - rated.low) / 2, sets=rated.sets
            ),
            variance=rated.variance,
        )

    def _is_ranked(self, fitted: Fit, place: int) -> bool:
        return self.versions[place].is_house or fitted.rated[place].is_ranked

    def _add(self, version: Version) -> None:
        self.versions.append(version)
        self._write(msgspec.json.encode(version) + b"\n", "ab")

    def _write(self, data: bytes, mode: str) -> None:
        try:
            with self.path.open(mode) as file:
                file.write(data)
        except OSError as error:
            raise Refusal(f"{self.path} cannot be written: {error.strerror}.") from None
