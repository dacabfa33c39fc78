"""The analyst of a game that brings none: its greedy bot plays every seat to the end."""

from __future__ import annotations

from engine import wire
from engine.analysis.analyst import Analyst, Settings, Trust, bot
from engine.analysis.shares import Shares
from engine.game import Action, Game, State
from engine.match import question

CPU_LEFT_MS = 1000


class Rough(Analyst):
    """A curve and no more: greedy play blames strong moves one time in four."""

    name = "House Greedy"
    version = 1
    trust = Trust.ROUGH
    budgets = {
        "quick": Settings(first=0, pairs=0, worlds=4),
        "standard": Settings(first=0, pairs=0, worlds=16),
        "thorough": Settings(first=0, pairs=0, worlds=64),
    }

    def __init__(self, game: Game) -> None:
        self._game = game
        self._decide = bot(game.slug, "greedy").decide

    @property
    def game(self) -> Game:
        return self._game

    def act(self, state: State) -> Action:
        assert state.to_act is not None
        asked = question(state, state.to_act, [])
        line = wire.decide(asked, id="", cpu_left_ms=CPU_LEFT_MS)
        return state.parse(self._decide(wire.view_for_script(line)))

    def play_out(self, state: State, until: int) -> Shares:
        while state.to_act is not None:
            state.apply(self.act(state))
        return self.result(state)
