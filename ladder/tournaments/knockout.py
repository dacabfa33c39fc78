"""Who goes on from a knockout table, and when it needs another set."""

from collections.abc import Sequence
from dataclasses import dataclass

from ladder.tournaments.format import Score, SetScore
from ladder.tournaments.standings import shown

EXTRA_SETS = 20  # two copies of one bot may split every set there is


@dataclass(frozen=True, slots=True)
class Decision:
    """The winner's seed, or None while another set must be played; and why."""

    winner: int | None
    reason: str

    @property
    def needs_set(self) -> bool:
        """Whether another set must be played."""
        return self.winner is None


def knockout_winner(
    entrants: Sequence[int], sets: Sequence[SetScore], planned: int = 1
) -> Decision:
    """Decide a table of two after the sets so far.

    The planned sets count together. If they are level, extra sets are played until one is won.
    The last resort, after twenty of them, is the larger margin in game points, then the better
    seed.
    """
    if len(sets) < planned:
        return Decision(None, f"set {len(sets) + 1} of {planned} is to be played")
    a, b = (sum(one.shares[i] for one in sets) for i in (0, 1))
    if a != b:
        extra = len(sets) - planned
        how = f"after {extra} extra set{'s' if extra > 1 else ''}" if extra else "on score"
        best, rest = max(a, b), min(a, b)
        winner = entrants[0] if a > b else entrants[1]
        return Decision(winner, f"won {how}, {shown(best)} to {shown(rest)}")
    if len(sets) < planned + EXTRA_SETS:
        return Decision(None, f"drawn: extra set {len(sets) - planned + 1} of {EXTRA_SETS}")
    p, q = (sum(one.points[i] for one in sets if one.points) for i in (0, 1))
    if p != q:
        winner = entrants[0] if p > q else entrants[1]
        return Decision(
            winner, f"drawn; the larger margin, {shown(max(p, q))} to {shown(min(p, q))}"
        )
    return Decision(min(entrants), "drawn in every way; the better seed goes on")


def winner_of(score: Score, planned: int) -> int | None:
    """The seed that goes on from a table, None while it is undecided."""
    if score.table.is_bye:
        return score.table.entrants[0]
    return knockout_winner(score.table.entrants, score.sets, planned).winner
