"""Bundles on the site: known again whoever packed them, checked like a file, shown to some."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from engine.game import Limits
from engine.games import GAMES
from ladder.jobs import runner
from ladder.models import Match, User, Version
from ladder.services import bots
from tests.factories import make_bot
from tests.ladder.web.conftest import signed_in
from tests.sandbox.archives import BOT, File, ordinary, zipped

FILES = {
    "bot.py": b"from soup import first\n\ndef decide(view):\n    return first(view)\n",
    "soup.py": b"def first(view):\n    return (view.get('legal') or view['suggestions'])[0]\n",
    "weights.npy": b"\x93NUMPY\x01\x00" + bytes(200),
}


def posted(client: Client, path: str, content: bytes, **fields: str) -> tuple[int, str]:
    file = SimpleUploadedFile("soup.zip", content)
    answer = client.post(path, {"file": file, **fields})
    return answer.status_code, answer.content.decode()


def stored() -> set[Path]:
    return set(Path(settings.MEDIA_ROOT).rglob("*.zip"))


def nothing_left(before: set[Path]) -> bool:
    return not (Version.objects.exists() or Match.all_objects.exists() or stored() - before)


def test_the_same_files_from_another_tool_are_the_same_version(alice: User) -> None:
    bot = make_bot(alice, with_version=False)
    repacked = zipped(*[File(name.encode(), content, method=0) for name, content in FILES.items()])

    first, is_new = bots.upload(bot=bot, filename="a.zip", content=ordinary(FILES))
    again, is_new_again = bots.upload(bot=bot, filename="b.zip", content=repacked)

    assert (is_new, is_new_again, again) == (True, False, first)
    assert (first.language, first.is_bundle, first.filename) == ("py", True, "bot.zip")
    assert first.sha256 == first.program().sha256


def test_its_files_are_shown_to_who_may_see_the_source(alice: User, bob: User) -> None:
    bot = make_bot(alice, with_version=False)
    archive = ordinary(FILES)
    bots.upload(bot=bot, filename="a.zip", content=archive)
    page = f"/bots/{bot.pk}/source/1/"

    shown = signed_in(alice).get(page).content.decode()

    assert shown.index("bot.py") < shown.index("soup.py") < shown.index("weights.npy")
    assert '<span class="nf">first</span>' in shown
    assert "it comes with the download" in shown
    assert signed_in(alice).get(f"{page}?download").content == archive
    assert signed_in(bob).get(page).status_code == 404


@pytest.mark.jail
def test_the_gate_accepts_it_as_it_does_a_file(alice: User) -> None:
    bot = make_bot(alice, with_version=False, seat_counts=[2])
    version, _ = bots.upload(bot=bot, filename="a.zip", content=ordinary(FILES))

    report = runner.check(Match.all_objects.get(entries__version=version))

    assert report.ok, report.table()
    assert report.sha256 == version.sha256


def test_a_slip_in_the_entry_is_told_at_once(alice: User) -> None:
    before = stored()
    slip = ordinary(FILES | {"bot.py": BOT + b"def broken(:\n"})

    status, page = posted(signed_in(alice), "/upload/", slip, game="ramen_ramen", name="Dashi")

    assert status == 400
    assert "syntax error, line 3" in page
    assert nothing_left(before)


def test_a_game_has_limits_of_its_own_that_its_page_shows(
    alice: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = GAMES["ramen_ramen"]
    own = Limits(bundle_files=2, bundle_bytes=3 * 2**20, memory_mb=300, start_cpu_ms=4500)
    monkeypatch.setattr(type(rules), "limits", own)
    before = stored()

    shown = client.get("/games/ramen_ramen/").content.decode()
    status, page = posted(
        signed_in(alice), "/upload/", ordinary(FILES), game="ramen_ramen", name="Dashi"
    )

    for words in ("4500 ms of CPU", "300 MB", "2 in a <code>.zip</code>", "3.0\xa0MB in all"):
        assert words in shown
    assert status == 400
    assert "The archive has 3 files; the most is 2." in page
    assert nothing_left(before)
    told = client.get("/api/v1/games/ramen_ramen/").json()["limits"]
    assert (told["bundle_files"], told["bundle_bytes"]) == (2, 3 * 2**20)
