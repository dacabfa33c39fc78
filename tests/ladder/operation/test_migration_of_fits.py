"""After an upgrade from the last release, no board shows ratings of the older method."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from ladder.models import BoardFit, Rating
from ladder.services.rating import fitting, rating_log
from tests.factories import DUEL
from tests.ladder.services.test_ratings import make_board, play_tick

BEFORE = [("ladder", "0026_printed_by_decision")]


@pytest.mark.django_db(transaction=True)
def test_the_schedulers_first_turn_rates_every_board_anew():
    make_board(DUEL)
    play_tick(DUEL, 1)
    Rating.objects.on(DUEL).update(milli=1_234_000)  # as an older method said
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes("ladder")
    MigrationExecutor(connection).migrate(BEFORE)
    assert BoardFit.objects.exists()
    MigrationExecutor(connection).migrate(newest)

    assert DUEL in fitting.rate_unfitted()

    assert list(rating_log.verify(DUEL)) == []
