"""What a sequential test says about the mean, free of the bias of when it stopped.

A test that stops at a bound stops at a moment of luck: the plain mean is then too far out. Here
outcomes are put in order, from "crossed the lower bound at once" to "crossed the upper bound at
once", and the true mean is taken for that at which the outcome lies in the middle of its
distribution; the ends of the interval are those at which it lies 2.5% from either end.

The sum of scores is taken for a Brownian motion between two bounds, whose distribution is a sum of
sines; the bounds are set a little wider, since a walk in steps crosses them a little late.
"""

import math
from dataclasses import dataclass

OVERSHOOT = 0.583  # of a step's deviation: Siegmund's correction for discrete steps
SMALL, TERMS = 1e-10, 2000
HALVINGS = 40


@dataclass(frozen=True, slots=True)
class Walk:
    """Steps with a mean to be estimated, stopped once their sum leaves [-bound, bound]."""

    steps: int
    deviation: float  # of a step
    bound: float
    end: float  # the sum at the end

    def mean_at(self, share: float) -> float:
        """The mean of a step at which ends this far up or further have this share."""
        reach = self.bound / self.deviation**2 + 50 / math.sqrt(self.steps)
        low, high = -reach * self.deviation, reach * self.deviation
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self.further_up(middle) < share:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def further_up(self, mean: float) -> float:
        """The chance that a walk with this mean passes above the observed end.

        That is: it leaves by the upper bound before, or is above `end` at that moment.
        """
        wide = self.bound + OVERSHOOT * self.deviation
        height = 2 * wide
        y = min(max(self.end + wide, 0.0), height)
        square = self.deviation**2
        lean = mean / square
        if abs(lean) * wide > 300:
            return float(lean > 0)
        decay = square * (math.pi / height) ** 2 / 2 * self.steps
        shrink = -(mean**2) / square / 2 * self.steps + lean * (y - wide)
        total = 0.0
        for n in range(1, TERMS):
            weight = math.exp(max(-700.0, shrink - decay * n * n))
            angle = math.pi * n / height
            slope = height * lean * math.sin(angle * y) - math.pi * n * math.cos(angle * y)
            total += (
                weight
                * 2
                * slope
                / ((height * lean) ** 2 + (math.pi * n) ** 2)
                * (math.sin(angle * wide))
            )
            if weight < SMALL:
                break
        return min(1.0, max(0.0, _leaves_above(lean, height) - total))


def _leaves_above(lean: float, height: float) -> float:
    """The chance to leave by the upper bound, from the middle, in the end."""
    return 1 / (1 + math.exp(-lean * height)) if abs(lean * height) < 700 else float(lean > 0)
