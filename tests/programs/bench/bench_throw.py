"""A throw among eight lying discs beside the same table in pymunk, a C physics engine.

Pymunk's table: four walls, discs of the same size, mass and bounce, no spin, the same friction
(2500 mm/s² against the way), stepped until all lie still. Two worlds: friction as a velocity
function, and as joints that hold each disc to the table with a greatest force, which is
Chipmunk's own idiom and calls no Python. Our step is 1 to 4 ms long, theirs always 2 ms. Worlds
are built once; putting the discs in place is on the stopwatch on both sides.
"""

from __future__ import annotations

from math import hypot, sqrt
from random import Random
from statistics import median
from time import thread_time_ns
from typing import Any

import pymunk

from engine.chance import RandomChance
from engine.games import GAMES
from engine.games.safranito import board
from engine.games.safranito.physics import BOUNCE, SLOWING
from tests.programs.bench.rows import Progress, Row

LYING = 8
THROWS = 400
STEP = 0.002
STEPS_BETWEEN_LOOKS = 5  # asking whether all lie still costs pymunk time, so not at every step
RADIUS = 20.0
ELASTICITY = 0.85
FAR = 0.5  # mm/s that counts as lying still

NOTE = (
    f"Throw: `apply` of a random legal throw among {LYING} lying discs, aim error and regions"
    " included, against pymunk's steps of 2 ms until all discs lie still, each throw on both."
)


def run(progress: Progress) -> list[Row]:
    quick, slow = World(joints=True), World(joints=False)
    took: list[tuple[float, float, float]] = []
    for number, (state, throw) in enumerate(tables(Random(1))):
        if number % 20 == 0:
            progress(f"throws, {number} of {THROWS}")
        disc = thrown(state, throw)
        places = list(zip(state.xs, state.ys, strict=True))
        twin = state.copy()
        began = thread_time_ns()
        twin.apply(throw)
        mine = thread_time_ns() - began
        took.append((mine, quick.throw(places, *disc), slow.throw(places, *disc)))
    ours, joints, function = (median(column) / 1000 for column in zip(*took, strict=True))
    name = f"Safranito: a throw among {LYING} lying discs"
    return [
        Row(f"{name} v pymunk, friction by velocity function", "us", ours, function, 0.5),
        Row(f"{name} v pymunk, friction by joints", "us", ours, joints, 0.5),
    ]


def tables(rng: Random) -> Any:
    """States of random plays in which a throw is due among so many discs, with a throw each."""
    found = 0
    while found < THROWS:
        state = GAMES["safranito"].start(4, RandomChance(rng))
        while state.to_act is not None and found < THROWS:
            action = state.sample(rng)
            if state.ranges() and len(state.xs) == LYING:
                found += 1
                yield state, action
            state.apply(action)


Point = tuple[float, float]


def thrown(state: Any, throw: board.Throw) -> tuple[Point, Point]:
    """Where the thrown disc begins, and its velocity."""
    x, y = board.start(state.side(), throw[1])
    dx, dy = throw[2] / board.MICRO - x, throw[3] / board.MICRO - y
    speed = sqrt(2 * SLOWING * throw[4] / board.MICRO) / hypot(dx, dy)
    return (x, y), (dx * speed, dy * speed)


class World:
    """A table with nine discs, used again for every throw."""

    def __init__(self, *, joints: bool) -> None:
        self.space = pymunk.Space()
        size = float(board.SIZE)
        corners = [(0.0, 0.0), (size, 0.0), (size, size), (0.0, size)]
        for start, end in zip(corners, corners[1:] + corners[:1], strict=True):
            wall = pymunk.Segment(self.space.static_body, start, end, 1)
            wall.elasticity = BOUNCE / ELASTICITY  # pymunk multiplies the two
            self.space.add(wall)
        self.discs = [self._disc(joints=joints) for _ in range(LYING + 1)]

    def _disc(self, *, joints: bool) -> pymunk.Body:
        body = pymunk.Body(1, float("inf"))
        shape = pymunk.Circle(body, RADIUS)
        shape.elasticity = ELASTICITY
        self.space.add(body, shape)
        if joints:
            rub = pymunk.PivotJoint(self.space.static_body, body, (0, 0), (0, 0))
            rub.max_bias = 0  # it never pulls back, it only takes speed away
            rub.max_force = SLOWING
            self.space.add(rub)
        else:
            body.velocity_func = _slow_down
        return body

    def throw(self, places: list[Point], start: Point, velocity: Point) -> float:
        """Nanoseconds of CPU from putting the discs in place to all of them lying still."""
        began = thread_time_ns()
        for disc, place in zip(self.discs, [*places, start], strict=True):
            disc.position = place
            disc.velocity = (0, 0)
        self.discs[-1].velocity = velocity
        step = self.space.step
        while True:
            for _ in range(STEPS_BETWEEN_LOOKS):
                step(STEP)
            if all(disc.velocity.length < FAR for disc in self.discs):
                return thread_time_ns() - began


def _slow_down(body: pymunk.Body, gravity: object, damping: float, dt: float) -> None:
    velocity = body.velocity
    speed = velocity.length
    if speed:
        body.velocity = velocity * (max(0.0, speed - SLOWING * dt) / speed)
