"""Arithmetic that gives the same bits everywhere: `math` and `sum` differ between libraries.

C libraries round `exp` and `log` differently, and from Python 3.12 on `sum` keeps what rounding
loses. Here everything is made of + - * /, one after the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

LN2 = 0.6931471805599453
TERMS = 14  # enough for the last bit but one between -ln2/2 and ln2/2


def exp(x: float) -> float:
    """e to the power of x."""
    if x < -700.0:
        return 0.0
    x = min(x, 700.0)
    twos = int(x / LN2 + (0.5 if x >= 0 else -0.5))
    rest = x - twos * LN2
    total = 1.0
    for n in range(TERMS, 0, -1):
        total = 1.0 + total * rest / n
    return total * 2.0**twos


@cache  # bots ask for few different numbers, again and again
def log(x: float) -> float:
    """The natural logarithm of a positive number."""
    twos = 0
    while x > 1.5:
        x /= 2.0
        twos += 1
    while x < 0.75:
        x *= 2.0
        twos -= 1
    ratio = (x - 1.0) / (x + 1.0)
    square = ratio * ratio
    total = 0.0
    for n in range(41, 0, -2):
        total = total * square + 1.0 / n
    return 2.0 * ratio * total + twos * LN2


def plain_sum(values: Iterable[Any], start: Any = 0) -> Any:
    """As the builtin up to Python 3.11."""
    for value in values:
        start = start + value
    return start


def chance_to_beat(margin: float) -> float:
    """The logistic function, exactly one in sum with that of the opposite margin."""
    if margin < 0:
        return 1.0 - chance_to_beat(-margin)
    return 1.0 / (1.0 + exp(-margin))
