"""A share of wins with its interval."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Share:
    """A share with its interval, as positions from 0 to 100."""

    share: float
    low: float
    high: float
    n: int

    @property
    def point_x(self) -> float:
        return round(100 * self.share, 1)

    @property
    def low_x(self) -> float:
        return round(100 * self.low, 1)

    @property
    def reach(self) -> float:
        return round(100 * (self.high - self.low), 1)
