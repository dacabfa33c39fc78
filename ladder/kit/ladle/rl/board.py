"""A game at a number of seats, as spaces of numbers: observations, actions, masks, rewards."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from engine import games
from engine.chance import RandomChance
from engine.game import Action, State
from engine.results import share_beaten

Observation = dict[str, NDArray[Any]]
SUGGESTED = "suggestion 0"


class Board:
    """The spaces of a board, and how to go from a state to numbers and back.

    An observation is `observation`, the features of the seat's view from 0 to 1, and
    `action_mask`, a 1 for each action that is allowed now. Action n is `actions[n]`, a text; a
    throw of Safranito is the place of a suggestion.
    """

    def __init__(self, game: str, seats: int, options: Mapping[str, Any] | None = None) -> None:
        self.game = games.get(game)
        self.seats = seats
        self.options = self.game.full_options(options or {})
        encoding = import_module(f"{type(self.game).__module__.rpartition('.')[0]}.encoding")
        self.features = encoding.features
        self.layout = encoding.layout(seats)
        self.actions: tuple[str, ...] = encoding.actions()
        self._index = _indices(game)
        self._suggested = self._index.get(SUGGESTED, len(self.actions))
        self.action_space = spaces.Discrete(len(self.actions))
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (self.layout.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.actions),), np.int8),
            }
        )

    def start(self, rng: Random) -> State:
        """A fresh play by this luck."""
        return self.game.start(self.seats, RandomChance(rng), self.options)

    def observe(self, state: State, seat: int) -> Observation:
        """What a seat sees, and what it may do if it is to act."""
        row = self.layout.row(self.features(state.observe(seat)))
        mask = np.zeros(len(self.actions), np.int8)
        if state.to_act == seat:
            mask[list(self.allowed(state))] = 1
        return {"observation": np.array(row, np.float32), "action_mask": mask}

    def allowed(self, state: State) -> dict[int, Action]:
        """The actions of the seat to act, by their number."""
        if state.ranges() is None:
            return {self._index[state.notation(action)]: action for action in state.legal()}
        most = len(self.actions) - self._suggested
        return dict(enumerate(state.suggestions()[:most], start=self._suggested))

    def rewards(self, state: State) -> list[float]:
        """By seat, from -1 (all others were better) to 1 (all were worse); solo, the points."""
        result = state.result()
        assert result is not None
        if self.seats == 1:
            return [float(result.points[0])]
        sides = self.game.sides(self.seats)
        place = dict(zip(sides, result.places, strict=True))
        row = [place[side] for side in sorted(place)]
        shares = [share_beaten([row], side) or 0 for side in range(len(row))]
        return [float(2 * shares[side] - 1) for side in sides]


@cache
def _indices(game: str) -> dict[str, int]:
    encoding = import_module(f"{type(games.get(game)).__module__.rpartition('.')[0]}.encoding")
    return {text: number for number, text in enumerate(encoding.actions())}
