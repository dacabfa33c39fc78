"""What a game is: `Game` describes it and starts a `State`; a `State` is one play under way.

Inside the engine an action is a small int or tuple; at every edge (replay, wire, page, command
line) it is one canonical text, by `State.notation` and `State.parse`.
"""

from __future__ import annotations

import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Self

from engine import person
from engine.chance import Chance
from engine.errors import BadSetup


def house_name(slug: str) -> str:
    """What a house bot is called, by its file's name."""
    return f"House {slug.replace('_', ' ').title()}"


Seat = int
Action = Any  # a small int or a tuple of them; each game says which
View = dict[str, Any]  # JSON all the way down


@dataclass(frozen=True, slots=True)
class Result:
    """How a play ended."""

    places: tuple[int, ...]  # by seat; 1 is best, equal numbers tie. Ratings read only this
    points: tuple[int, ...]  # by seat, for people
    reason: str  # "last bowl served"


@dataclass(frozen=True, slots=True)
class Option:
    """One rule variant: the default is what the ladder plays."""

    default: Any
    choices: tuple[Any, ...]
    text: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot may have and use in one play. CPU is charged, wall time is only a safety net."""

    start_cpu_ms: int = 3000  # loading the script, once more for each play
    bank_ms: int = 1000  # CPU to begin each play with
    increment_ms: int = 20  # CPU added before each decision
    wall_factor: int = 5  # the net, for all of a play: this many times the CPU it was given ...
    wall_extra_ms: int = 5000  # ... and this
    sleep_ms: int = 2000  # neither computing nor kept from it, over all plays of a match
    memory_mb: int = 256
    line_bytes: int = 65536  # longest answer
    log_bytes: int = 16384  # of prints and tracebacks saved per play
    bundle_files: int = 200  # of a bot of several files ...
    bundle_bytes: int = 16 * 2**20  # ... all together, and of their archive; at most 64 MiB

    def wall_ms(self, cpu_ms: int) -> int:
        """How long a bot may take over so much CPU time, by the clock on the wall."""
        return cpu_ms * self.wall_factor + self.wall_extra_ms


class State(ABC):
    """One play under way: small, mutable, quick to copy.

    `events` is None in copies and in fresh states: then `apply` records no story and is fastest.
    Give it a list, and `apply` appends what everyone at the table sees, as small JSON dicts with
    an "event" key. Events are public: a secret never enters one.
    """

    __slots__ = ("chance", "events", "options", "seats", "to_act")

    game: ClassVar[Game]
    chance: Chance
    events: list[dict[str, Any]] | None
    options: Mapping[str, Any]
    seats: int
    to_act: Seat | None  # None when the play is over

    @property
    @abstractmethod
    def kind(self) -> str:
        """The decision now asked, one word ("cook"), or "" when the play is over."""

    @abstractmethod
    def legal(self) -> Sequence[Action]:
        """All legal actions in a fixed order; empty where they cannot be listed (a flick)."""

    @abstractmethod
    def apply(self, action: Action) -> None:
        """Play it for `to_act`; IllegalAction leaves the state as it was."""

    @abstractmethod
    def notation(self, action: Action) -> str:
        """The one canonical text of an action."""

    def notations(self, actions: Iterable[Action]) -> list[str]:
        """Those of many at once; a game with long lists may have a quicker way."""
        return [self.notation(action) for action in actions]

    @abstractmethod
    def parse(self, text: str) -> Action:
        """The action a text means, legal or not; UnreadableAction when it means none."""

    @abstractmethod
    def observe(self, seat: Seat | None) -> View:
        """What a seat may know, as JSON, built up from nothing; None sees everything.

        Every view has: game, seats, seat, options, to_act, kind, points (by seat; what a play
        graph shows). A seat's view is all that `Game.determinize` needs.
        """

    @abstractmethod
    def result(self) -> Result | None:
        """The outcome, or None while the play goes on."""

    @abstractmethod
    def copy(self) -> Self:
        """An independent twin that keeps no events."""

    @abstractmethod
    def audit(self) -> None:
        """AssertionError when an invariant of the rules is broken; for tests."""

    @abstractmethod
    def hidden_twin(self, seat: Seat, rng: Random) -> Self:
        """This state with all that the seat may not know dealt again; for tests of secrecy."""

    def phrase(self, action: Action) -> str:
        """The action in words, each verb as `<take|takes>`: to you, and of another."""
        return self.notation(action)

    def words(self, action: Action) -> str:
        """The action as people say it after a name: "takes Nori 3 from the fridge"."""
        return person.of_another(self.phrase(action))

    def order(self, action: Action) -> str:
        """The action as it is put to the one who may choose it: "Take Nori 3 from the fridge"."""
        return person.to_you(self.phrase(action))

    def is_legal(self, action: Action) -> bool:
        """Whether `apply` would accept the action."""
        return action in self.legal()

    def suggestions(self) -> Sequence[Action]:
        """Actions worth offering to a bot: all legal ones, or a menu where they are endless."""
        return self.legal()

    def ranges(self) -> dict[str, Any] | None:
        """The bounds of an action that cannot be listed, as JSON; None when `legal` lists all."""
        return None

    def sample(self, rng: Random) -> Action:
        """A random legal action."""
        return rng.choice(self.legal())

    def note(self) -> dict[str, Any] | None:
        """What a replay keeps beside the action just played, such as where discs came to rest.

        JSON that follows from the play; None, which is usual, keeps nothing.
        """
        return None

    def autopilot(self) -> Action:
        """What is played for a seat that has failed: the first legal action, the weakest throw."""
        return self.legal()[0]


class Game(ABC):
    """A rule set. Everything about it lives in the folder of its class."""

    slug: ClassVar[str]
    title: ClassVar[str]
    tagline: ClassVar[str]  # one short line for a card on the home page
    seats: ClassVar[range]
    rules_version: ClassVar[int]
    earlier: ClassVar[Mapping[int, Game]] = {}  # rules of past versions: they judge old replays
    options: ClassVar[Mapping[str, Option]] = {}
    limits: ClassVar[Limits] = Limits()
    # Decisions that only those are asked who can, by what they hold in secret.
    private_kinds: ClassVar[frozenset[str]] = frozenset()
    # Events after which onlookers see the table for a while, though the same decision goes on.
    pauses: ClassVar[frozenset[str]] = frozenset()
    points_name: ClassVar[str] = "points"  # what the score graph counts
    has_secrets: ClassVar[bool] = True  # whether seats know less than the table does

    @abstractmethod
    def new(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> State:
        """A fresh state; seats and options are already checked and complete."""

    @abstractmethod
    def deal_from(self, view: View, rng: Random) -> State:
        """What `determinize` gives; `view` is that of a seat."""

    @abstractmethod
    def text(self, view: View, names: Sequence[str]) -> str:
        """The view in plain words and lines: for playthroughs, terminals and screen readers.

        `names` says what to call each seat.
        """

    def story(self, events: Sequence[dict[str, Any]], names: Sequence[str], made: str) -> list[str]:
        """What a decision led to, in short sentences, one for each thing worth a look.

        `made` is the decision itself in words, or "" for an onlooker who may not know it.
        """
        lines = [f"{names[e['seat']]}: {e['event']}" if "seat" in e else e["event"] for e in events]
        return [made] if made else lines

    def determinize(self, view: View, rng: Random) -> State:
        """A random full state that looks exactly like this view to its seat.

        BadSetup for a view that is no seat's: who sees everything has nothing to guess.
        """
        if type(view.get("seat")) is not int:
            raise BadSetup("determinize guesses what a seat cannot see; this view sees everything")
        return self.deal_from(view, rng)

    def sides(self, seats: int) -> tuple[int, ...]:
        """Which side each seat plays for; by default everyone for themselves."""
        return tuple(range(seats))

    def rating_note(self, points: int, seats: int) -> str:
        """A word on a score, such as a solo star rating; usually nothing."""
        return ""

    def start(self, seats: int, chance: Chance, options: Mapping[str, Any] | None = None) -> State:
        """Begin a play; BadSetup says what is wrong with the seats or options."""
        if type(seats) is not int or seats not in self.seats:  # True and 2.0 are no counts
            raise BadSetup(
                f"{self.title} is for {self.seats[0]} to {self.seats[-1]} seats, not {seats!r}"
            )
        return self.new(seats, chance, self.full_options(options or {}))

    def at_version(self, rules_version: int) -> Game:
        """These rules as they stood at a version; BadSetup when they are no longer kept."""
        if rules_version == self.rules_version:
            return self
        if rules_version not in self.earlier:
            known = ", ".join(str(number) for number in (*self.earlier, self.rules_version))
            raise BadSetup(
                f"rules version {rules_version} of {self.title} is not known here; it knows {known}"
            )
        return self.earlier[rules_version]

    def full_options(self, chosen: Mapping[str, Any]) -> dict[str, Any]:
        """The chosen options with defaults filled in."""
        for name, value in chosen.items():
            option = self.options.get(name)
            if option is None:
                known = ", ".join(self.options)
                hint = f"its options are {known}" if known else "it has none"
                raise BadSetup(f"{self.title} has no option '{name}'; {hint}")
            if not any(
                value == choice and type(value) is type(choice) for choice in option.choices
            ):
                allowed = ", ".join(repr(choice) for choice in option.choices)
                raise BadSetup(f"option {name} is {value!r}; it can be {allowed}")
        return {name: option.default for name, option in self.options.items()} | dict(chosen)

    @property
    def folder(self) -> Path:
        """Where the game's rules text, bots, drawing and playthroughs lie."""
        return Path(inspect.getfile(type(self))).parent

    @property
    def rules_text(self) -> str:
        """The rules for players, as Markdown; empty while nobody has written them."""
        path = self.folder / "RULES.md"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    @cache  # noqa: B019 - a game lives as long as the process
    def anchors(self) -> dict[int, dict[str, tuple[float, float]]]:
        """Measured Elo and its error of the house bots, by seats and short name.

        They hold the scale of the ladders. `make anchors` measures them and writes the file; a
        game that was not measured yet has greedy alone to hold on to.
        """
        path = self.folder / "anchors.json"
        boards = json.loads(path.read_text(encoding="utf-8"))["boards"] if path.exists() else {}
        found = {seats: {"greedy": (1400.0, 0.0)} for seats in self.seats}
        for seats, board in boards.items():
            bots = board["bots"].items()
            found[int(seats)] = {name: (one["elo"], one["error"]) for name, one in bots}
        return found

    def house_bots(self) -> dict[str, Path]:
        """The bots that ship with the game, by short name."""
        found = sorted((self.folder / "bots").glob("*_bot.*"))
        return {path.stem.removesuffix("_bot"): path for path in found}
