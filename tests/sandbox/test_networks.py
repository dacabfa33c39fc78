"""A trained network of 12 MiB in a bundle plays every game within the usual clock."""

from __future__ import annotations

import io

import numpy
import pytest

from engine.games import GAMES
from engine.match import play
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import Program, script
from tests.sandbox.archives import BOT, ordinary

# Two layers; the features of an action are a hash of it and of the position.
NETWORK = b"""
import zlib
import numpy as np
from layers import forward

FIRST, SECOND = np.load("first.npy"), np.load("second.npy")

def decide(view):
    choices = view.get("legal") or view["suggestions"]
    position = zlib.crc32(repr(view["points"]).encode())
    seeds = [zlib.crc32(choice.encode(), position) for choice in choices[:16]]
    features = np.stack([np.random.default_rng(s).standard_normal(1024, np.float32) for s in seeds])
    return choices[int(forward(features, FIRST, SECOND).argmax())]
"""
LAYERS = b"""
import numpy as np

def forward(features, first, second):
    return np.maximum(features @ first, 0) @ second
"""


def saved(array: numpy.ndarray) -> bytes:
    sink = io.BytesIO()
    numpy.save(sink, array)
    return sink.getvalue()


def network() -> Program:
    rng = numpy.random.default_rng(1)
    first = rng.standard_normal((1024, 3072), numpy.float32)
    second = rng.standard_normal(3072, numpy.float32)
    files = {"bot.py": NETWORK, "layers.py": LAYERS}
    return Program(
        "bot.zip", ordinary(files | {"first.npy": saved(first), "second.npy": saved(second)})
    )


@pytest.mark.jail
def test_a_network_of_12_mib_plays_every_game() -> None:
    program = network()
    assert program.bundle is not None
    assert sum(map(len, program.bundle.files.values())) > 12 * 2**20
    with Pool() as pool:
        for game in GAMES.values():
            seats = max(2, game.seats[0])
            rivals = [JailedPlayer(script(BOT.decode()), pool=pool) for _ in range(seats - 1)]
            players = [JailedPlayer(program, pool=pool), *rivals]
            try:
                assert play(game, players, seed=1).faults == {}, game.slug
            finally:
                for player in players:
                    player.close()
