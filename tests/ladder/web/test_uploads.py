"""Uploading: nothing typed is lost, and every refusal stands beside its field."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from ladder.models import Bot, Match, User, Version
from tests.factories import make_bot, make_version
from tests.ladder.web.conftest import signed_in
from tests.sandbox.wat import bot

SCRIPT = "def decide(view):\n    return view['legal'][0]\n"


def form(**changes: Any) -> dict[str, Any]:
    return {"game": "ramen_ramen", "name": "Dashi", "pasted": SCRIPT, "language": "py"} | changes


def test_a_pasted_script_becomes_a_bot_whose_check_is_queued(alice: User) -> None:
    response = signed_in(alice).post("/upload/", form(note="first", is_source_public="on"))

    version = Version.objects.get(bot__name="Dashi")
    assert response["Location"] == f"/versions/{version.pk}/"
    assert version.program().content.decode() == SCRIPT
    assert (version.bot.owner, version.note) == (alice, "first")
    assert version.bot.is_source_public
    assert Match.all_objects.filter(kind=Match.Kind.CHECK, entries__version=version).exists()


def test_a_file_wins_over_pasted_text(alice: User) -> None:
    file = SimpleUploadedFile("mine.js", b"// js\n")

    signed_in(alice).post("/upload/", form(file=file))

    version = Version.objects.get(bot__name="Dashi")
    assert (version.language, version.program().content.decode()) == ("js", "// js\n")


def test_a_module_is_stored_byte_for_byte_and_shown_as_a_file(alice: User) -> None:
    content = bot().content
    client = signed_in(alice)

    client.post("/upload/", form(file=SimpleUploadedFile("MINE.WASM", content)))

    version = Version.objects.get(bot__name="Dashi")
    page = f"/bots/{version.bot.pk}/source/1/"
    assert (version.language, version.program().content) == ("wasm", content)
    assert client.get(f"{page}?download").content == content
    assert "compiled module" in client.get(page).content.decode()
    assert "\0asm" not in client.get(f"/bots/{version.bot.pk}/upload/").content.decode()


def test_a_module_that_cannot_run_is_refused_at_once(alice: User) -> None:
    file = SimpleUploadedFile("mine.wasm", b"\0asm\x0d\0\x01\0")

    response = signed_in(alice).post("/upload/", form(file=file))

    assert response.status_code == 400
    assert "The file is a component" in response.content.decode()
    assert not Bot.objects.filter(name="Dashi").exists()


def test_seat_counts_that_the_game_lacks_are_left_out(alice: User) -> None:
    signed_in(alice).post("/upload/", form(seat_counts=["2", "6"]))

    assert Bot.objects.get(name="Dashi").seat_counts == [2]


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": "_"}, "begins and ends with a letter or digit"),
        ({"name": "miso"}, "already a bot named miso"),
        ({"pasted": " "}, "Choose a file or paste the script"),
        ({"pasted": "x" * 300_000}, "the most is 262,144"),
        ({"game": ""}, "This field is required"),
    ],
)
def test_a_refusal_is_a_sentence_and_leaves_nothing_behind(
    alice: User, miso: Bot, changes: dict[str, Any], sentence: str
) -> None:
    response = signed_in(alice).post("/upload/", form(**changes))

    assert response.status_code in (400, 409, 413)
    assert sentence in response.content.decode().replace("&#x27;", "'")
    assert Bot.objects.count() == 1


def test_after_an_error_the_files_text_and_all_else_is_still_there(alice: User, miso: Bot) -> None:
    file = SimpleUploadedFile("mine.js", b"// my only copy\n")

    response = signed_in(alice).post("/upload/", form(name="Miso", file=file, note="a note"))

    html = response.content.decode()
    assert "// my only copy" in html
    assert "a note" in html
    assert 'value="Miso"' in html
    assert '<option value="js" selected>' in html


def test_a_script_that_is_not_text_is_refused(alice: User) -> None:
    file = SimpleUploadedFile("mine.py", b"\xff\xfe\x00")

    response = signed_in(alice).post("/upload/", form(file=file))

    assert "not UTF-8" in response.content.decode()


def test_only_the_owner_uploads_a_new_version(alice: User, charlie: User, miso: Bot) -> None:
    path = f"/bots/{miso.pk}/upload/"
    data = {"pasted": SCRIPT, "language": "py", "activate": "on"}

    refused = signed_in(charlie).post(path, data)
    signed_in(alice).post(path, data)

    assert refused.status_code == 404
    assert miso.versions.count() == 2


def test_the_same_file_again_leads_to_the_version_it_is(alice: User) -> None:
    bot = make_bot(alice, source=SCRIPT)

    response = signed_in(alice).post(
        f"/bots/{bot.pk}/upload/", {"pasted": SCRIPT, "language": "py"}, follow=True
    )

    assert "This is the same script as version 1" in response.content.decode()
    assert bot.versions.count() == 1


def test_a_check_under_way_is_followed_and_a_verdict_is_not_polled(alice: User, miso: Bot) -> None:
    version = make_version(miso, status=Version.Status.CHECKING)
    Version.objects.filter(pk=version.pk).update(
        report={"progress": {"done": 1, "total": 4, "step": "2 seats"}}
    )
    client = signed_in(alice)
    path = f"/versions/{version.pk}/"

    live = client.get(path, headers={"HX-Request": "true"}).content.decode()
    rows = [{"step": "read", "ok": False, "sentence": "the file is empty", "detail": "<b>"}]
    Version.objects.filter(pk=version.pk).update(
        status="rejected",
        report={"ok": False, "verdict": "bot.py: the file is empty", "rows": rows},
    )
    verdict = client.get(path).content.decode()

    assert "Step 1 of 4: 2 seats" in live
    assert 'hx-trigger="every' in live
    assert "bot.py: the file is empty" in verdict
    assert 'hx-trigger="every' not in verdict
    assert "<b>" not in verdict
