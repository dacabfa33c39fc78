"""Cursors that no server has made."""

from urllib.parse import quote

import pytest

from tests.ladder.api.conftest import Asker

LISTS = [
    "bots/?ordering=-id",
    "bots/?ordering=created_at",
    "matches/?ordering=id",
    "tournaments/?page_size=1",
    "trials/?page_size=1",
    "users/?page_size=1",
    "tokens/?page_size=1",
    "boards/ramen_ramen/2/ticks/?page_size=1",
    "bots/{bot}/history/?page_size=1",
    "bots/{bot}/versions/?page_size=1",
]
POSITIONS = ["abc", "1.5", "1e999", "inf", "None", "[1]", "\0", "2026-13-45", "9" * 5000]


def cursor(position: str) -> str:
    return quote(f"after.{position}")


@pytest.mark.parametrize("path", LISTS)
def test_a_forged_position_is_refused(alice_signed_in, kitchen, code, path):
    where = path.format(bot=kitchen.bot.pk)

    for position in POSITIONS:
        if "history" in path and position == "1.5":
            continue  # there it is a true one: a tick and a rating
        refused = alice_signed_in.get(f"{where}&cursor={cursor(position)}")
        assert (refused.status_code, code(refused)) == (400, "validation"), position


@pytest.mark.parametrize(
    "text", ["%ff", "a", "7", cursor("7"), cursor("\0.7"), cursor("a.-7"), cursor("a" * 300 + ".7")]
)
def test_what_is_no_cursor_is_refused(anyone, kitchen, code, text):
    refused = anyone.get(f"bots/?ordering=name&cursor={text}")

    assert (refused.status_code, code(refused)) == (400, "validation")


def test_a_forged_position_beyond_all_rows_is_an_empty_page(anyone, kitchen):
    for position in ("0", "00", "0" * 16):
        page = anyone.get(f"bots/?cursor={cursor(position)}")
        assert (page.status_code, page.json()["results"]) == (200, []), position


@pytest.mark.parametrize(
    "text",
    ["after..5", "after.-.5", "after.5.", "after.--5.5", "after.1.1.1", "up.1.1", "after.².1", ""],
)
def test_a_forged_place_on_a_ladder_is_refused(anyone, kitchen, code, text):
    refused = anyone.get(f"boards/ramen_ramen/2/ladder/?cursor={quote(text)}")

    assert (refused.status_code, code(refused)) == (400, "validation")


def test_a_cursor_shows_nobody_elses_tokens(alice, charlie, kitchen):
    everything = cursor(str(2**53))

    page = Asker(charlie.user).get(f"tokens/?cursor={everything}")

    names = [one["name"] for one in page.json()["results"]]

    assert names == ["test"]
