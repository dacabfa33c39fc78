"""Many plays of a board at once, in one process, as a Gymnasium vector environment: self play."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from operator import attrgetter, getitem
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from engine.game import Action, State
from ladle.rl.board import Board

_to_act = attrgetter("to_act")


class TablesEnv(VectorEnv[Any, Any, Any]):
    """Plays side by side; in each the seat to act is asked, so that one learner holds all seats.

    A step is a decision at every table. The observation is that of the seat to act now: `seats`
    says which it is. The reward is that of the seat that has just acted, when the play ends;
    `info["rewards"]` then has those of all its seats, a row for each table, and `info["points"]`
    their points. A play that has ended makes way for the next at once. `states` are the plays
    under way, by the rules engine.

    With `encoded=False` nothing is turned into numbers: the observation is how many choices the
    seat has (none where it throws freely), and the action is the place of one in `choices`. That
    is quickest, for features of your own or for plays that need none.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: str,
        seats: int,
        num_envs: int,
        *,
        options: Mapping[str, Any] | None = None,
        throws: bool = False,
        scaled: bool = False,
        encoded: bool = True,
    ) -> None:
        self.board = Board(game, seats, options, throws=throws, scaled=scaled)
        self.num_envs = num_envs
        self.encoded = encoded
        count = len(self.board.actions)
        self.single_action_space = self.board.action_space
        self.single_observation_space = (
            self.board.observation_space if encoded else spaces.Discrete(count + 1)
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.states: list[State] = []
        self.choices: list[Sequence[Action]] = []
        self._numbers: list[Sequence[int]] = []  # of the choices
        self._rng = Random()

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act at each table."""
        return np.array([state.to_act for state in self.states])

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        self._rng = Random(int(self.np_random.integers(2**53)))
        self.states = [self.board.start(self._rng) for _ in range(self.num_envs)]
        self.choices = self._listed()
        return self._observed(), {}

    def step(self, actions: Any) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], Any]:
        states, acted = self.states, list(map(_to_act, self.states))
        rewards = np.zeros(self.num_envs)
        ended = np.zeros(self.num_envs, np.bool_)
        everyones = np.zeros((self.num_envs, self.board.seats))
        points = np.zeros((self.num_envs, self.board.seats))
        # No loop of our own over all tables: it would take as long as the rules of a short game.
        deque(map(type(states[0]).apply, states, self._meant(actions)), maxlen=0)
        acting = list(map(_to_act, states))
        if None in acting:
            for place in (at for at, seat in enumerate(acting) if seat is None):
                everyones[place], points[place] = self.board.ending(states[place])
                rewards[place] = everyones[place, acted[place]]
                ended[place] = True
                states[place] = self.board.start(self._rng)
        self.choices = self._listed()
        never = np.zeros(self.num_envs, np.bool_)
        info = {"rewards": everyones, "points": points}
        return self._observed(), rewards, ended, never, info

    def _listed(self) -> list[Sequence[Action]]:
        # The class's own function: a method that is looked up by name takes three times as long.
        kind = type(self.states[0])
        return list(map(kind.legal if self.board.throws else kind.suggestions, self.states))

    def _meant(self, actions: Any) -> list[Action]:
        """The game's actions that are meant; ValueError for one that is not allowed."""
        numbers = np.asarray(actions).tolist()
        if self.board.throws:
            return list(map(self.board.free, self.states, numbers))
        try:
            places = numbers
            if self.encoded:
                places = [own.index(n) for own, n in zip(self._numbers, numbers, strict=True)]
            if len(places) == self.num_envs and min(places) >= 0:
                return list(map(getitem, self.choices, places))
        except (ValueError, IndexError):
            pass
        known = self._numbers if self.encoded else list(map(range, map(len, self.choices)))
        wrong = next(p for p, number in enumerate(numbers) if number not in known[p])
        raise ValueError(f"action {numbers[wrong]} is not allowed at table {wrong}")

    def _observed(self) -> Any:
        if not self.encoded:
            return np.fromiter(map(len, self.choices), np.int64, self.num_envs)
        board = self.board
        rows = board.rows([(state, state.to_act) for state in self.states])
        if board.throws:
            return {"observation": rows}
        self._numbers = list(map(board.numbers, self.states, self.choices))
        return {"observation": rows, "action_mask": board.masks(self._numbers)}
