"""Random plays as films, and what is not true in them."""

from __future__ import annotations

from collections.abc import Iterable

from engine.frames import frames
from engine.games import GAMES
from engine.match import play
from tests.engine.captions import Frame, Listener, untrue_in
from tests.engine.captions.hot_ramen import HotRamen
from tests.engine.captions.potage_sauvage import PotageSauvage
from tests.engine.captions.ramen_ramen import RamenRamen
from tests.engine.captions.safranito import Safranito
from tests.engine.test_contract import RandomPlayer

LISTENERS: dict[str, type[Listener]] = {
    "hot_ramen": HotRamen,
    "potage_sauvage": PotageSauvage,
    "ramen_ramen": RamenRamen,
    "safranito": Safranito,
}


def film(slug: str, seats: int, seed: int) -> list[Frame]:
    game = GAMES[slug]
    played = play(game, [RandomPlayer(seed + seat) for seat in range(seats)], seed=seed)
    return list(frames(game, played.replay))


def counted(slug: str, seats: int, seeds: Iterable[int]) -> tuple[int, list[str]]:
    """How many sentences the plays of these seeds have, and those that are not true."""
    count, untrue = 0, []
    for seed in seeds:
        sentences, found = untrue_in(LISTENERS[slug], film(slug, seats, seed))
        count += sentences
        untrue += found
    return count, untrue
