"""A board's ratings as a fit works on them: plain values, of thousands of versions at once.

Rows of models would take most of the time of a fit: one for the rating, its version and its bot.
"""

from __future__ import annotations

from dataclasses import dataclass

from ladder.boards import Board
from ladder.models import Rating
from ladder.ratings.fit import Rated


@dataclass(slots=True)
class Standing:
    """A rating that may be moved, and what a fit asks about its version and bot."""

    pk: int
    version: int
    milli: int
    low_milli: int
    high_milli: int
    luck_milli: int
    variance: float
    is_provisional: bool
    is_settled: bool
    sets: int
    plays: int
    score_sum: float
    points_sum: float
    points_square_sum: float
    is_anchor: bool
    is_listed: bool
    retest_until: int
    band: int | None
    number: int  # of the version
    parent: int | None
    line: int  # the version whose rating it has
    essence: str
    bot: int
    bot_name: str
    owner: int
    is_house: bool
    house_slug: str
    active: int | None  # the version that the bot plays with

    @property
    def is_active(self) -> bool:
        return self.active == self.version

    @property
    def elo(self) -> float:
        return self.milli / 1000

    @property
    def rated(self) -> Rated:
        low, high = self.low_milli / 1000, self.high_milli / 1000
        return Rated(self.elo, low, high, self.sets, self.variance)


COLUMNS = (
    *("pk", "version_id", "milli", "low_milli", "high_milli", "luck_milli", "variance"),
    *("is_provisional", "is_settled"),
    *("sets", "plays", "score_sum", "points_sum", "points_square_sum"),
    *("is_anchor", "is_listed", "retest_until", "band"),
    *("version__number", "version__parent_id", "version__same_as_id", "version__essence"),
    *("version__bot_id", "version__bot__name", "version__bot__owner_id"),
    *("version__bot__is_house", "version__bot__house_slug", "version__bot__active_version_id"),
)
VERSION, LINE = COLUMNS.index("version_id"), COLUMNS.index("version__same_as_id")


def standings(board: Board) -> dict[int, Standing]:
    """Every rating on a board, by version."""
    found = {}
    for stored in Rating.objects.on(board).order_by("pk").values_list(*COLUMNS):
        values = list(stored)
        values[LINE] = values[LINE] or values[VERSION]  # the same as no other one: its own line
        found[values[VERSION]] = Standing(*values)
    return found
