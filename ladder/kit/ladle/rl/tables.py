"""Many plays of a board at once, in one process, as a Gymnasium vector environment: self play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import getitem, methodcaller
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from engine.game import Action, State
from ladle.rl.board import Board


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
        encoded: bool = True,
    ) -> None:
        self.board = Board(game, seats, options, throws=throws)
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
        self._allowed: list[dict[int, Action]] = []
        self._rng = Random()
        self._listed = methodcaller("legal" if throws else "suggestions")

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
        self.choices = [self._listed(state) for state in self.states]
        return self._observed(), {}

    def step(self, actions: Any) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], Any]:
        states, choices, listed = self.states, self.choices, self._listed
        rewards = np.zeros(self.num_envs)
        ended = np.zeros(self.num_envs, np.bool_)
        everyones = np.zeros((self.num_envs, self.board.seats))
        points = np.zeros((self.num_envs, self.board.seats))
        # One loop with little in it: it runs a million times where nothing is encoded.
        for place, (state, action) in enumerate(zip(states, self._meant(actions), strict=True)):
            seat = state.to_act
            state.apply(action)
            if state.to_act is None:
                everyones[place], points[place] = self.board.ending(state)
                rewards[place] = everyones[place, seat]
                ended[place] = True
                state = states[place] = self.board.start(self._rng)
            choices[place] = listed(state)
        never = np.zeros(self.num_envs, np.bool_)
        info = {"rewards": everyones, "points": points}
        return self._observed(), rewards, ended, never, info

    def _meant(self, actions: Any) -> list[Action]:
        """The game's actions that are meant; ValueError for one that is not allowed."""
        numbers = np.asarray(actions).tolist()
        if self.board.throws:
            return list(map(self.board.free, self.states, numbers))
        known: Sequence[Any] = self._allowed if self.encoded else self.choices
        try:
            found = list(map(getitem, known, numbers))
        except (KeyError, IndexError):
            found = []
        if len(found) < self.num_envs or min(numbers) < 0:
            places = [list(one) if self.encoded else range(len(one)) for one in known]
            wrong = next(p for p, number in enumerate(numbers) if number not in places[p])
            raise ValueError(f"action {numbers[wrong]} is not allowed at table {wrong}")
        return found

    def _observed(self) -> Any:
        if not self.encoded:
            return np.fromiter(map(len, self.choices), np.int64, self.num_envs)
        board = self.board
        rows = np.zeros((self.num_envs, board.layout.size), np.float32)
        for place, state in enumerate(self.states):
            rows[place] = board.layout.row(board.features(state.observe(state.to_act)))
        if board.throws:
            return {"observation": rows}
        self._allowed = [board.allowed(state) for state in self.states]
        masks = np.zeros((self.num_envs, len(board.actions)), np.int8)
        for mask, allowed in zip(masks, self._allowed, strict=True):
            mask[list(allowed)] = 1
        return {"observation": rows, "action_mask": masks}
