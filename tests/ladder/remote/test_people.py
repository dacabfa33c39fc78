"""Tables of people: who may join, what each sees, and what a stranger is told."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from ladder.errors import LadderError
from ladder.models import KeptPlay, Match, Person, SharedTable, Sitting
from ladder.queries.remote import people as queries
from ladder.services.remote import people
from tests.factories import make_user

pytestmark = pytest.mark.django_db
GAME = "ramen_ramen"


def send(client: Client, address: str, **data: Any) -> Any:
    return client.post(
        address, json.dumps(data), content_type="application/json", REMOTE_ADDR="192.0.2.30"
    )


def begun() -> tuple[SharedTable, str, str]:
    """A table of two at which the first question is due."""
    table, ada = people.open_table(game=GAME, places=["", ""], name="Ada")
    table, ben = people.join(key=table.key, name="Ben")
    Match.all_objects.filter(pk=table.match_id).update(seed=7)
    return table, ada, ben


def test_guests_make_and_join_a_table_without_an_account(client: Client) -> None:
    page = f"/play/{GAME}/friends/"
    assert client.get(page).status_code == 200
    made = send(client, page, places=["", "greedy", ""], seat=2, name="Ada")
    assert made.status_code == 201 and made["Cache-Control"] == "no-store"
    room = made.json()["page"]
    assert made.json()["secret"] not in room
    assert client.get(room).status_code == 200
    assert Match.all_objects.count() == 0, "the play begins when all have come"
    joined = send(client, f"{room}join/", name="Ben")
    assert joined.status_code == 201
    match = Match.all_objects.get()
    assert (match.kind, match.entries.count()) == ("people", 0)
    assert not Match.objects.exists(), "it is in no list"
    full = send(client, f"{room}join/", name="Eve")
    assert (full.status_code, full.json()["code"]) == (409, "table_full")
    told = client.get(f"{room}state.json").json()
    assert [seat["name"] for seat in told["room"]["seats"]] == ["Ben", "House Greedy", "Ada"]
    assert told["play"] is None and made.json()["secret"] not in json.dumps(told)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"places": ["", "greedy"]}, "Leave at least one more seat"),
        ({"places": [""] * 9}, "has tables of"),
        ({"places": ["", "", "nobody"]}, "Unknown house bot"),
        ({"places": ["", ""], "name": " "}, "Enter a name"),
        ({"places": ["", ""], "name": "House Greedy"}, "looks like the name"),
        ({"places": ["", ""], "name": "0perator"}, "looks like the name"),
        ({"places": ["greedy", "", ""]}, "Take one of the seats"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_the_reason(
    client: Client, given: dict[str, Any], words: str
) -> None:
    refused = send(client, f"/play/{GAME}/friends/", **{"name": "Ada", **given})
    assert 400 <= refused.status_code < 410 and words in refused.json()["problem"]


def test_one_address_cannot_take_all_tables_of_the_site(client: Client, settings) -> None:
    settings.MAX_PEOPLE_TABLES = 8
    page, wanted = f"/play/{GAME}/friends/", {"places": ["", ""], "name": "Ada"}
    cache.clear()

    assert [send(client, page, **wanted).status_code for _ in range(3)] == [201, 201, 429]
    refused = send(client, page, **wanted).json()
    assert refused["problem"].startswith("2 tables that were made from your address are still open")

    other = client.post(page, json.dumps(wanted), "application/json", REMOTE_ADDR="192.0.2.32")
    assert other.status_code == 201
    SharedTable.objects.order_by("pk").first().delete()
    assert send(client, page, **wanted).status_code == 201


def test_a_body_that_is_nested_beyond_reason_is_refused(client: Client) -> None:
    table, _ = people.open_table(game=GAME, places=["", ""], name="Ada")
    for address in (f"/play/{GAME}/friends/", f"/tables/{table.key}/join/"):
        answer = client.post(address, "[" * 4000, "application/json")
        assert answer.status_code == 400, address


def test_a_table_that_is_gone_says_so(client: Client) -> None:
    assert "This table is gone" in client.get("/tables/nonsense/").content.decode()
    gone = send(client, "/tables/nonsense/join/", name="Ada")
    assert (gone.status_code, gone.json()["code"]) == (404, "not_found")


def test_a_seat_sees_its_own_view_and_nobody_elses(client: Client) -> None:
    table, ada, ben = begun()
    state = f"/tables/{table.key}/state.json"
    told = {
        name: client.get(state, headers={"Authorization": f"Bearer {secret}"}).json()
        for name, secret in (("Ada", ada), ("Ben", ben))
    }
    views = {name: one["play"]["frames"][0][1][0]["view"] for name, one in told.items()}
    assert views["Ada"] != views["Ben"]
    assert told["Ada"]["play"]["frames"][0][0] == 0 and told["Ben"]["play"]["frames"][0][0] == 1
    asked = [name for name, one in told.items() if "choices" in one["play"]["asked"]]
    assert len(asked) == 1
    other, secret = begun()[:2]
    assert other.key != table.key
    stranger = client.get(state, headers={"Authorization": f"Bearer {secret}"}).json()
    assert stranger["play"] is None and stranger["seat"] is None


def test_a_hint_is_given_to_the_seat_that_is_asked_only(client: Client) -> None:
    table, ada, ben = begun()
    address = f"/tables/{table.key}/hint.json"
    told = [
        client.post(address, headers={"Authorization": f"Bearer {secret}"}).json()
        for secret in (ada, ben)
    ]
    assert sum("refused" in one for one in told) == 1
    assert sum("action" in one for one in told) == 1
    assert client.post(address).status_code == 401


def test_a_user_who_joins_again_gets_the_seat_back_with_a_new_secret() -> None:
    user = make_user("carla")
    table, first = people.open_table(game=GAME, places=["", ""], name="", user=user)
    _, second = people.join(key=table.key, name="", user=user)
    assert Person.objects.count() == 1 and queries.chair(first) is None
    chair = queries.chair(second)
    assert chair is not None and (chair.seat, chair.name) == (0, "carla")
    with pytest.raises(LadderError, match="looks like the name"):
        people.join(key=table.key, name="Carla")


def test_tables_are_limited_and_old_ones_are_forgotten(settings: Any, client: Client) -> None:
    settings.MAX_PEOPLE_TABLES = 1
    people.open_table(game=GAME, places=["", ""], name="Ada")
    with pytest.raises(LadderError, match="All 1 tables"):
        people.open_table(game=GAME, places=["", ""], name="Ben")
    assert people.forget_old() == 0
    SharedTable.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assert people.forget_old() == 1
    settings.RATE_TABLES = "1/hour"
    settings.MAX_PEOPLE_TABLES = 9
    page = f"/play/{GAME}/friends/"
    body = json.dumps({"places": ["", ""], "name": "Ada"})
    told = {"content_type": "application/json", "REMOTE_ADDR": "192.0.2.31"}
    statuses = [client.post(page, body, **told).status_code for _ in range(2)]  # type: ignore[arg-type]
    assert statuses == [201, 429]


def test_a_finished_table_is_kept_once_and_a_late_keeper_stores_nothing() -> None:
    table, *_ = begun()
    match = Match.all_objects.get(pk=table.match_id)
    Match.all_objects.filter(pk=match.pk).update(
        status="running", attempt=2, lease_until=timezone.now()
    )
    match.refresh_from_db()
    from engine.games import GAMES
    from ladle import play

    replay = play(GAME, ["random", "random"], seed=7).replay
    assert GAMES[replay.game].slug == GAME
    match.attempt = 1
    assert not people.finish(match=match, replay=replay), "another keeper has it"
    match.attempt = 2
    assert people.finish(match=match, replay=replay)
    table.refresh_from_db()
    assert table.play is not None and KeptPlay.objects.count() == 1
    room = queries.room(table.key)
    assert room is not None and room.state == "over"
    assert Sitting.objects.count() == 1
