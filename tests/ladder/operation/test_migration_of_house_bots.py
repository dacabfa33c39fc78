"""House bots of the last release get a slug, and keep their anchors."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

BEFORE = [("ladder", "0021_lists_by_index")]


@pytest.mark.django_db(transaction=True)
def test_house_bots_get_their_slug_by_their_names_and_others_none():
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes("ladder")
    MigrationExecutor(connection).migrate(BEFORE)
    try:
        old = MigrationExecutor(connection).loader.project_state(BEFORE).apps
        house = old.get_model("ladder", "User").objects.create(username="house")
        for name, is_house in (("House Chef", True), ("House Slow Chef", True), ("Chef", False)):
            old.get_model("ladder", "Bot").objects.create(
                owner=house, game="ramen_ramen", name=name, is_house=is_house, seat_counts=[2]
            )
    finally:
        MigrationExecutor(connection).migrate(newest)
    new = MigrationExecutor(connection).loader.project_state(newest).apps

    slugs = new.get_model("ladder", "Bot").objects.values_list("name", "house_slug")

    assert dict(slugs) == {"House Chef": "chef", "House Slow Chef": "slow_chef", "Chef": ""}
