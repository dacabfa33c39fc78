"""A match on its pages before, while and after it is played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from ladder.jobs import worker
from ladder.models import Bot, Broadcast, Match, Tournament, User
from ladder.services import broadcasts, matches
from ladder.services.broadcasts import Camera
from tests.factories import make_bot, make_match
from tests.ladder.web.conftest import signed_in
from tests.local_play import record_of


@pytest.fixture
def told(miso: Bot, shio: Bot) -> Callable[..., Match]:
    """A running match of which some steps of the first play have been told."""

    def start(steps: int = 30, **fields: Any) -> Match:
        made = make_match(miso, shio, seed=7, **fields)
        match = Match.all_objects.filter(pk=made.pk).claim_next("test")
        assert match is not None
        tell(match, steps)
        return match

    return start


def tell(match: Match, steps: int) -> None:
    Camera(match)._tell(record_of(match).plays[0].played.replay.cut(steps))


def frames(match: Match, index: int = 0) -> str:
    return reverse("frames", args=[match.pk, index])


def theatre(match: Match, index: int = 0) -> str:
    return reverse("theatre", args=[match.pk, index])


@pytest.mark.jail
@pytest.mark.django_db(transaction=True)
def test_a_match_is_watched_while_a_worker_plays_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_match(make_bot(name="Miso"), make_bot(name="Shio"))
    seen: list[tuple[str, int, bool, str]] = []
    plain = Camera._tell

    def tell_and_look(camera: Camera, replay: Any) -> None:
        plain(camera, replay)
        page = client.get(reverse("match", args=[match.pk])).content.decode()
        film = client.get(frames(match, replay.round)).json()
        where = next(words for words in ("Play 1 of 2", "Play 2 of 2") if words in page)
        seen.append((where, film["steps"], film["live"], bool(film["result"])))

    monkeypatch.setattr(Camera, "_tell", tell_and_look)
    monkeypatch.setattr(broadcasts, "PERIOD_SECONDS", 0.0)

    assert worker.work_once()

    first = [one for one in seen if one[0] == "Play 1 of 2"]
    steps = [one[1] for one in first]
    assert steps == sorted(set(steps))
    assert len(steps) > 5
    assert [one[2:] for one in first] == [*[(True, False)] * (len(first) - 1), (False, True)]
    assert seen[-1][0] == "Play 2 of 2"
    # Afterwards the same address has the stored replay, for good.
    film = client.get(frames(match))
    assert film.json()["steps"] == steps[-1]
    assert "live" not in film.json()
    assert "immutable" in film["Cache-Control"]


def test_a_film_is_sent_again_only_when_it_has_grown(client: Client, told: Any) -> None:
    match = told(30)
    first = client.get(frames(match))
    again = client.get(frames(match), headers={"If-None-Match": first["ETag"]})
    tell(match, 40)
    grown = client.get(frames(match), headers={"If-None-Match": first["ETag"]})

    assert (first.status_code, again.status_code, grown.status_code) == (200, 304, 200)
    assert first["Cache-Control"] == again["Cache-Control"] == "private, no-cache"
    assert (first.json()["steps"], grown.json()["steps"]) == (30, 40)
    # What was told stays as it was: the theatre adds the rest.
    shown = first.json()["frames"]
    assert grown.json()["frames"][: len(shown)] == shown


def test_pages_of_a_match_that_waits(client: Client, miso: Bot, shio: Bot) -> None:
    match = make_match(miso, shio)

    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert "Waiting for a free worker." in page
    assert "Watch live" not in page
    assert client.get(theatre(match)).url == reverse("match", args=[match.pk])
    assert client.get(frames(match)).status_code == 204


def test_pages_of_a_match_that_runs(client: Client, told: Any) -> None:
    match = told()

    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert "Play 1 of 2 is running." in page
    assert f'href="{theatre(match)}">Watch live' in page
    stage = client.get(theatre(match)).content.decode()
    assert "Waiting for the first moves" in stage
    assert '"live": true' in stage
    assert client.get(theatre(match, 2)).status_code == 404
    assert client.get(frames(match, 2)).status_code == 404
    assert "position.json.gz" not in stage  # it would tell the luck to come
    assert client.get(reverse("position", args=[match.pk, 0]) + "?step=3").status_code == 404
    assert client.get(reverse("replay-download", args=[match.pk, 0])).status_code == 404

    Broadcast.objects.all().delete()
    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert "The match is running." in page
    assert client.get(frames(match)).status_code == 204


def test_pages_of_a_match_that_was_struck(client: Client, told: Any) -> None:
    match = told()
    matches.void(match, "An operator said so.")

    assert client.get(theatre(match)).status_code == 404
    assert client.get(frames(match)).status_code == 404
    page = client.get(reverse("match", args=[match.pk])).content.decode()
    assert "An operator said so." in page
    assert "Watch live" not in page


def test_a_match_under_way_comes_first_on_the_tables_in_motion(
    client: Client, played: Match, told: Any
) -> None:
    match = told()

    for path in ("/", "/cooking/"):
        page = client.get(path).content.decode()
        assert f'data-match="{match.pk}"' in page
        assert f'data-match="{played.pk}"' not in page
        assert "</span>live</span>" in page
    follow = {"game": match.game, "after": played.pk}
    assert f'data-match="{match.pk}"' in client.get("/cooking/next/", follow).content.decode()
    assert client.get("/cooking/next/", follow | {"but": match.pk}).status_code == 204
    # A table goes on with the next play of its match.
    follow = {"game": match.game, "after": match.pk, "play": 0}
    assert client.get("/cooking/next/", follow).status_code == 204
    Camera(match)._tell(record_of(match).plays[1].played.replay.cut(20))
    cache.clear()
    assert theatre(match, 1) in client.get("/cooking/next/", follow).content.decode()

    assert matches.finish(match, record_of(match))
    cache.clear()
    page = client.get("/cooking/").content.decode()
    assert f'data-match="{match.pk}"' in page
    assert "</span>live</span>" not in page


def test_a_private_tournament_is_watched_by_its_own_people_only(
    client: Client, told: Any, alice: User, charlie: User
) -> None:
    tournament = Tournament.objects.create(
        name="Behind closed doors", organiser=alice, game="ramen_ramen", seats=2,
        format="swiss", is_public=False, secret="0" * 64, commitment="0" * 64,
    )  # fmt: skip
    pairing = tournament.pairings.create(
        round=1, table=1, label="R1T1", entrants=[1, 2], drawn=[1, 2], drawn_at_step=1
    )
    match = told(kind=Match.Kind.TOURNAMENT, pairing=pairing, number=0)

    for path in (theatre(match), frames(match)):
        assert client.get(path).status_code == 404
        assert signed_in(charlie).get(path).status_code == 404
        assert signed_in(alice).get(path).status_code == 200
    for path in ("/", "/cooking/"):
        assert f'data-match="{match.pk}"' not in client.get(path).content.decode()

    Tournament.objects.update(is_public=True)
    cache.clear()
    assert f'data-match="{match.pk}"' in client.get("/cooking/").content.decode()
