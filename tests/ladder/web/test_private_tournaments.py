"""Matches of a private tournament are found by its people only."""

import pytest
from django.urls import reverse

from ladder.models import Match, Pairing, Tournament
from ladder.queries import bots
from ladder.queries.figures import figures, head_to_head
from tests.factories import make_bot, make_match, make_user
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def match():
    alice = make_user("alice")
    tournament = Tournament.objects.create(
        name="Behind closed doors", organiser=alice, game="ramen_ramen", seats=2,
        format="swiss", is_public=False, secret="0" * 64, commitment="0" * 64,
    )  # fmt: skip
    pairing = Pairing.objects.create(
        tournament=tournament,
        round=1,
        table=1,
        label="R1T1",
        entrants=[1, 2],
        drawn=[1, 2],
        drawn_at_step=1,
    )
    match = make_match(
        make_bot(make_user("bob")), make_bot(), kind=Match.Kind.TOURNAMENT, pairing=pairing,
        number=0,
    )  # fmt: skip
    play_and_finish(match)
    return match


def pages(match: Match) -> list[str]:
    return [
        reverse("match", args=[match.pk]),
        reverse("match-download", args=[match.pk]),
        reverse("replay-download", args=[match.pk, 0]),
        reverse("theatre", args=[match.pk, 0]),
    ]


def test_a_stranger_neither_finds_nor_opens_it(client, match):
    client.force_login(make_user("charlie"))

    for page in pages(match):
        assert client.get(page).status_code == 404, page
    one, other = match.entries.order_by("slot").values_list("bot", flat=True)
    listings = ["/", "/matches/", "/games/ramen_ramen/", f"/matches/?bot={one}"]
    listings += [f"/bots/{one}/", f"/bots/{one}/vs/{other}/"]
    for listing in listings:
        assert f"/matches/{match.pk}/" not in client.get(listing).content.decode(), listing


def test_it_does_not_count_in_what_is_told_of_its_bots(match):
    one, other = (entry.bot for entry in match.entries.order_by("slot"))

    assert figures(one.pk, match.board).opponents == []
    assert head_to_head(bots.show(one.pk), bots.show(other.pk)) == ([], [])

    Tournament.objects.update(is_public=True)
    assert [rival.bot for rival in figures(one.pk, match.board).opponents] == [other.pk]
    assert head_to_head(bots.show(one.pk), bots.show(other.pk))[1] == [match.pk]


def test_its_organiser_opens_it(client, match):
    client.force_login(match.pairing.tournament.organiser)

    for page in pages(match):
        assert client.get(page).status_code == 200, page
