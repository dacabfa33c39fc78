"""The upload gate: plain words, in the order an author would want them."""

from __future__ import annotations

import io
import json
import zipfile

import pytest

from engine import games
from sandbox.gate import check
from sandbox.languages import PYTHON
from sandbox.plain import Plain
from sandbox.program import Program, script

GAME = games.get("ramen_ramen")

pytestmark = pytest.mark.jail

FIRST = 'def decide(view):\n    return view["legal"][0]\n'


def test_a_sound_bot_passes_at_every_seat_count() -> None:
    report = check(script(FIRST, "first.py"), GAME)

    assert report.ok
    assert [row.ok for row in report.rows] == [True] * (1 + len(GAME.seats))
    assert all(row.decisions > 0 and row.memory_mb > 1 for row in report.rows[1:])
    assert report.verdict == "first.py may play Ramen! Ramen!"


@pytest.mark.parametrize(
    ("source", "filename", "words"),
    [
        ("", "bot.py", "empty"),
        ("x" * (PYTHON.largest + 1), "bot.py", "bytes"),
        (FIRST, "bot.exe", "ends in .py, .js, .wasm or .zip"),
        ("\ud800", "bot.py", "UTF-8"),
        ("def decide(view):\n    retrn 1\n", "bot.py", "line 2"),
        ("import tensorflow\n" + FIRST, "bot.py", "ModuleNotFoundError"),
        ("x = 1\n", "bot.py", "neither `decide(view)`"),
        ("def decide(view):\n    return 'soup'\n", "bot.py", "'soup'"),
        ("def decide(view):\n    return view['seats'][0]\n", "bot.py", "TypeError"),
    ],
)
def test_a_bot_with_a_mistake_is_told_which(source: str, filename: str, words: str) -> None:
    report = check(script(source, filename), GAME, [2])

    assert not report.ok
    assert words in report.verdict
    assert words in report.table()


def test_a_bot_that_fails_at_one_seat_count_is_refused() -> None:
    source = "def decide(view):\n    assert view['seats'] != 3\n    return view['legal'][0]\n"

    report = check(script(source, "bot.py"), GAME)

    assert not report.ok
    assert report.rows[-1].step.startswith("3 seats")
    assert "AssertionError" in report.rows[-1].detail


def test_progress_is_told_step_by_step() -> None:
    told: list[tuple[int, int, str]] = []

    check(
        script(FIRST, "bot.py"),
        GAME,
        [2],
        progress=lambda *step: told.append(step),
        launcher=Plain(),
    )

    assert told == [(0, 2, "read"), (1, 2, "2 seats"), (2, 2, "done")]


def test_the_report_is_json() -> None:
    report = check(script(FIRST, "bot.py"), GAME, [2], launcher=Plain())

    told = json.loads(json.dumps(report.as_json()))

    assert told["ok"] is True
    assert [row["step"].partition(",")[0] for row in told["rows"]] == ["read", "2 seats"]


def test_no_two_checks_are_alike() -> None:
    source = "def decide(view):\n    print(view['hands'], view['seat'])\n" + FIRST[18:]

    logs = {
        check(script(source, "bot.py"), GAME, [2], launcher=Plain()).rows[-1].detail
        for _ in range(3)
    }

    assert len(logs) == 3, "a bot that knew them could behave until it is accepted"


def test_a_bundle_is_warned_of_a_file_that_a_module_of_the_jail_hides() -> None:
    helper = "def first(view):\n    return view['legal'][0]\n"
    decide = "import helper, sandbox\n\ndef decide(view):\n    return helper.first(view)\n"
    files = {"bot.py": decide, "helper.py": helper, "sandbox.py": "1 / 0\n", "data/json.py": ""}
    report = check(bundle_of(files), GAME, [2])

    assert report.ok  # and sandbox.py was never read
    (warning,) = [row for row in report.rows if "warning" in row.sentence]
    assert warning.step == "read"
    assert "4 files in" in warning.sentence
    assert "`import sandbox` may find another module than 'sandbox.py'" in warning.sentence
    assert "json" not in warning.sentence


def bundle_of(files: dict[str, str]) -> Program:
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return Program("many.zip", sink.getvalue())
