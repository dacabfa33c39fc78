"""What a game brings for its analysis: `engine/games/X/analyst.py` with an `ANALYST`.

It is found by its place. A game without one is analysed by its greedy bot, roughly.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, ClassVar, TypeVar

from engine.analysis import exact
from engine.analysis.shares import Shares, shares_of
from engine.analysis.tape import Tape
from engine.chance import Chance
from engine.game import Action, Game, Seat, State, View
from engine.games import get
from engine.script import compiled

AnyState = TypeVar("AnyState", bound=State)


class Trust(StrEnum):
    """How far an analyst may be believed."""

    VALIDATED = "validated"  # planted blunders are found, strong play is not blamed
    UNVALIDATED = "unvalidated"  # a curve, but no marks: nobody has measured whether they are true
    ROUGH = "rough"  # the game brings no analyst; its greedy bot plays on


@dataclass(frozen=True, slots=True)
class Settings:
    """A budget, in rollouts."""

    first: int  # worlds in which all candidates of a decision are tried
    pairs: int  # fresh worlds in which the best one is compared with the one played
    worlds: int  # lucks to come that a point of the curve is the mean of
    checks: int = 0  # worlds in which a slower judge looks at what is to be marked; 0: it does not


class Analyst(ABC):
    """Judges the plays of a game: a policy to play on with, and the moves worth comparing.

    The policy reads no more of a state than its seat may know; else an action would be praised
    for what nobody could see.
    """

    slug: ClassVar[str]  # of the game
    name: ClassVar[str]  # whose play it is: "Cook, of House Chef"
    version: ClassVar[int]  # raised whenever its numbers change
    trust: ClassVar[Trust] = Trust.VALIDATED
    budgets: ClassVar[Mapping[str, Settings]]  # "quick", "standard", "thorough"

    @property
    def game(self) -> Game:
        return get(self.slug)

    @abstractmethod
    def act(self, state: Any) -> Action:
        """What the policy plays for the seat to act."""

    @abstractmethod
    def play_out(self, state: Any, until: int) -> Shares:
        """Play on by the policy and say what each seat gets, or may expect where it stops.

        `until` is what `horizon` gave for the table before the action that is tried.
        """

    def horizon(self, state: Any) -> int:
        """Up to where a table is played on; by default to the end."""
        return 0

    def candidates(self, state: Any) -> Sequence[Action]:
        """The actions worth comparing; by default all."""
        return state.legal()  # type: ignore[no-any-return]

    def luck(self, seed: str) -> Chance:
        """The luck to come in a guessed world."""
        return Tape(seed)

    def world(self, base: Any, view: View, seed: str) -> State:
        """A guess of what the seat could not see. `base` is one such guess, ready to be copied."""
        if self.game.has_secrets:
            return self.game.determinize(view, Random(seed))
        twin: State = base.copy()
        return twin

    def with_other_luck(self, state: AnyState, number: int, seed: str) -> AnyState:
        """The very table with other luck to come: the same `number`, the same luck."""
        return copied(state, self.luck(f"{seed}/{number}"))

    def result(self, state: State) -> Shares:
        """What each seat got in a play that is over."""
        result = state.result()
        assert result is not None
        return shares_of(result.places, self.game.sides(state.seats))

    def reason(self, state: Any, seat: Seat, played: Action, best: Action) -> str:
        """Why the other action is better, in a short sentence, where the game knows."""
        return ""

    @cache  # noqa: B019 - an analyst lives as long as the process
    def fingerprint(self) -> str:
        """SHA-256 over the sources that its numbers depend on."""
        digest = sha256()
        for path in sorted(self._sources()):
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()

    def _sources(self) -> set[Path]:
        own = {*Path(__file__).parent.glob("*.py")}
        bots = (self.game.folder / "bots").glob("*_bot.py")
        return own | {*self.game.folder.glob("*.py")} | {*bots}


def copied(state: AnyState, chance: Chance) -> AnyState:
    """A twin of a state with luck of its own. The luck of a replay cannot be forked."""
    own, state.chance = state.chance, chance
    try:
        return state.copy()
    finally:
        state.chance = own


@cache
def bot(slug: str, short: str) -> ModuleType:
    """A house bot's file as a module, with arithmetic that is the same everywhere.

    Its policy is used rather than copied. It cannot lie in the engine: its text is what the
    anchors of the ratings were measured with.
    """
    path = get(slug).house_bots()[short]
    module = ModuleType(f"{slug}_{short}")
    vars(module)["sum"] = exact.plain_sum
    exec(compiled(path.read_text(encoding="utf-8"), path.name), vars(module))
    for name in ("exp", "log"):
        if hasattr(module, name):
            setattr(module, name, getattr(exact, name))
    return module


@cache
def analyst_for(game: Game) -> Analyst:
    """That of the game's folder, or its greedy bot."""
    module = f"engine.games.{game.slug}.analyst"
    if find_spec(module) is not None:
        analyst: Analyst = import_module(module).ANALYST
        return analyst
    from engine.analysis.rough import Rough

    return Rough(game)
