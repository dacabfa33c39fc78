"""What an author is told, and spared."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from engine.games import GAMES
from engine.match import play
from ladder.models import Bot, Entry, Match, User, Version
from ladder.services import bots
from tests.factories import make_bot, make_match, make_version
from tests.ladder.web.conftest import signed_in
from tests.local_play import Dice

pytestmark = pytest.mark.django_db

PYTHON = "def decide(view):\n    return view['legal'][0]\n"
JAVASCRIPT = "function decide(view) {\n  return view.legal[0];\n}\n"


def upload(user: User, bot: Bot, source: str, **fields: str):
    path = f"/bots/{bot.pk}/upload/"
    return signed_in(user).post(path, {"pasted": source, "activate": "on", **fields}, follow=True)


@pytest.mark.parametrize("left", ["py", "js", ""])
@pytest.mark.parametrize(("source", "language"), [(PYTHON, "py"), (JAVASCRIPT, "js")])
def test_a_pasted_script_is_taken_for_what_it_is_whatever_was_left_selected(
    alice: User, source: str, language: str, left: str
) -> None:
    bot = make_bot(alice, with_version=False)

    upload(alice, bot, source, language=left)

    assert bot.versions.get().language == language


def test_the_same_text_in_another_language_is_another_version(alice: User) -> None:
    bot = make_bot(alice, with_version=False)
    content = b"decide = 1\n"

    one, _ = bots.upload(bot=bot, filename="bot.py", content=content)
    other, is_new = bots.upload(bot=bot, filename="bot.js", content=content)

    assert is_new
    assert (one.language, other.language) == ("py", "js")
    assert other.program().content.decode() == one.program().content.decode()


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("def decide(view)\n    return 1\n", "The script has a syntax error, line 1: expected"),
        ("function decide(view) {\n  return view.;\n}\n", "The script has a syntax error, line 2:"),
    ],
)
def test_a_syntax_error_is_told_at_once_and_nothing_is_stored(
    alice: User, source: str, told: str
) -> None:
    bot = make_bot(alice, with_version=False)

    response = upload(alice, bot, source)

    assert response.status_code == 400
    assert told in response.content.decode().replace("&#x27;", "'")
    assert not bot.versions.exists()


def test_a_new_version_opens_with_the_source_of_the_last_or_of_the_one_asked_for(
    alice: User,
) -> None:
    bot = make_bot(alice, source="# the first\n")
    make_version(bot, source="# the second\n")

    newest = signed_in(alice).get(f"/bots/{bot.pk}/upload/").content.decode()
    first = signed_in(alice).get(f"/bots/{bot.pk}/upload/?from=1").content.decode()

    assert "# the second" in newest and "# the first" not in newest
    assert "# the first" in first


def test_a_bot_that_was_never_accepted_is_its_authors_alone(alice: User, bob: User) -> None:
    bot = make_bot(alice, name="Nina Cheat", with_version=False)
    make_version(bot, status=Version.Status.REJECTED)
    rival = make_bot(alice, name="Nina Fair")
    places = ["/search/?q=nina", "/users/alice/", f"/bots/{rival.pk}/vs/"]

    for reader in (Client(), signed_in(bob)):
        assert reader.get(f"/bots/{bot.pk}/").status_code == 404
        assert reader.get(f"/api/v1/bots/{bot.pk}/").status_code == 404
        for place in places:
            assert "Nina Cheat" not in reader.get(place).content.decode()
    own = signed_in(alice)
    assert own.get(f"/bots/{bot.pk}/").status_code == 200
    assert "Nina Cheat" in own.get("/search/?q=nina").content.decode()


def fail(bot: Bot, times: int) -> None:
    for _ in range(times):
        match = make_match(bot, make_bot(), kind=Match.Kind.LADDER)
        Match.all_objects.filter(pk=match.pk).update(
            status=Match.Status.FINISHED, finished_at=timezone.now()
        )
        Entry.objects.filter(match=match, bot=bot).update(faults=1, place=2, points=0)
        match.refresh_from_db()
        bots.bench_faulty(match)


def test_faults_are_told_on_my_bots_and_by_version_on_the_bots_page(alice: User) -> None:
    bot = make_bot(alice)
    make_version(bot)
    fail(bot, 2)

    mine = signed_in(alice).get("/my-bots/").content.decode()
    page = signed_in(alice).get(f"/bots/{bot.pk}/").content.decode()

    assert " ".join(mine.split()).count("v2 failed in 2 of 2 ladder matches (2 players)") == 1
    row = page[page.index('id="v2"') : page.index('id="v1"')]
    assert "2 of 2 2 players" in " ".join(strip_tags(row).split())


def test_a_benched_version_is_reported_with_a_button_that_brings_it_back(
    alice: User, settings
) -> None:
    settings.BENCH_AFTER = 2
    bot = make_bot(alice)
    make_version(bot)
    fail(bot, 2)

    mine = signed_in(alice).get("/my-bots/").content.decode()
    assert "v2 is benched." in mine and "v1 plays in its place" in mine
    signed_in(alice).post(f"/bots/{bot.pk}/act/", {"act": "activate", "version": "2"})

    bot.refresh_from_db()
    assert bot.active_version.number == 2
    assert "benched" not in signed_in(alice).get("/my-bots/").content.decode()


def test_the_gates_plays_can_be_watched_by_the_author_alone_outside_the_sites_origin(
    alice: User, bob: User
) -> None:
    game = GAMES["ramen_ramen"]
    bot = make_bot(alice)
    version = bot.active_version
    played = play(game, [Dice(1), Dice(2)], seed=7)
    bots.keep_check_play(version, 1, played.replay)
    version.report = {"rows": [{"step": "read", "ok": True}, {"step": "2 seats", "ok": True}]}
    version.save()
    path = f"/versions/{version.pk}/plays/1/"

    page = signed_in(alice).get(f"/versions/{version.pk}/").content.decode()
    film = signed_in(alice).get(path)

    assert f'href="{path}"' in page
    assert film.status_code == 200
    assert film["Content-Security-Policy"].startswith("sandbox allow-scripts;")
    assert signed_in(bob).get(path).status_code == 404
    assert signed_in(alice).get(f"/versions/{version.pk}/plays/0/").status_code == 404
