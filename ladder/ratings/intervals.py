"""Intervals shown beside shares and means."""

import math
from collections.abc import Sequence
from statistics import NormalDist

NORMAL = NormalDist()
Z95 = NORMAL.inv_cdf(0.975)


OPEN_ELO = 400.0  # an end so far away says nothing


def interval_in_words(value: float, low: float, high: float) -> str:
    """An interval as people read it: "1423 to 1690", "at least 2069", "at most 870"."""
    if low == high:
        return "fixed"  # the one bot of a board that the others are measured by
    below, above = value - low, high - value
    if max(below, above) <= OPEN_ELO:
        return f"{low:.0f} to {high:.0f}"
    if min(below, above) > OPEN_ELO and max(below, above) < 2 * min(below, above):
        return "anything yet"
    return f"at least {low:.0f}" if above > below else f"at most {high:.0f}"


def wilson(successes: float, n: float, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share; (0, 1) when nothing was tried."""
    if n == 0:
        return 0.0, 1.0
    share = successes / n
    centre = share + z * z / (2 * n)
    reach = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    return max(0.0, (centre - reach) / scale), min(1.0, (centre + reach) / scale)


def mean_and_error(values: Sequence[float]) -> tuple[float, float | None]:
    """The mean and its standard error; the error is None for fewer than two values."""
    if not values:
        raise ValueError("no values to average")
    mean = math.fsum(values) / len(values)
    if len(values) == 1:
        return mean, None
    squares = math.fsum((value - mean) ** 2 for value in values)
    return mean, math.sqrt(squares / (len(values) - 1) / len(values))


def mean_of_sums(n: int, total: float, squares: float) -> tuple[float, float] | None:
    """The mean and its standard error from a sum and a sum of squares; None before two values."""
    if n < 2:
        return None
    mean = total / n
    return mean, math.sqrt(max(0.0, squares / n - mean**2) / (n - 1))
