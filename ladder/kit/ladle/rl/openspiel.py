"""Our games in OpenSpiel, so that its algorithms run on them: `ladle_potage_sauvage` and so on.

All luck of a play follows from its seed, so it is one chance node at the start: one of `deals`
seeds. Actions and observations are those of `Board`. Games whose actions cannot all be listed
(Safranito's throws) are left out.

    import pyspiel
    import ladle.rl.openspiel  # registers the games

    game = pyspiel.load_game("ladle_potage_sauvage(players=2,deals=1000)")
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, ClassVar

import numpy as np

try:
    import pyspiel
except ModuleNotFoundError:
    raise ImportError("open_spiel is missing: pip install 'ladle[openspiel]'") from None

from engine.chance import SeededChance
from engine.frames import seat_names
from engine.game import State as Play
from engine.games import GAMES
from ladle.rl.board import SUGGESTED, Board

PREFIX = "ladle_"
DEALS = 1000
LONGEST = 20_000  # more decisions than any play has


class _Kept:
    """A play that OpenSpiel copies as the engine does; None before the deal."""

    def __init__(self, play: Play | None = None) -> None:
        self.play = play

    def __deepcopy__(self, memo: dict[int, Any]) -> _Kept:
        return _Kept(self.play and self.play.copy())


class State(pyspiel.State):
    """A play under way; before the deal it is luck's turn."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.kept = _Kept()

    @property
    def board(self) -> Board:
        return board_of(self.get_game())

    def current_player(self) -> int:
        play = self.kept.play
        if play is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if play.to_act is None else play.to_act

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = int(self.get_game().get_parameters()["deals"])
        return [(seed, 1 / deals) for seed in range(deals)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.kept.play is not None
        return sorted(self.board.allowed(self.kept.play))

    def _apply_action(self, action: int) -> None:
        board, play = self.board, self.kept.play
        if play is None:
            luck = SeededChance(action)
            self.kept.play = board.game.start(board.seats, luck, board.options)
        else:
            play.apply(board.allowed(play)[action])

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player < 0 else self.board.actions[action]

    def is_terminal(self) -> bool:
        return self.kept.play is not None and self.kept.play.to_act is None

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * self.board.seats
        assert self.kept.play is not None
        return self.board.rewards(self.kept.play)

    def information_state_string(self, player: int | None = None) -> str:
        """The player's view: it has all that the seat has seen."""
        seat = self.current_player() if player is None else player
        if self.kept.play is None:
            return ""
        return json.dumps(self.kept.play.observe(seat), separators=(",", ":"))

    def observation_string(self, player: int | None = None) -> str:
        return self.information_state_string(player)

    def __str__(self) -> str:
        if self.kept.play is None:
            return "before the deal"
        board = self.board
        return board.game.text(self.kept.play.observe(None), seat_names(board.seats))


class Observer:
    """The board's numbers as a tensor; the view as a string."""

    def __init__(self, game: Game) -> None:
        self._board = board_of(game)
        self.tensor = np.zeros(self._board.layout.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: State, player: int) -> None:
        self.tensor.fill(0)
        if state.kept.play is not None:
            view = state.kept.play.observe(player)
            self.tensor[:] = self._board.layout.row(self._board.features(view))

    def string_from(self, state: State, player: int) -> str:
        return state.information_state_string(player)


class Game(pyspiel.Game):
    """A game of ours at a number of seats; each game is a class of its own."""

    kind: ClassVar[Any]

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        chosen = dict(self.kind.parameter_specification) | dict(parameters or {})
        board = _board(self.kind.short_name.removeprefix(PREFIX), int(chosen["players"]))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(board.actions),
            max_chance_outcomes=int(chosen["deals"]),
            num_players=board.seats,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST,
        )
        super().__init__(self.kind, info, chosen)

    def new_initial_state(self) -> State:
        return State(self)

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Observer:
        return Observer(self)


@cache
def _board(slug: str, seats: int) -> Board:
    return Board(slug, seats)


def board_of(game: Any) -> Board:
    """The spaces of a game's board."""
    slug = game.get_type().short_name.removeprefix(PREFIX)
    return _board(slug, int(game.get_parameters()["players"]))


def resample(state: State, player: int, rng: Random) -> State:
    """A state that looks the same to the player, all else dealt again: for IS-MCTS."""
    twin = state.clone()
    assert twin.kept.play is not None
    twin.kept.play = twin.board.game.determinize(twin.kept.play.observe(player), rng)
    return twin


def register() -> list[str]:
    """Make the games known to `pyspiel.load_game`; their names."""
    names = []
    for slug, game in GAMES.items():
        if SUGGESTED in _board(slug, game.seats[-1]).actions:
            continue
        names.append(f"{PREFIX}{slug}")
        kind = pyspiel.GameType(
            short_name=names[-1],
            long_name=game.title,
            dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
            chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
            information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
            utility=pyspiel.GameType.Utility.ZERO_SUM,
            reward_model=pyspiel.GameType.RewardModel.TERMINAL,
            max_num_players=game.seats[-1],
            min_num_players=max(2, game.seats[0]),
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            provides_factored_observation_string=False,
            parameter_specification={"players": 2, "deals": DEALS},
        )
        # A class outlives the interpreter's end, when OpenSpiel lets go of it; a function does not.
        pyspiel.register_game(kind, type(game.title, (Game,), {"kind": kind}))
    return names


NAMES = register()
