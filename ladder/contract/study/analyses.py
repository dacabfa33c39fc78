"""What stored analyses say about a bot: expensive decisions, regret, luck and skill."""

from __future__ import annotations

from typing import Annotated

from ladder.contract import Value, about

PHASES = ("opening", "middle", "end")  # thirds of a play, by its decisions
CASES_FORMAT = "ladle-cases/1"


class Expensive(Value, frozen=True, kw_only=True):
    """A decision that was marked, and what would have been better."""

    match: int
    play: int
    seat: int
    version: int
    before: Annotated[int, about("Step of the position in which the bot decided.")]
    step: Annotated[int, about("Step after the decision.")]
    kind: str
    mark: str
    played: str
    best: str
    regret: Annotated[float, about("Points of expected share, from 0 to 100.")]
    error: Annotated[float, about("Standard error of the regret.")]
    sentence: str


class Loss(Value, frozen=True, kw_only=True):
    """Points lost per 100 unforced decisions, with a 95% interval."""

    decisions: int
    plays: int
    lost: float
    low: Annotated[float | None, about("Null before two plays.")]
    high: float | None


class LossRow(Value, frozen=True, kw_only=True):
    """One kind of decision, or one phase of a play, by those compared."""

    name: str
    losses: Annotated[list[Loss | None], about("In the order of `columns`; null: no decision.")]


class Mean(Value, frozen=True, kw_only=True):
    """Mean points per play with a 95% interval."""

    mean: float
    low: Annotated[float | None, about("Null before two plays.")]
    high: float | None


class Balance(Value, frozen=True, kw_only=True):
    """A result apart from 50 points: luck + own decisions + decisions of others."""

    name: str
    bot: Annotated[int | None, about("The opponent; null in other rows.")] = None
    version: int | None = None
    plays: int
    result: Mean
    luck: Mean
    own: Mean
    others: Mean

    @property
    def parts(self) -> list[Mean]:
        return [self.result, self.luck, self.own, self.others]


class BotAnalysis(Value, frozen=True, kw_only=True):
    """What the newest analysed plays of a bot on one board say about it."""

    game: str
    seats: int
    plays: Annotated[int, about("Analysed plays that were looked at.")]
    is_judged: Annotated[bool, about("False where the game's analyst is not validated.")]
    expensive: list[Expensive]
    columns: Annotated[list[str], about("Who is compared in `overall`, `phases` and `kinds`.")]
    overall: LossRow
    phases: list[LossRow]
    kinds: list[LossRow]
    balance: Annotated[list[Balance], about("All plays, then by version, then by opponent.")]

    @property
    def overall_rows(self) -> list[LossRow]:
        return [self.overall]

    @property
    def compared(self) -> list[int]:
        """The versions in `columns`."""
        return [int(name[1:]) for name in self.columns if name[1:].isdecimal()]
