"""Decisions of real plays to try an analyst on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from engine.analysis.analyst import analyst_for, copied
from engine.analysis.tape import NoLuck
from engine.game import Action, Game, State
from engine.local import ScriptPlayer
from engine.match import play
from engine.replay import Replay, Steps

STRONG = {
    "ramen_ramen": "chef",
    "potage_sauvage": "marmite",
    "hot_ramen": "wok",
    "safranito": "saffron",
}


@dataclass(frozen=True, slots=True)
class Position:
    """A table before a decision with a choice, and what was played."""

    state: State
    action: Action
    name: str  # of play and step: what luck is seeded by


def duel(game: Game, bots: tuple[str, str], seed: int) -> Replay:
    table = [ScriptPlayer.from_file(game.house_bots()[name]) for name in bots]
    return play(game, table, seed=seed).replay


def choices(game: Game, replay: Replay) -> Iterator[Position]:
    """All decisions of a play in which there was something to decide."""
    steps = Steps(game, replay)
    while not steps.is_over:
        state = copied(steps.state, NoLuck())
        entry = next(steps)
        if "action" in entry and len(state.legal()) != 1:
            name = f"{replay.seed}/{steps.step}"
            yield Position(state, state.parse(entry["action"]), name)


def sampled(game: Game, bots: tuple[str, str], plays: range, per_play: int) -> list[Position]:
    """A few decisions of each of some plays, drawn by the play's seed."""
    found = []
    for seed in plays:
        every = list(choices(game, duel(game, bots, seed)))
        found += Random(seed).sample(every, min(per_play, len(every)))
    return found


def is_judged(game: Game) -> bool:
    return analyst_for(game).trust == "validated"
