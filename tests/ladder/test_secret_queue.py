"""Nobody can foresee a rated match: who meets whom and on which luck is shown to no reader."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from ladder.jobs import worker
from ladder.models import Bot, Delivery, Entry, Event, Match, Notice, Tick, User
from ladder.services import bots, matches
from ladder.services.events import dispatch
from ladder.services.matches import Seat
from ladder.services.notices import wishes
from ladder.services.remote import tables
from ladder.services.webhooks import hooks
from tests.factories import DUEL, make_bot, make_match, make_user
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db

WHY = "A reason that no reader sees"


@pytest.fixture
def author() -> User:
    return make_user("alice")


@pytest.fixture
def pair(author: User) -> list[Bot]:
    return [make_bot(author, name="Miso"), make_bot(name="Shio")]


@pytest.fixture(params=["ladder", "open class"])
def drawn(request: Any, pair: list[Bot]) -> Match:
    """A rated match as the scheduler makes one."""
    if request.param == "open class":
        versions = [bot.active_version for bot in pair if bot.active_version is not None]
        return tables.queue(
            game=DUEL.game, seats=DUEL.seats, versions=versions, why=WHY, is_rated=True
        )
    tick = Tick.objects.create(game=DUEL.game, seats=DUEL.seats, number=1)
    seats = [Seat(bot.pk, bot.active_version_id or 0) for bot in pair]
    return matches.queue_ladder([(tick, WHY, seats)])[0]


@pytest.fixture(params=["visitor", "author", "operator"])
def reader(request: Any, client: Client, author: User) -> Client:
    if request.param == "author":
        client.force_login(author)
    if request.param == "operator":
        client.force_login(make_user("root", is_staff=True))
    cache.clear()
    return client


def own_pages(match: Match) -> list[str]:
    """Every address that belongs to one match."""
    return [
        reverse("match", args=[match.pk]),
        reverse("theatre", args=[match.pk, 0]),
        reverse("frames", args=[match.pk, 0]),
        reverse("api-match-detail", args=[match.pk]),
        reverse("api-logs", args=[match.pk]),
    ]


def lists(bot: Bot) -> list[str]:
    """Every list in which a match may appear, and pages that tell of what goes on."""
    some = ["", "?status=queued", f"?bot={bot.pk}", f"?bot={bot.pk}&status=queued"]
    some += ["?kind=ladder", "?kind=remote"]
    return [
        *(f"{reverse('matches')}{query}" for query in some),
        *(f"{reverse('api-matches')}{query}" for query in [*some, f"?other={bot.pk}"]),
        *("/", "/cooking/", "/status/", "/metrics", "/my-bots/", f"/bots/{bot.pk}/"),
        *(f"/users/{bot.owner.username}/", f"/games/{bot.game}/", f"/boards/{bot.game}/2/"),
        *("/feed.atom", f"/bots/{bot.pk}/feed.atom", f"/boards/{bot.game}/2/feed.atom"),
        *(f"/users/{bot.owner.username}/feed.atom", "/notices/"),
        f"/api/v1/bots/{bot.pk}/",
    ]


def test_a_waiting_rated_match_has_no_seed_and_no_address(reader: Client, drawn: Match) -> None:
    assert drawn.seed is None
    assert {path: reader.get(path).status_code for path in own_pages(drawn)} == dict.fromkeys(
        own_pages(drawn), 404
    )


def test_no_list_shows_a_waiting_rated_match(reader: Client, drawn: Match, pair: list[Bot]) -> None:
    for path in lists(pair[0]):
        text = reader.get(path, follow=True).content.decode()
        assert WHY not in text, path
        assert reverse("match", args=[drawn.pk]) not in text, path
    for query in ("status=queued", f"bot={pair[0].pk}", f"bot={pair[1].pk}&kind={drawn.kind}"):
        answer = reader.get(f"{reverse('api-matches')}?{query}").json()
        assert answer["results"] == [], query


def test_operators_see_no_opponent_of_a_waiting_rated_match(
    client: Client, drawn: Match, pair: list[Bot]
) -> None:
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    address = reverse("admin:ladder_match_change", args=[drawn.pk])
    hidden = [WHY, *(bot.name for bot in pair)]

    waiting = client.get(address).content.decode()
    assert play_and_finish(drawn)
    drawn.refresh_from_db()
    over = client.get(address).content.decode()

    assert [word for word in hidden if word in waiting] == []
    assert all(bot.name in over for bot in pair)


def test_no_event_notice_or_delivery_is_written_before_it_is_played(
    drawn: Match, author: User
) -> None:
    hooks.create(user=author, url="https://example.org/hook", format="standard")
    wishes.follow(user=author, subject="board", target=str(DUEL))
    dispatch.dispatch_all()
    assert not Event.objects.filter(match=drawn.pk).exists()
    assert Notice.objects.count() == Delivery.objects.count() == 0

    assert play_and_finish(drawn)
    dispatch.dispatch_all()
    assert Event.objects.filter(match=drawn.pk).exists()


def test_lists_show_it_once_it_is_played(reader: Client, drawn: Match, pair: list[Bot]) -> None:
    assert play_and_finish(drawn)

    drawn.refresh_from_db()
    shown = reader.get(reverse("api-match-detail", args=[drawn.pk])).json()
    assert shown["seed"] == drawn.seed is not None
    assert len(shown["entries"]) == 2
    listed = reader.get(f"{reverse('api-matches')}?bot={pair[0].pk}").json()["results"]
    assert [match["id"] for match in listed] == [drawn.pk]


@pytest.mark.parametrize("kind", [Match.Kind.CHALLENGE, Match.Kind.LADDER])
def test_a_seed_is_shown_when_the_match_is_finished_and_not_before(
    client: Client, pair: list[Bot], kind: str
) -> None:
    """Tournaments' seeds are known to the site from the start, and given ones to their giver."""
    match = make_match(*pair, kind=kind, seed=123456789)
    claimed = Match.all_objects.claim_next("test")
    assert claimed is not None
    for path in (reverse("match", args=[match.pk]), reverse("api-match-detail", args=[match.pk])):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "123456789" not in answer.content.decode()


def test_a_seed_is_drawn_when_a_worker_claims_the_match(drawn: Match) -> None:
    claimed = Match.all_objects.claim_next("first")
    assert claimed is not None
    first = claimed.seed
    assert first is not None
    assert Match.all_objects.get(pk=drawn.pk).seed == first


def test_a_failed_attempt_does_not_get_other_luck(drawn: Match) -> None:
    first = Match.all_objects.claim_next("first")
    assert first is not None
    matches.fail(first, "the machine was too slow", slot=0)
    Match.all_objects.update(retry_at=None)

    again = Match.all_objects.claim_next("second")

    assert again is not None
    assert (again.attempt, again.seed) == (2, first.seed)


def test_an_author_who_retires_a_bot_cancels_no_rated_match(drawn: Match, pair: list[Bot]) -> None:
    versions = [bot.active_version for bot in pair if bot.active_version is not None]
    unrated = tables.queue(game=DUEL.game, seats=DUEL.seats, versions=versions, why="A challenge")

    bots.retire(bot=pair[0])

    status = dict(Match.all_objects.values_list("pk", "status"))
    assert status == {drawn.pk: "queued", unrated.pk: "cancelled"}


def test_an_operator_who_suspends_a_bot_cancels_its_rated_matches(
    drawn: Match, pair: list[Bot]
) -> None:
    bots.suspend(bot=pair[0])

    drawn.refresh_from_db()
    assert drawn.status == "cancelled"


def test_a_table_of_the_open_class_that_a_keeper_gave_back_is_still_shown(
    client: Client, pair: list[Bot]
) -> None:
    versions = [bot.active_version for bot in pair if bot.active_version is not None]
    match = tables.queue(
        game=DUEL.game, seats=DUEL.seats, versions=versions, why=WHY, is_rated=True
    )
    claimed = Match.all_objects.claim_next("a keeper")
    assert claimed is not None
    assert matches.give_back_remote([(claimed.pk, claimed.attempt)]) == 1

    match.refresh_from_db()
    assert match.status == "queued"
    assert client.get(reverse("match", args=[match.pk])).status_code == 200


@pytest.mark.jail
@pytest.mark.django_db(transaction=True)
def test_what_a_worker_logs_of_waiting_matches_names_no_bot(
    pair: list[Bot], caplog: pytest.LogCaptureFixture
) -> None:
    tick = Tick.objects.create(game=DUEL.game, seats=DUEL.seats, number=1)
    seats = [Seat(bot.pk, bot.active_version_id or 0) for bot in pair]
    matches.queue_ladder([(tick, WHY, seats)] * 2)
    caplog.set_level("DEBUG")

    assert worker.work_once()

    (waiting,) = Match.all_objects.waiting()
    assert (waiting.seed, Entry.objects.filter(match=waiting).count()) == (None, 2)
    assert WHY not in caplog.text
    assert not any(bot.name in caplog.text for bot in pair)
