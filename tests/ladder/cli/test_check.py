import json

import pytest

from engine.games import GAMES
from sandbox.program.bundle import packed
from tests.sandbox.archives import HOSTILE

pytestmark = pytest.mark.jail

GOOD = "def decide(view):\n    return view['legal'][0]\n"
LATE = "def decide(view):\n    print('so far')\n    return view['nothing']\n"


@pytest.mark.parametrize("slug", GAMES)
def test_the_starter_of_each_game_passes_the_gate(ladle, slug):
    ladle("new", slug, "mine.py")

    ran = ladle("check", "mine.py", "--game", slug, "--seats", max(2, GAMES[slug].seats[0]))

    assert ran.code == 0
    assert f"mine.py may play {GAMES[slug].title}" in ran.out


def test_every_seat_count_is_tried_unless_some_are_named(ladle, write):
    write("good.py", GOOD)

    every = json.loads(ladle("check", "good.py", "--game", "ramen_ramen", "--json").out)
    two = json.loads(ladle("check", "good.py", "--game", "ramen_ramen", "--seats", 2, "--json").out)

    assert every["ok"] and two["ok"]
    assert len(every["rows"]) == 1 + len(GAMES["ramen_ramen"].seats)
    assert len(two["rows"]) == 2


def test_a_bot_that_crashes_is_rejected_with_its_line(ladle, write):
    write("late.py", LATE)

    ran = ladle("check", "late.py", "--game", "ramen_ramen", "--seats", 2)

    assert ran.code == 1
    assert "line 3" in ran.out
    assert "so far" in ran.out
    assert "KeyError" in ran.out


@pytest.mark.parametrize(
    ("name", "source", "words"),
    [
        ("empty.py", "", "empty"),
        ("bad.py", "\ndef decide(view:\n", "line 2"),
        ("idle.py", "x = 1\n", "decide"),
        ("bot.txt", GOOD, ".py"),
        ("binary.py", b"\xff\xfe\x00", "not UTF-8 text"),
        ("bot.wasm", b"\0asm\x0d\0\x01\0", "preview 2"),
    ],
)
def test_a_file_that_is_no_bot_is_rejected_with_a_reason(ladle, write, name, source, words):
    write(name, source)

    ran = ladle("check", name, "--game", "ramen_ramen", "--seats", 2, "--json")
    told = json.loads(ran.out)

    assert ran.code == 1
    assert told["ok"] is False
    assert words in told["verdict"]


def test_a_check_that_cannot_begin_is_refused(refused, write, tmp_path):
    write("good.py", GOOD)

    assert "--game" in refused("check", "good.py")
    assert "there is no game" in refused("check", "good.py", "--game", "chess")
    assert "not 9" in refused("check", "good.py", "--game", "ramen_ramen", "--seats", 9)
    assert "no file" in refused("check", "gone.py", "--game", "ramen_ramen")


def test_without_bubblewrap_a_check_is_made_unconfined_and_says_so(
    ladle, write, monkeypatch, tmp_path
):
    write("good.py", GOOD)
    monkeypatch.setenv("PATH", str(tmp_path))

    ran = ladle("check", "good.py", "--game", "ramen_ramen", "--seats", 2)

    assert ran.code == 0
    assert "install the package `bubblewrap`" in ran.err
    assert "may play Ramen! Ramen! (as child processes, unconfined)" in ran.out


def test_no_hostile_archive_passes_the_command(refused, ladle, write):
    for name, content in HOSTILE.items():
        write("soup.zip", content)

        checked = ladle("check", "soup.zip", "--game", "ramen_ramen")
        assert (checked.code, checked.out.count("soup.zip: ")) == (1, 1), name
        assert "soup.zip is not a bot: " in refused("play", "ramen_ramen", "soup.zip", "random"), (
            name
        )


@pytest.mark.jail
def test_a_folder_passes_as_its_archive_does(ladle, write, tmp_path):
    (tmp_path / "soup").mkdir()
    write("soup/bot.py", "from pot import first\n\ndef decide(view):\n    return first(view)\n")
    write("soup/pot.py", "def first(view):\n    return view['legal'][0]\n")
    write("soup.zip", packed(tmp_path / "soup"))
    words = ("--game", "ramen_ramen", "--seats", 2, "--json")

    folder, archive = ladle("check", "soup", *words), ladle("check", "soup.zip", *words)

    assert (folder.code, archive.code) == (0, 0)
    assert json.loads(folder.out)["sha256"] == json.loads(archive.out)["sha256"]
