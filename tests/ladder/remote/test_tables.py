"""Remote bots play to the end, whatever is killed meanwhile, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import servers
from tests.ladder.remote.site import Bot, RemoteSite, remote_site
from tests.servers import wait_until

pytestmark = [pytest.mark.jail, pytest.mark.services]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RemoteSite]:
    folder: Path = tmp_path_factory.mktemp("remote")
    if request.param == "sqlite":
        with remote_site(folder) as made:
            yield made
        return
    with servers.postgres(folder / "postgres") as database:
        url = f"postgresql://ladle@127.0.0.1:{database.port}/postgres"
        with remote_site(folder, DATABASE_URL=url) as made:
            yield made


def test_a_remote_bot_plays_on_after_keeper_and_stream_were_killed(site: RemoteSite) -> None:
    bots = site.make_bots(("Far", "ramen_ramen", "fast"), ("Wide", "hot_ramen", "fast"))
    players = [Bot(site.url, token) for _, token in bots.values()]
    for player in players:
        player.start()
        assert player.is_connected.wait(20), (player.error, site.log())
    site.challenge(("Far", ["greedy"]), ("Wide", ["greedy"]))
    far, wide = players
    wait_until(lambda: len(wide.decisions) > 2, 30, lambda: f"a decision: {site.log()}")
    site.keeper.kill_group()
    site.keeper.start()
    wait_until(lambda: far.ends, 40, lambda: f"the end of a play: {site.log()}")
    site.stream.kill_group()
    site.stream.start()
    wait_until(lambda: wide.ends, 60, lambda: f"the end of the other: {site.log()}")
    for player in players:
        player.stop()
    wait_until(
        lambda: all(row["status"] == "finished" for row in site.census()), 20, lambda: site.log()
    )
    for row in site.census():
        assert (row["faults"], row["verified"]) == ([], 1)
        assert row["lines"]["open"] == row["lines"]["answered"] == row["lines"]["expired"] == 0
    taken = sum(row["lines"]["taken"] for row in site.census())
    assert taken == sum(outcome.is_taken for p in players for outcome in p.outcomes.values())


PEOPLE = """
import json
from ladder.services.remote import people
table, ada = people.open_table(game="potage_sauvage", places=["", "", "greedy"], name="Ada")
_, ben = people.join(key=table.key, name="Ben")
print(json.dumps([table.key, ada, ben]))
"""
KEPT = """
import json
from engine import replay as replays
from engine.games import GAMES
from ladder.models import Match, SharedTable
table = SharedTable.objects.get(key={key!r})
found = None
if table.play is not None:
    with table.play.replay.open("rb") as file:
        replay = replays.read(file.read())
    replays.verify(GAMES[replay.game], replay)
    found = [one.bot for one in replay.players]
listed = Match.objects.filter(pk=table.match_id).exists()
print(json.dumps([found, listed, table.match.attempt]))
"""


def test_people_are_remote_clients_too_and_survive_a_killed_keeper(site: RemoteSite) -> None:
    key, *secrets = site.shell(PEOPLE)
    people = [Bot(site.url, secret) for secret in secrets]
    for person in people:
        person.start()
    wait_until(lambda: all(len(p.decisions) > 2 for p in people), 40, lambda: site.log())
    site.keeper.kill_group()
    site.keeper.start()
    wait_until(lambda: all(p.ends for p in people), 60, lambda: site.log())
    for person in people:
        person.stop()
    wait_until(lambda: site.shell(KEPT.format(key=key))[0], 20, lambda: site.log())
    names, is_listed, attempt = site.shell(KEPT.format(key=key))
    assert names == ["Ada", "Ben", "House Greedy"]
    assert not is_listed and attempt > 1
    seen = [line["view"] for line in people[0].decisions]
    assert {line["start"]["seat"] for line in people[0].decisions} == {0}
    assert all(person.error is None for person in people) and seen
