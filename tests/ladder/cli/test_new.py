import json

import pytest

from engine.games import GAMES
from sandbox.languages import STARTERS


@pytest.mark.parametrize("slug", GAMES)
def test_the_starter_of_each_game_plays_without_a_fault(ladle, slug):
    written = ladle("new", slug, "mine.py")
    seats = max(2, GAMES[slug].seats[0])

    ran = ladle("play", slug, *["mine.py"] * seats, "--in-process", "--json")

    assert written.code == ran.code == 0
    assert [seat["fault"] for seat in json.loads(ran.out)["seats"]] == [None] * seats


@pytest.mark.jail
@pytest.mark.parametrize("slug", GAMES)
def test_the_javascript_starter_of_each_game_plays_a_play_that_repeats(ladle, slug):
    written = ladle("new", slug, "mine.js")
    seats = max(2, GAMES[slug].seats[0])

    ran = [ladle("play", slug, *["mine.js"] * seats, "--seed", 5, "--json") for _ in range(2)]

    told = [json.loads(one.out) for one in ran]
    assert written.code == 0
    assert [seat["fault"] for seat in told[0]["seats"]] == [None] * seats
    assert told[0]["digest"] == told[1]["digest"]


@pytest.mark.parametrize("slug", GAMES)
def test_the_starter_explains_every_field_of_the_first_view(ladle, tmp_path, slug):
    ladle("new", slug)
    source = (tmp_path / f"my_{slug}_bot.py").read_text()
    (tmp_path / "spy.py").write_text(
        source + "\nchoose = decide\ndef decide(view):\n"
        "    print('FIELDS', *view)\n    return choose(view)\n"
    )
    seats = max(2, GAMES[slug].seats[0])
    ran = ladle("play", slug, *["spy.py"] * seats, "--in-process", "--json")
    log = json.loads(ran.out)["seats"][0]["log"]
    fields = next(line for line in log.splitlines() if line.startswith("FIELDS")).split()[1:]

    assert all(f'"{field}"' in source for field in fields)


def test_new_never_writes_over_a_file_without_force(ladle, refused, write):
    path = write("mine.py", "precious")

    assert "mine.py exists" in refused("new", "ramen_ramen", "mine.py")
    assert path.read_text() == "precious"

    assert ladle("new", "ramen_ramen", "mine.py", "--force").code == 0
    assert "def decide" in path.read_text()


def test_new_can_start_from_a_house_bot(ladle, tmp_path):
    ladle("new", "ramen_ramen", "mine.py", "--like", "random")

    house = GAMES["ramen_ramen"].house_bots()["random"]
    assert (tmp_path / "mine.py").read_text() == house.read_text()


def test_new_refuses_what_cannot_be_a_script(refused, tmp_path):
    assert "must end in .py" in refused("new", "ramen_ramen", "mine.txt")
    assert "is a folder" in refused("new", "ramen_ramen", tmp_path)
    assert "cannot be written" in refused("new", "ramen_ramen", "no/such/folder/mine.py")
    assert "there is no game" in refused("new", "chess")
    assert "no house bot" in refused("new", "ramen_ramen", "mine.py", "--like", "xyzzy")


def test_rust_is_built_for_the_target_that_current_ones_have(ladle):
    assert "rustc --target wasm32-wasip1 " in ladle("new", "ramen_ramen", "soup.rs").out


def test_the_help_names_the_ending_of_every_starter(ladle):
    told = ladle("new", "--help").out

    assert [suffix for suffix in STARTERS if suffix not in told] == []
