"""Names that people choose: nothing hidden in them, and nobody's look-alike."""

from __future__ import annotations

import csv
import io

import pytest

from ladder.errors import Code, LadderError
from ladder.models import Bot
from ladder.models.names import has_unseen, look
from ladder.services import bots
from ladder.services.tournaments.export import _text
from ladder.web.account.forms import SignUpForm
from tests.factories import PASSWORD, make_bot, make_user, make_version

LOOK_ALIKES = ["аӏісе", "A1ICE", "alíce", "al.ice", "aIice", "ａｌｉｃｅ"]


@pytest.mark.parametrize("name", LOOK_ALIKES)
def test_names_that_look_alike_have_the_same_look(name: str) -> None:
    assert look(name) == look("alice")


def test_other_names_have_other_looks() -> None:
    names = ["alice", "alicia", "bob", "Zoë", "王伟", "Bot 1", "Bot 2", "Bot 11", "Мария"]
    assert len({look(name) for name in names}) == len(names)


@pytest.mark.parametrize("mark", ["\u202e", "\u200b", "\u2066", "\u200d", "\ufeff", "\x07"])
def test_marks_that_cannot_be_seen_are_found(mark: str) -> None:
    assert has_unseen(f"ali{mark}ce")


def test_letters_and_pictures_of_all_scripts_are_seen() -> None:
    assert not any(map(has_unseen, ["Zoë", "王伟", "👩\u200d🍳", "می\u200cخواهم", "Ramen! Cup"]))


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["me", "ME", "adm1n", "A1ice", "al-ice"])
def test_reserved_names_and_look_alikes_cannot_sign_up(name: str) -> None:
    make_user("alice")
    given = {"email": "a@example.org", "password1": PASSWORD, "password2": PASSWORD}

    assert "username" in SignUpForm(given | {"username": name}).errors
    assert not SignUpForm(given | {"username": "bert"}).errors


@pytest.mark.django_db
def test_a_bot_cannot_look_like_the_bot_of_somebody_else() -> None:
    wok = make_bot(name="Wok")
    other = make_bot(name="Pan")

    with pytest.raises(LadderError, match="looks like Wok") as refused:
        bots.create_bot(owner=other.owner, game=wok.game, name="W0k")
    assert refused.value.code == Code.NAME_TAKEN
    with pytest.raises(LadderError):
        bots.rename(bot=other, name="W-o-k")
    assert bots.create_bot(owner=wok.owner, game=wok.game, name="W0k").name == "W0k"
    assert bots.create_bot(owner=other.owner, game="safranito", name="Wok").name == "Wok"


@pytest.mark.parametrize("words", ["=HYPERLINK(1)", "+1", "-1", "@SUM(1)", "\tx", "\rx"])
def test_a_spreadsheet_takes_no_text_for_a_formula(words: str) -> None:
    line = io.StringIO()
    csv.writer(line).writerow([_text(words), _text("Wok")])

    ((guarded, plain),) = csv.reader(io.StringIO(line.getvalue(), newline=""))
    assert (guarded, plain) == (f"'{words}", "Wok")


@pytest.mark.django_db
def test_a_refused_look_alike_tells_nothing_of_a_bot_that_was_never_accepted() -> None:
    bots.create_bot(owner=make_user("alice"), game="safranito", name="Wok")

    with pytest.raises(LadderError, match="looks like another bot for Safranito") as refused:
        bots.create_bot(owner=make_user("bob"), game="safranito", name="W0k")

    assert "alice" not in str(refused.value)


@pytest.mark.django_db
def test_a_new_name_undoes_nothing_that_happened_to_the_bot_meanwhile() -> None:
    bot = make_bot(name="Wok")
    stale = Bot.objects.get(pk=bot.pk)
    version = make_version(bot)

    bots.rename(bot=stale, name="Pan")

    bot.refresh_from_db()
    assert (bot.name, bot.name_look, bot.active_version) == ("Pan", "pan", version)


@pytest.mark.django_db
def test_nobody_keeps_a_house_bot_out_by_a_name_that_looks_like_its() -> None:
    """Else `manage.py prepare` would fail with the next release that has a new house bot."""
    bots.create_bot(owner=make_user(), game="safranito", name="HouseWok")

    house = bots.create_bot(
        owner=make_user("house"), game="safranito", name="House Wok", house_slug="wok"
    )

    assert house.is_house
