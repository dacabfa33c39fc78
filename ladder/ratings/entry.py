"""With what rating a bot or a version enters a board, and when it counts."""

from collections.abc import Iterable
from statistics import median

from ladder.ratings.elo import MILLI, Standing

START_MILLI = 1500 * MILLI
ESTABLISHED_GAMES = 30
INHERITED_GAMES = 20


def is_provisional(standing: Standing) -> bool:
    """Whether a version has too few games to be ranked; anchors never are provisional."""
    return standing.n < ESTABLISHED_GAMES and not standing.is_anchor


def new_bot(board: Iterable[Standing]) -> Standing:
    """A new bot starts at the median of the established versions, 1500 if there are none."""
    established = [one.milli for one in board if not one.is_anchor and not is_provisional(one)]
    return Standing(round(median(established)) if established else START_MILLI, 0.0)


def new_version(parent: Standing) -> Standing:
    """A new version starts at its parent's rating, but soon moves again: n = min(n, 20)."""
    return Standing(parent.milli, min(parent.n, float(INHERITED_GAMES)))


def peak(history: Iterable[Standing]) -> int | None:
    """The best rating, in milli-Elo, held while established; None if never established."""
    return max((one.milli for one in history if not is_provisional(one)), default=None)
