"""Policies that play on from any state, for playouts: the analysts' quick ones and the house bots.

    policy = ladle.policies.quick("hot_ramen")
    shares = ladle.policies.play_out(state, policy)

A policy sees no more than the seat that acts may know, so a playout from a guessed world
(`game.determinize`) judges a move as fairly as the guess does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from engine import wire
from engine.analysis.analyst import analyst_for
from engine.analysis.analyst import bot as house_bot
from engine.analysis.shares import shares_of
from engine.game import Action, Game, State
from engine.games import GAMES
from engine.match import question
from ladle.errors import Refusal

Policy = Callable[[State], Action]
CPU_LEFT_MS = 1000  # the CPU time left that a house bot sees in every decision


def names(game: str) -> list[str]:
    """The house bots of a game that can be used as policies: those written in Python."""
    bots = _game(game).house_bots()
    return sorted(name for name, path in bots.items() if path.suffix == ".py")


@cache
def quick(game: str) -> Policy:
    """The policy of the game's analyst, made for playouts; House Greedy without an analyst."""
    return analyst_for(_game(game)).act


@cache
def house(game: str, name: str = "greedy") -> Policy:
    """A house bot as a policy. It is asked as in a match, so it is slower than `quick`."""
    if name not in names(game):
        raise Refusal(f"{name!r} is no Python house bot of {game}. There are: {names(game)}.")
    decide = house_bot(game, name).decide

    def act(state: State) -> Action:
        assert state.to_act is not None
        line = wire.decide(question(state, state.to_act, []), id="", cpu_left_ms=CPU_LEFT_MS)
        return state.parse(decide(wire.view_for_script(line)))

    return act


def play_out(state: State, policy: Policy) -> tuple[float, ...]:
    """Play a copy on to its end; the share of opponents each seat beats, from 0 to 1."""
    twin = state.copy()
    while twin.to_act is not None:
        twin.apply(policy(twin))
    result = twin.result()
    assert result is not None
    return tuple(shares_of(result.places, twin.game.sides(twin.seats)))


def _game(slug: str) -> Game:
    if slug not in GAMES:
        raise Refusal(f"There is no game {slug!r}. Games: {', '.join(GAMES)}.")
    return GAMES[slug]
