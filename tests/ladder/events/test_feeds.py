"""Feeds and calendars hold what everybody may know, and nothing else."""

from __future__ import annotations

import re
from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.utils import timezone

from ladder.contract.events import Audience, Kind
from ladder.models import Bot, Tournament, User
from ladder.services import tournaments
from tests.factories import DUEL, make_bot
from tests.ladder.events.conftest import happen

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def cup(alice: User) -> Tournament:
    start = timezone.now() + timedelta(days=1)
    return tournaments.create(
        by=alice,
        board=DUEL,
        name="Soup, Salt; & \\Spice " + "ü" * 40,
        format="round_robin",
        start_at=start,
        check_in_minutes=30,
    )


def entries(client: Client, path: str) -> list[tuple[str, str]]:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.content)
    return [
        (entry.findtext(f"{ATOM}id", ""), entry.findtext(f"{ATOM}title", ""))
        for entry in root.iter(f"{ATOM}entry")
    ]


def test_each_feed_has_the_news_of_its_subject(
    client: Client, alice: User, miso: Bot, cup: Tournament
) -> None:
    other = make_bot(name="Shio", game="safranito")
    happen(Kind.BOT_RANKED, miso, board=DUEL)
    happen(Kind.TOURNAMENT_ROUND, miso, tournament=cup.pk, owner=None)
    happen(Kind.BOT_RANKED, other)

    assert len(entries(client, "/feed.atom")) == 3
    for path in (
        f"/bots/{miso.pk}/feed.atom",
        "/users/ALICE/feed.atom",
        f"/boards/{DUEL}/feed.atom",
    ):
        assert "Miso is now ranked: place None, Elo 0." in [e[1] for e in entries(client, path)]
    assert len(entries(client, f"/tournaments/{cup.pk}/feed.atom")) == 1
    ids = [entry[0] for entry in entries(client, "/feed.atom")]
    assert len(set(ids)) == 3 and all(re.fullmatch(r"tag:localhost,2026:event/\d+", i) for i in ids)


def test_no_feed_has_what_is_private_or_routine(client: Client, alice: User, miso: Bot) -> None:
    happen(Kind.VERSION_REJECTED, miso, audience=Audience.OWNER)
    happen(Kind.OPERATOR_ACTED, miso, audience=Audience.OPERATORS)
    happen(Kind.TOURNAMENT_ROUND, miso, audience=Audience.TOURNAMENT, tournament=1)
    happen(Kind.MATCH_FINISHED, miso, is_news=False)

    for path in ("/feed.atom", f"/bots/{miso.pk}/feed.atom", "/users/alice/feed.atom"):
        assert entries(client, path) == []


def test_private_and_unknown_subjects_have_no_feed(client: Client, alice: User) -> None:
    hidden = make_bot(alice, with_version=False)
    private = tournaments.create(
        by=alice, board=DUEL, name="Secret", format="round_robin", is_public=False
    )
    client.force_login(alice)
    for path in (
        f"/bots/{hidden.pk}/feed.atom",
        f"/tournaments/{private.pk}/feed.atom",
        f"/tournaments/{private.pk}/calendar.ics",
        *("/bots/999/feed.atom", "/users/nobody/feed.atom", "/boards/ramen_ramen/9/feed.atom"),
    ):
        assert client.get(path).status_code == 404, path
    assert "Secret" not in client.get("/tournaments/calendar.ics").content.decode()


def test_a_calendar_keeps_to_the_rules_of_its_format(client: Client, cup: Tournament) -> None:
    for path in ("/tournaments/calendar.ics", f"/tournaments/{cup.pk}/calendar.ics"):
        answer = client.get(path)
        assert answer["Content-Type"] == "text/calendar; charset=utf-8"
        text = answer.content.decode()
        lines = text.split("\r\n")
        assert "\n" not in text.replace("\r\n", "")
        assert max(len(line.encode()) for line in lines) <= 75
        whole = text.replace("\r\n ", "").split("\r\n")
        assert r"SUMMARY:Soup\, Salt\; & \\Spice " + "ü" * 40 in whole
        assert cup.start_at is not None
        assert f"DTSTART:{cup.start_at:%Y%m%dT%H%M%SZ}" in whole
        assert f"UID:tournament-{cup.pk}@localhost" in whole


def test_pages_link_to_their_feeds(client: Client, miso: Bot, cup: Tournament) -> None:
    for page in ("/", f"/bots/{miso.pk}/", "/users/alice/", f"/boards/{DUEL}/"):
        text = client.get(page).content.decode()
        links = re.findall(r'rel="alternate" type="application/atom.xml"[^>]* href="([^"]+)"', text)
        assert len(links) == (1 if page == "/" else 2), page
        assert [client.get(link).status_code for link in links] == [200] * len(links)
    assert "calendar.ics" in client.get(f"/tournaments/{cup.pk}/").content.decode()
    assert "calendar.ics" in client.get("/tournaments/").content.decode()
