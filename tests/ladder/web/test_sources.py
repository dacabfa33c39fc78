"""Source pages: coloured, compared with other versions, bounded, and only for who may see them."""

from __future__ import annotations

import pytest
from django.test import Client

from ladder.models import Bot, User
from ladder.services import bots
from ladder.web.bot import texts
from sandbox.program import Program, script
from tests.factories import make_bot, make_version
from tests.ladder.web.conftest import signed_in
from tests.sandbox.archives import ordinary
from tests.sandbox.wat import bot as module

OLD = "def decide(view):\n    return view['legal'][0]\n"
NEW = "def decide(view):\n    # the last <one>\n    return view['legal'][-1]\n"


@pytest.fixture
def grown(alice: User) -> Bot:
    """A bot of one file, then of another, then of several."""
    bot = make_bot(alice, source=OLD)
    make_version(bot, source=NEW)
    files = {"bot.py": NEW.encode(), "soup.py": b"BROTH = 1\n", "weights.npy": b"\x93\0" * 50}
    bots.upload(bot=bot, filename="a.zip", content=ordinary(files))
    return bot


def page(client: Client, bot: Bot, path: str) -> str:
    answer = client.get(f"/bots/{bot.pk}/{path}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_source_is_coloured_by_classes_alone(alice: User, grown: Bot) -> None:
    html = page(signed_in(alice), grown, "source/2/")

    assert '<span class="k">def</span>' in html
    assert "the last &lt;one&gt;" in html
    assert "style=" not in html


def test_two_files_are_compared_line_by_line(alice: User, grown: Bot) -> None:
    html = page(signed_in(alice), grown, "changes/1/2/")

    assert '<span class="removed">-    return view[&#x27;legal&#x27;][0]</span>' in html
    assert '<span class="added">+    # the last &lt;one&gt;</span>' in html
    assert '<span class="same"> def decide(view):</span>' in html


def test_bundles_are_compared_file_by_file(alice: User, grown: Bot) -> None:
    html = page(signed_in(alice), grown, "changes/2/3/")

    assert html.index("soup.py") < html.index("weights.npy")
    assert '<span class="added">+BROTH = 1</span>' in html
    assert "Data, or too long" in html
    assert "the last" not in html, "bot.py is the same"


def test_a_version_leads_to_what_changed_in_it(alice: User, grown: Bot) -> None:
    client = signed_in(alice)
    newest = grown.versions.get(number=3)
    link = f"/bots/{grown.pk}/changes/2/3/"

    assert link in page(client, grown, "")
    assert link in client.get(f"/versions/{newest.pk}/").content.decode()
    chosen = client.get(f"/bots/{grown.pk}/source/3/?against=1")
    assert chosen["Location"] == f"/bots/{grown.pk}/changes/1/3/"
    for nonsense in ("3", "99", "x", "9" * 40):
        answer = client.get(f"/bots/{grown.pk}/source/3/?against={nonsense}")
        assert answer.status_code == 200


def test_a_stranger_sees_neither_until_the_source_is_public(bob: User, grown: Bot) -> None:
    client = signed_in(bob)
    paths = [f"/bots/{grown.pk}/{path}" for path in ("source/1/", "changes/1/2/")]
    assert [client.get(path).status_code for path in paths] == [404, 404]
    assert "/changes/" not in page(client, grown, "")

    bots.set_source_public(bot=grown, is_public=True)

    assert [client.get(path).status_code for path in paths] == [200, 200]
    assert "/changes/1/2/" in page(client, grown, "")


def test_a_text_that_no_lexer_can_take_in_time_is_shown_plainly() -> None:
    """Pygments' lexer for C takes minutes over these."""
    hostile = b"\n" * 100_000 + b"<end>"
    files = {"bot.py": OLD.encode(), "soup.c": hostile, "z.py": b"Z = '<'\n"}

    shown = texts.files(Program("bot.zip", ordinary(files)))

    assert 'class="k"' in shown[0].html
    assert shown[1].html.endswith("&lt;end&gt;")
    assert shown[2].html == "Z = &#x27;&lt;&#x27;\n", "the time is for all files together"


def test_what_is_too_long_or_no_text_is_not_compared() -> None:
    long = "x = 1\n" * 60_000
    (change,) = texts.changes(script(OLD), Program("bot.py", long.encode()))
    assert (change.what, change.lines) == ("changed", [])

    (change,) = texts.changes(module(), module(think="nop"))
    assert (change.name, change.lines) == ("bot.wasm", [])


def test_a_page_has_room_for_so_much_text() -> None:
    files = {"bot.py": OLD.encode()} | {f"{n}.txt": b"soup " * 40_000 for n in range(5)}

    shown = texts.files(Program("bot.zip", ordinary(files)))

    assert [bool(file.html) for file in shown] == [True, True, True, False, False, False]


def test_of_a_long_change_the_beginning_is_shown_and_the_rest_counted() -> None:
    (change,) = texts.changes(script("x = 1\n"), script("y = 2\n" * 3000))

    assert len(change.lines) == texts.MOST_LINES
    assert change.left_out > 1000
