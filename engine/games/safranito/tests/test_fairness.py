"""Whether a place at the table is worth more than another: equal bots on many deals."""

from __future__ import annotations

from math import sqrt

import pytest

from engine import games
from engine.local import ScriptPlayer
from engine.match import play

GAME = games.get("safranito")
GREEDY = GAME.house_bots()["greedy"].read_text()
PLAYS = 1000


@pytest.mark.slow
@pytest.mark.parametrize("seats", GAME.seats)
def test_every_seat_wins_its_share_within_the_error_of_a_thousand_plays(seats: int) -> None:
    won = [0.0] * seats
    for seed in range(PLAYS):
        played = play(GAME, [ScriptPlayer(GREEDY) for _ in range(seats)], seed=seed)
        assert played.replay.result is not None
        first = [seat for seat, place in enumerate(played.replay.result.places) if place == 1]
        for seat in first:
            won[seat] += 1 / len(first)

    fair = 1 / seats
    error = sqrt(fair * (1 - fair) / PLAYS)
    # Of nine shares one may be two errors off by chance; three errors are no chance.
    assert [share / PLAYS for share in won] == pytest.approx([fair] * seats, abs=3 * error)
