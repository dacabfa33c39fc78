"""What each language's file says of it holds: it is known, tried, and offered everywhere."""

from __future__ import annotations

import pytest
from django.test import Client

from engine.game import Limits
from engine.games import GAMES
from sandbox.gate import check
from sandbox.languages import LANGUAGES, PYTHON, STARTERS, Language
from sandbox.program import Program, bundle, problem_with
from tests.factories import make_user
from tests.ladder.web.conftest import signed_in
from tests.sandbox.archives import ordinary

EACH = pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.slug)


@EACH
@pytest.mark.jail
def test_its_probe_passes_the_gate_alone_and_in_a_bundle(language: Language) -> None:
    name, content = f"bot{language.suffix}", language.probe()
    packed = ordinary({name: content, "data.txt": b"x"})

    for program in (Program(name, content), Program("soup.zip", packed)):
        report = check(program, GAMES["ramen_ramen"], [2])
        assert report.ok, report.table()
        assert language.name in report.rows[0].sentence


@EACH
def test_a_file_that_is_too_large_or_empty_is_refused(language: Language) -> None:
    name = f"bot{language.suffix}"

    assert f"{language.largest:,}" in problem_with(
        Program(name, bytes(language.largest + 1)), Limits()
    )
    assert problem_with(Program(name, b" \n"), Limits()) == "the file is empty"


@EACH
def test_pages_and_forms_learn_of_it(language: Language, db: None) -> None:
    client: Client = signed_in(make_user())
    upload = client.get("/upload/").content.decode()
    game = client.get("/games/safranito/").content.decode()

    assert f"<code>{language.suffix}</code>" in upload
    assert language.suffix in upload.split('accept="')[1].split('"')[0].split(",")
    assert f"bot{language.suffix}" in upload
    assert language.name in game
    for ending in language.starters:
        answer = client.get(f"/games/safranito/starter{ending}")
        assert answer.status_code == 200
        assert f'starter{ending}"' in game


def test_what_is_no_language_has_no_starter(client: Client, db: None) -> None:
    assert client.get("/games/safranito/starter.exe").status_code == 404
    assert len(bundle.ENTRIES) == len(LANGUAGES)
    assert set(STARTERS) == {ending for language in LANGUAGES for ending in language.starters}


@pytest.mark.parametrize("begins", [b"\xef\xbb\xbf", b"# coding: klingon\n", b"# coding: ascii\n"])
def test_a_script_is_utf_8_whatever_it_says_and_a_mark_is_passed_over(begins: bytes) -> None:
    script = begins + "def decide(view):\n    return 'café'\n".encode()

    assert PYTHON.syntax_error(script) == ""
    assert "line 3" in PYTHON.syntax_error(begins.strip() + b"\n\ndef broken(:\n")
