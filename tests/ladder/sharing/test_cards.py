"""Cards: the pictures that other sites show beside a link."""

from __future__ import annotations

import re
import struct
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from engine.frames import frames, names
from engine.games import GAMES
from engine.replay import from_json
from ladder.models import Bot, Match, Play, Rating, User
from ladder.services.publishing import profiles
from ladder.theatre.example import source
from ladder.web.cards import making
from ladder.web.cards.layout import Card, cut, svg, wrapped
from tests.factories import make_bot
from tests.ladder.web.conftest import signed_in
from tests.ladder.web.test_kept_plays import played as played_in_a_tab
from tests.ladder.web.test_kept_plays import sent
from tests.servers import bundle, wait_until

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    bundle()


def size(picture: bytes) -> tuple[int, int]:
    assert picture[:8] == PNG
    return struct.unpack(">II", picture[16:24])


def card_of(page: str, client: Client | None = None) -> str:
    """The address of the card that a page names, on the site itself."""
    body = (client or Client()).get(page).content.decode()
    (address,) = re.findall(r'property="og:image" content="([^"]+)"', body)
    return re.sub(r"^https?://[^/]+", "", address)


def picture_of(address: str) -> bytes:
    answer = Client().get(address)
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    return answer.content


def neutral() -> bytes:
    return picture_of("/cards/bots/999999.png")


def test_every_page_worth_a_link_names_a_card_of_the_right_size(
    played: Match, miso: Bot, alice: User
) -> None:
    kept = sent(signed_in(alice), played_in_a_tab()).json()["page"]
    pages = [
        reverse("match", args=[played.pk]),
        reverse("theatre", args=[played.pk, 0]),
        f"{reverse('theatre', args=[played.pk, 0])}?step=5",
        f"{kept}?step=3",
        reverse("bot", args=[miso.pk]),
        reverse("board", args=["ramen_ramen", 2]),
    ]
    pictures = [picture_of(card_of(page)) for page in pages]

    assert {size(picture) for picture in pictures} == {(1200, 630)}
    assert len({neutral(), *pictures}) == len(pages) + 1


def test_a_card_is_made_once_and_found_again_by_its_content(
    played: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = reverse("play-card", args=[played.pk, 0])
    first = Client().get(address)
    monkeypatch.setattr(making, "rasterised", lambda picture: pytest.fail("made twice"))
    again = Client().get(address)
    known = Client().get(address, headers={"If-None-Match": first["ETag"]})

    assert again.content == first.content
    assert known.status_code == 304
    assert "Set-Cookie" not in first


def test_what_strangers_may_not_see_has_the_neutral_card(
    played: Match, miso: Bot, alice: User
) -> None:
    hidden = make_bot(alice, name="Hidden", with_version=False)
    gone = reverse("play-card", args=[played.pk, 0])
    shown = picture_of(gone)
    Play.objects.filter(match=played).delete()
    deleted = make_bot(alice, name="Deleted")
    assert picture_of(reverse("bot-card", args=[deleted.pk])) != neutral()
    deleted_pk = deleted.pk
    Bot.objects.filter(pk=deleted_pk).update(active_version=None)
    Rating.objects.filter(bot=deleted_pk).delete()
    deleted.versions.all().delete()
    deleted.delete()
    addresses = [
        reverse("bot-card", args=[deleted_pk]),
        reverse("bot-card", args=[hidden.pk]),
        gone,
        reverse("kept-card", args=[999]),
        reverse("tournament-card", args=[999]),
        reverse("board-card", args=["chess", 2]),
        "/cards/matches/999.png",
    ]

    assert {picture_of(address) for address in addresses} == {neutral()}
    assert shown != neutral()
    # Its own author gets no other picture: cookies are not read.
    owner = signed_in(alice)
    assert owner.get(addresses[1]).content == neutral()
    assert "img/card.png" in card_of(reverse("bot", args=[hidden.pk]), owner)


def test_cards_made_anew_are_limited_for_each_address(played: Match, settings) -> None:
    settings.RATE_CARDS = "2/min"
    addresses = [f"{reverse('play-card', args=[played.pk, 0])}?step={step}" for step in range(4)]

    answers = [Client().get(address).status_code for address in addresses]

    assert answers == [200, 200, 429, 429]
    assert Client().get(addresses[0]).status_code == 200  # kept ones cost nothing


def test_requests_that_would_wait_long_for_a_card_are_refused_at_once(monkeypatch) -> None:
    monkeypatch.setattr(making, "WAITING_SECONDS", 60)
    card = Card(title="Many want one")
    with ThreadPoolExecutor(5) as threads, making._turn:  # somebody's card is being made
        asked = [threads.submit(making.make, card, f"many-{at}", bytes) for at in range(5)]
        wait_until(lambda: sum(one.done() for one in asked) == 3, 20, "three are refused")
        assert all(isinstance(one.exception(), making.Busy) for one in asked if one.done())
    assert sum(one.exception() is None for one in asked) == 2


def test_a_card_whose_table_could_not_be_drawn_is_not_kept_for_long(
    played: Match, monkeypatch
) -> None:
    address = reverse("play-card", args=[played.pk, 0])
    with monkeypatch.context() as busy:
        busy.setattr(making, "KEPT_WITHOUT_TABLE_SECONDS", 0)
        busy.setattr(making, "DRAWING_SECONDS", 0.001)
        without = picture_of(address)

    assert picture_of(address) != without


@pytest.mark.parametrize("game", GAMES)
def test_a_table_on_a_card_is_drawn_by_the_games_own_board(game: str, tmp_path: Path) -> None:
    rules = GAMES[game]
    replay = from_json(source(rules)["replay"])
    *_, last = frames(rules, replay)
    table = making.drawn(
        {"game": game, "frame": last, "names": names(replay), "seats": replay.seats}
    )

    assert "var(" not in table.svg
    assert "light-dark" not in table.svg
    assert "currentcolor" not in table.svg.lower()  # there is no stylesheet to take it from
    assert "undefined" not in table.svg
    for name in names(replay):
        assert name in table.svg
    assert size(making.rasterised(svg(Card(title=rules.title), table))) == (1200, 630)


def test_long_and_hostile_words_stay_words_on_a_card(miso: Bot) -> None:
    profiles.describe(bot=miso, description="<script>alert(1)</script> & " + "long " * 200)
    card = Card(title="<b>" + "W" * 90, words="a\x00\x07b", kicker="&")
    drawn = svg(card, None)

    assert "<b>" not in drawn
    assert "\x00" not in drawn
    assert size(making.rasterised(drawn)) == (1200, 630)
    assert size(picture_of(reverse("bot-card", args=[miso.pk]))) == (1200, 630)
    assert wrapped("one two three", 7, 2) == ["one two", "three"]
    assert wrapped("one two three four", 5, 2)[-1].endswith("…")
    assert cut("Ladle", 5) == "Ladle"
