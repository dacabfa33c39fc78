"""A seat of a board as a Gymnasium environment: one learner, bots in the other seats."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from random import Random
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from engine.frames import seat_names
from engine.game import State
from engine.match import Fault, Player, question
from ladle.api import AnyBot, in_process
from ladle.errors import Refusal
from ladle.rl.board import Board, Observation


class SeatEnv(gymnasium.Env[Any, Any]):
    """The learner has one seat, and `rivals` (bots of any kind, or functions) have the others.

    `seat` is a number, or None for another one in each play. A step is the learner's decision and
    all that follows until its next one. The reward comes at the end: see `Board.rewards`. An
    action that the mask does not allow loses the play, and `info` says so.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str,
        rivals: Sequence[AnyBot] = ("random",),
        *,
        seat: int | None = None,
        options: Mapping[str, Any] | None = None,
        throws: bool = False,
        scaled: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.board = Board(game, len(rivals) + 1, options, throws=throws, scaled=scaled)
        if seat is not None and not 0 <= seat <= len(rivals):
            raise Refusal(f"unknown seat {seat}; `seat` counts from 0: 0 to {len(rivals)}.")
        self.observation_space = self.board.observation_space
        self.action_space = self.board.action_space
        self.render_mode = render_mode
        self._fixed = seat
        stack = ExitStack()
        self._rivals = [make(stack) for _, make in in_process(self.board.game, rivals)]
        self._end = weakref.finalize(self, stack.close)  # processes of rivals, if they have any
        self._state: State | None = None
        self._players: dict[int, Player] = {}
        self.seat = seat or 0

    @property
    def state_of_play(self) -> State:
        """The play under way, by the rules engine."""
        assert self._state is not None, "reset comes first"
        return self._state

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        rng = Random(int(self.np_random.integers(2**53)))
        board = self.board
        self.seat = rng.randrange(board.seats) if self._fixed is None else self._fixed
        state = self._state = board.start(Random(rng.getrandbits(53)))
        state.events = []
        others = [place for place in range(board.seats) if place != self.seat]
        self._players = dict(zip(others, self._rivals, strict=True))
        for place, player in self._players.items():
            luck = rng.getrandbits(53)
            player.start(
                game=board.game, seat=place, seats=board.seats, options=board.options, luck=luck
            )
        self._heard = dict.fromkeys(others, 0)
        self._go_on()
        return board.observe(state, self.seat), {}

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        state = self.state_of_play
        meant = self.board.meant(state, action) if state.to_act == self.seat else None
        if meant is None:
            return self.board.observe(state, self.seat), -1.0, True, False, {"illegal": True}
        state.apply(meant)
        self._go_on()
        is_over = state.to_act is None
        reward = self.board.rewards(state)[self.seat] if is_over else 0.0
        return self.board.observe(state, self.seat), reward, is_over, False, {}

    def close(self) -> None:
        """End the processes of rivals that are not Python scripts."""
        self._end()

    def action_masks(self) -> NDArray[np.bool_]:
        """The actions allowed now, under the name that sb3-contrib's MaskablePPO asks for."""
        if self.board.throws:
            raise Refusal("free throws have no mask: every action is allowed.")
        return self.board.mask(self.state_of_play, self.seat).astype(np.bool_)

    def render(self) -> Any:
        if self.render_mode is None:
            return None
        board = self.board
        return board.game.text(self.state_of_play.observe(self.seat), seat_names(board.seats))

    def _go_on(self) -> None:
        """Let the rivals play until the learner is to act, or the play is over."""
        state = self.state_of_play
        events = state.events
        assert events is not None
        while (seat := state.to_act) not in (None, self.seat):
            assert seat is not None
            asked = question(state, seat, events[self._heard[seat] :])
            self._heard[seat] = len(events)
            answer = self._players[seat].decide(asked)
            if isinstance(answer, Fault):
                raise Refusal(
                    f"the rival at seat {seat + 1} of {self.board.seats} failed: {answer.sentence}."
                )
            state.apply(state.parse(answer.action))
