"""A game at a number of seats, as spaces of numbers: observations, actions, masks, rewards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
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
from ladle.errors import Refusal
from ladle.rl.scale import FARTHEST, Scale, measure

Observation = dict[str, NDArray[Any]]
SUGGESTED = "suggestion 0"
_scales: dict[tuple[Any, ...], Scale] = {}


class Board:
    """The spaces of a board, and how to go from a state to numbers and back.

    An observation is `observation`, the features of the seat's view from 0 to 1, and
    `action_mask`, a 1 for each action that is allowed now. Action n is `actions[n]`, a text; a
    throw of Safranito is the place of a suggestion.

    With `scaled` the numbers are in standard deviations, from -5 to 5: see `Scale`.

    With `throws` it is free, and every action is five numbers from 0 to 1, allowed in every
    position: a throw, or else the first of them picks one of the legal actions. There is no mask.
    """

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, Any] | None = None,
        *,
        throws: bool = False,
        scaled: bool = False,
    ) -> None:
        self.game = games.get(game)
        self.seats = seats
        self.options = self.game.full_options(options or {})
        encoding = import_module(f"{type(self.game).__module__.rpartition('.')[0]}.encoding")
        self.features = encoding.features
        self.layout = encoding.layout(seats)
        self.throws = throws
        self.actions: tuple[str, ...] = encoding.actions()
        self._index = {text: number for number, text in enumerate(self.actions)}
        self._first_suggested = self._index.get(SUGGESTED, len(self.actions))
        self._has_suggestions = SUGGESTED in self._index
        self._known: dict[Action, int] = {}  # numbers of actions, once they were looked up
        seen: dict[str, spaces.Space[Any]] = {}
        self.scale = self.measured() if scaled else None
        low, high = (-FARTHEST, FARTHEST) if scaled else (0, 1)
        seen["observation"] = spaces.Box(low, high, (self.layout.size,), np.float32)
        self.action_space: spaces.Space[Any] = spaces.Discrete(len(self.actions))
        if not throws:
            seen["action_mask"] = spaces.Box(0, 1, (len(self.actions),), np.int8)
        elif not hasattr(encoding, "throw"):
            raise Refusal(f"{self.game.title} has no throws.")
        else:
            self._throw = encoding.throw
            self.action_space = spaces.Box(0, 1, (len(encoding.THROW),), np.float32)
        self.observation_space = spaces.Dict(seen)

    def start(self, rng: Random) -> State:
        """A fresh play by this luck."""
        return self.game.start(self.seats, RandomChance(rng), self.options)

    def observe(self, state: State, seat: int) -> Observation:
        """What a seat sees, and what it may do if it is to act."""
        rows = self.rows([(state, seat)])
        if self.throws:
            return {"observation": rows[0]}
        return {"observation": rows[0], "action_mask": self.mask(state, seat)}

    def mask(self, state: State, seat: int) -> NDArray[np.int8]:
        """A 1 for each action that the seat may take now; none if it is not to act."""
        masks = self.masks([self.allowed(state) if state.to_act == seat else ()])
        return np.asarray(masks[0], np.int8)

    def measured(self) -> Scale:
        """The scale of this board, measured once in a process."""
        key = self.game.slug, self.seats, tuple(sorted(self.options.items()))
        if key not in _scales:
            _scales[key] = measure(self.game, self.seats, self.options, self.exact_rows)
        return _scales[key]

    def rows(self, seen: Sequence[tuple[State, int | None]]) -> NDArray[np.float32]:
        """What seats see, a row for each, scaled if the board is."""
        rows = self.exact_rows(seen)
        return rows if self.scale is None else self.scale(rows)

    def exact_rows(self, seen: Sequence[tuple[State, int | None]]) -> NDArray[np.float32]:
        """What seats see in numbers from 0 to 1, a row for each; `layout` reads them back.

        Most numbers are zeros, so only the others are written, and all rows at once.
        """
        size = self.layout.size
        found: defaultdict[int, float] = defaultdict(float)
        for place, (state, seat) in enumerate(seen):
            self.layout.put(self.features(state.observe(seat)), found, place * size)
        rows = np.zeros(len(seen) * size, np.float32)
        where = np.fromiter(found, np.intp, len(found))
        rows[where] = np.fromiter(found.values(), np.float32, len(found))
        return rows.reshape(len(seen), size)

    def masks(self, allowed: Sequence[Collection[int]]) -> NDArray[np.int8]:
        """A row for each collection of numbers of actions, with a 1 for each of them."""
        masks = np.zeros((len(allowed), len(self.actions)), np.int8)
        for mask, numbers in zip(masks, allowed, strict=True):
            if isinstance(numbers, range):
                mask[numbers.start : numbers.stop] = 1
            else:
                mask[list(numbers)] = 1
        return masks

    def allowed(self, state: State) -> dict[int, Action]:
        """The actions of the seat to act, by their number."""
        choices = state.suggestions()
        return dict(zip(self.numbers(state, choices), choices, strict=False))

    def numbers(self, state: State, choices: Sequence[Action]) -> Sequence[int]:
        """The numbers of the choices of the seat to act; suggestions past the last have none."""
        if self._has_suggestions and not state.legal():
            first = self._first_suggested
            return range(first, min(first + len(choices), len(self.actions)))
        known = self._known
        try:
            return [known[action] for action in choices]
        except KeyError:
            for action in choices:
                known[action] = self._index[state.notation(action)]
            return [known[action] for action in choices]

    def meant(self, state: State, action: Any) -> Action | None:
        """The game's action that an action of the space stands for; None if it is not allowed."""
        if self.throws:
            return self.free(state, np.asarray(action).tolist())
        return None if action is None else self.allowed(state).get(int(action))

    def free(self, state: State, numbers: Sequence[float]) -> Action:
        """What five numbers stand for: a throw, or a legal action by the first of them."""
        if legal := state.legal():
            return legal[min(int(numbers[0] * len(legal)), len(legal) - 1)]
        return self._throw(state, numbers)

    def rewards(self, state: State) -> list[float]:
        """By seat, from -1 (all others were better) to 1 (all were worse); solo, the points."""
        return self.ending(state)[0]

    def ending(self, state: State) -> tuple[list[float], Sequence[int]]:
        """The rewards and the points of a play that is over, by seat."""
        result = state.result()
        assert result is not None
        if self.seats == 1:
            return [float(result.points[0])], result.points
        return list(_rewards(self.game.sides(self.seats), result.places)), result.points


@cache
def _rewards(sides: tuple[int, ...], places: tuple[int, ...]) -> tuple[float, ...]:
    place = dict(zip(sides, places, strict=True))
    row = [place[side] for side in sorted(place)]
    shares = [share_beaten([row], side) or 0 for side in range(len(row))]
    return tuple(float(2 * shares[side] - 1) for side in sides)
