"""Users are told what they want to know, once, where they want it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ladder.contract.events import Audience, Kind
from ladder.errors import LadderError
from ladder.models import Bot, EventReader, Notice, Tournament, User
from ladder.queries import notices as queries
from ladder.services import tournaments
from ladder.services.events import dispatch
from ladder.services.notices import telling, wishes
from tests.factories import DUEL, make_bot, make_match, make_user
from tests.ladder.events.conftest import happen
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db


def texts(user: User) -> list[str]:
    return [notice.text for notice in queries.page(user.pk, None, 50).rows]


def test_an_author_is_told_what_happens_to_a_bot_and_a_stranger_is_not(
    alice: User, bob: User, miso: Bot
) -> None:
    happen(Kind.VERSION_REJECTED, miso, audience=Audience.OWNER, reason="It crashed.")

    assert texts(alice) == ["Miso: version 1 failed the check: It crashed."]
    assert texts(bob) == []


def test_an_event_is_handed_on_once(alice: User, miso: Bot) -> None:
    happen(Kind.BOT_RANKED, miso)
    dispatch.dispatch_all()
    assert len(texts(alice)) == 1

    EventReader.objects.update(last=0)  # as if its transaction had not been committed
    Notice.objects.all().delete()
    dispatch.dispatch_all()
    assert len(texts(alice)) == 1


def test_one_event_that_breaks_does_not_hold_up_the_others(
    alice: User, miso: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = telling.tell

    def break_once(row: Any, event: Any, users: Any) -> None:
        if event.reason == "bad":
            Notice.objects.create(user=alice, event=1, text="half", page="/", at=event.at)
            raise RuntimeError
        real(row, event, users)

    monkeypatch.setattr(telling, "tell", break_once)
    happen(Kind.BOT_RANKED, miso, reason="bad")
    happen(Kind.BOT_OVERTAKEN, miso)

    assert [notice.kind for notice in Notice.objects.all()] == ["bot.overtaken"]


def test_repeated_faults_are_one_notice_with_a_count_until_it_is_read(
    alice: User, miso: Bot
) -> None:
    for number in range(3):
        happen(Kind.MATCH_FAULTED, miso, match=number + 1)
    (notice,) = queries.page(alice.pk, None, 50).rows
    assert (notice.count, notice.page) == (3, "/matches/3/")

    wishes.mark_read(user=alice, up_to=notice.id)
    happen(Kind.MATCH_FAULTED, miso, match=4)
    assert [one.count for one in queries.page(alice.pk, None, 50).rows] == [1, 3]


@pytest.mark.parametrize("by", ["bot", "author", "board"])
def test_followers_are_told(by: str, bob: User, miso: Bot) -> None:
    target = {"bot": miso.pk, "author": miso.owner_id, "board": DUEL}[by]
    wishes.follow(user=bob, subject=by, target=str(target))
    wishes.follow(user=bob, subject=by, target=str(target))
    happen(Kind.BOT_RANKED, miso, board=DUEL)
    assert len(texts(bob)) == 1

    wishes.unfollow(user=bob, subject=by, target=str(target))
    happen(Kind.BOT_RANKED, miso, board=DUEL)
    assert len(texts(bob)) == 1


def test_following_what_one_may_not_see_is_refused(bob: User, alice: User) -> None:
    hidden = make_bot(alice, with_version=False)
    private = tournaments.create(
        by=alice, board=DUEL, name="Secret", format="round_robin", is_public=False
    )
    for subject, target in (
        *(("bot", hidden.pk), ("tournament", private.pk), ("board", "ramen_ramen/99")),
        *(("bot", "x"), ("author", 10**20), ("weather", 1)),
    ):
        with pytest.raises(LadderError):
            wishes.follow(user=bob, subject=subject, target=str(target))


def test_the_list_of_what_a_user_follows_hides_a_tournament_that_became_private(
    alice: User, bob: User
) -> None:
    cup = tournaments.create(by=alice, board=DUEL, name="Cup", format="round_robin", is_public=True)
    for user in (alice, bob):
        wishes.follow(user=user, subject="tournament", target=str(cup.pk))
    titles = {user: [each.title for each in queries.following(user.pk)] for user in (alice, bob)}
    assert titles == {alice: ["Cup"], bob: ["Cup"]}

    Tournament.objects.filter(pk=cup.pk).update(is_public=False, name="Secret")
    titles = {user: [each.title for each in queries.following(user.pk)] for user in (alice, bob)}
    assert titles == {alice: ["Secret"], bob: []}


def test_events_of_a_private_tournament_reach_only_insiders(
    alice: User, bob: User, miso: Bot
) -> None:
    cup = tournaments.create(
        by=alice, board=DUEL, name="Soup Cup", format="round_robin", is_public=True
    )
    wishes.follow(user=bob, subject="tournament", target=str(cup.pk))
    happen(Kind.TOURNAMENT_ROUND, miso, audience=Audience.TOURNAMENT, tournament=cup.pk)

    assert (len(texts(alice)), texts(bob)) == (1, [])


def test_a_challenge_is_told_to_both_authors_and_a_ladder_match_to_nobody(
    alice: User, bob: User, miso: Bot
) -> None:
    shio = make_bot(bob, name="Shio")
    play_and_finish(make_match(miso, shio))
    play_and_finish(make_match(miso, shio, kind="ladder"))
    dispatch.dispatch_all()

    assert (len(texts(alice)), len(texts(bob))) == (1, 1)


def test_operators_are_told_what_other_operators_did(alice: User, miso: Bot) -> None:
    first, second = (make_user(name, is_staff=True) for name in ("root", "ruth"))
    happen(Kind.OPERATOR_ACTED, miso, audience=Audience.OPERATORS, owner=first.pk)

    assert [len(texts(user)) for user in (first, second, alice)] == [0, 1, 0]


def test_preferences_of_a_bot_count_before_those_of_all(alice: User, miso: Bot) -> None:
    other = make_bot(alice, name="Shio")
    wishes.choose(user=alice, kind=Kind.BOT_RANKED, channel="off")
    wishes.choose(user=alice, kind=Kind.BOT_RANKED, channel="site", bot=miso.pk)
    happen(Kind.BOT_RANKED, other)
    assert texts(alice) == []

    happen(Kind.BOT_RANKED, miso)
    assert len(texts(alice)) == 1


@pytest.mark.parametrize(
    ("now", "rhythm", "due"),
    [
        (datetime(2026, 11, 18, 5, tzinfo=UTC), "daily", datetime(2026, 11, 18, 7, tzinfo=UTC)),
        (datetime(2026, 11, 18, 9, tzinfo=UTC), "daily", datetime(2026, 11, 19, 7, tzinfo=UTC)),
        (datetime(2026, 11, 18, 9, tzinfo=UTC), "weekly", datetime(2026, 11, 23, 7, tzinfo=UTC)),
        (datetime(2026, 11, 23, 6, tzinfo=UTC), "weekly", datetime(2026, 11, 23, 7, tzinfo=UTC)),
        (datetime(2026, 11, 23, 8, tzinfo=UTC), "weekly", datetime(2026, 11, 30, 7, tzinfo=UTC)),
    ],
)
def test_a_digest_is_due_in_the_morning(now: datetime, rhythm: str, due: datetime) -> None:
    assert telling.due_after(now, rhythm) == due


def test_the_page_shows_notices_and_the_header_how_many_are_unread(
    client: Client, alice: User, miso: Bot
) -> None:
    happen(Kind.BOT_RANKED, miso)
    client.force_login(alice)
    badge = '<span class="unread"\n          >1<'
    page = client.get(reverse("notices")).content.decode()
    assert "Miso is now ranked" in page and badge in page
    assert "This site sends no mail" in page

    newest = Notice.objects.get().pk
    assert client.post(reverse("notices"), {"up_to": newest}).status_code == 302
    assert badge not in client.get("/").content.decode()


def test_settings_are_saved_for_all_bots_and_for_one(
    client: Client, alice: User, bob: User, miso: Bot
) -> None:
    client.force_login(alice)
    place = reverse("notice-settings")
    client.post(place, {"rhythm": "weekly", "bot.ranked": "mail"})
    client.post(place, {"bot": miso.pk, "bot.ranked": "off"})
    found = queries.choices(alice.pk)
    assert (found.rhythm, found.channels) == (
        "weekly",
        {("bot.ranked", 0): "mail", ("bot.ranked", miso.pk): "off"},
    )
    client.post(place, {"bot": miso.pk, "bot.ranked": ""})
    assert queries.choices(alice.pk).channels == {("bot.ranked", 0): "mail"}
    assert client.post(place, {"rhythm": "hourly"}, follow=True).status_code == 200
    assert queries.choices(alice.pk).rhythm == "weekly"

    client.force_login(bob)
    assert client.post(place, {"bot": miso.pk, "bot.ranked": "off"}).status_code == 404


def test_pages_have_a_button_to_follow_for_users_alone(
    client: Client, bob: User, miso: Bot
) -> None:
    cup = tournaments.create(by=miso.owner, board=DUEL, name="Soup Cup", format="round_robin")
    places = [f"/bots/{miso.pk}/", "/users/alice/", f"/boards/{DUEL}/", f"/tournaments/{cup.pk}/"]
    for place in places:
        assert reverse("follow") not in client.get(place).content.decode()
    client.force_login(bob)
    for place in places:
        assert "Follow</button>" in client.get(place).content.decode(), place

    asked = {"subject": "bot", "target": miso.pk, "act": "follow", "next": places[0]}
    assert client.post(reverse("follow"), asked)["Location"] == places[0]
    assert "Unfollow</button>" in client.get(places[0]).content.decode()
    assert "Miso" in client.get(reverse("notice-settings")).content.decode()
    away = client.post(reverse("follow"), asked | {"next": "https://evil.example/"})
    assert away["Location"] == reverse("notice-settings")
