"""A board as a PettingZoo environment (AEC): every seat is an agent."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from gymnasium import spaces
from pettingzoo import AECEnv

from engine.frames import seat_names
from engine.game import State
from ladle.rl.board import Board, Observation


class TableEnv(AECEnv):
    """One play at a time; agents are `seat_0`, `seat_1`, ... and act when it is their turn.

    Rewards come at the end: see `Board.rewards`. An action that the mask does not allow is a
    ValueError. The same seed gives the same luck.
    """

    metadata = {"render_modes": ["ansi"], "name": "ladle", "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        seats: int,
        *,
        options: Mapping[str, Any] | None = None,
        throws: bool = False,
        scaled: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.board = Board(game, seats, options, throws=throws, scaled=scaled)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.agent_selection = self.possible_agents[0]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._rng = Random()
        self._state: State | None = None

    @property
    def state_of_play(self) -> State:
        """The play under way, by the rules engine."""
        assert self._state is not None, "reset comes first"
        return self._state

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.board.observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.board.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._rng = Random(seed)
        self._state = self.board.start(Random(self._rng.getrandbits(53)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> Observation:
        return self.board.observe(self.state_of_play, self._seat[agent])

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self.state_of_play
        meant = self.board.meant(state, action)
        if meant is None:
            count = len(self.board.allowed(state))
            raise ValueError(f"action {action} is not one of the {count} that are allowed")
        self._cumulative_rewards[agent] = 0.0
        state.apply(meant)
        self._clear_rewards()
        if state.to_act is None:
            for seat, reward in enumerate(self.board.rewards(state)):
                self.rewards[self.possible_agents[seat]] = reward
            self.terminations = dict.fromkeys(self.agents, True)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode is None:
            return None
        board = self.board
        return board.game.text(self.state_of_play.observe(None), seat_names(board.seats))

    def close(self) -> None:
        pass

    def _select(self) -> None:
        seat = self.state_of_play.to_act
        self.agent_selection = self.possible_agents[0 if seat is None else seat]
