import json
import re
import subprocess
import sys
from itertools import pairwise

import pytest

from ladder.cli.app import VERBS

COLOUR = re.compile("\x1b\\[[0-9;]*m")  # in a job of GitHub Actions, say, help has colours
LOCAL = [verb for verb, where in VERBS.items() if not where.startswith("remote")]


def test_the_bare_command_lists_every_verb(ladle):
    ran = ladle()

    assert ran.code == 0
    assert [f"  {verb}" for verb in VERBS] == re.findall("^  [a-z]+(?=  )", ran.out, re.MULTILINE)
    assert ran.out == ladle("--help").out


@pytest.mark.parametrize("verb", LOCAL)
def test_the_help_of_a_verb_has_an_example_of_it(ladle, verb):
    ran = ladle(verb, "--help")

    assert ran.code == 0
    assert f"ladle {verb}" in ran.out.split("Examples:")[1]


def test_every_help_fills_80_columns_and_offers_nothing_but_the_verb(ladle, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    verbs = list(VERBS)
    while verbs:
        verb = verbs.pop()
        shown = COLOUR.sub("", ladle(*verb.split(), "--help").out)
        prose, _, panels = shown.partition("\n╭")
        lines = [line.rstrip() for line in prose.splitlines()]
        for line, following in pairwise(lines):
            if line.startswith("   "):  # an example
                assert not following or following.startswith("   "), f"{verb}: '{line}' is broken"
            elif line and following:
                first = following.split()[0]
                assert len(f"{line} {first}") >= 80, f"{verb}: a break after '{line}'"
        assert "completion" not in panels, verb
        _, _, below = panels.partition(" Commands ─")
        verbs += [f"{verb} {name}" for name in re.findall(r"^│ ([a-z-]+)", below, re.MULTILINE)]


@pytest.mark.parametrize("group", ["league", "tournament"])
def test_a_group_without_a_verb_prints_its_help_and_no_more(ladle, group):
    ran = ladle(group)

    assert f"ladle {group}" in ran.out.split("Examples:")[1]
    assert (ran.code, ran.err) == (2, "")


def test_an_unknown_verb_and_an_unknown_option_are_refused_with_a_sentence(refused):
    assert "plai" in refused("plai")
    assert "--fast" in refused("games", "--fast")
    assert "GAME" in refused("play")


def test_starting_the_command_imports_nothing_slow(project):
    slow = {"django", "numpy", "rich", "httpx", "engine.game"}
    code = f"import sys, ladder.cli; print({slow} & set(sys.modules))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=project)

    assert done.stdout.strip() == "set()"


def test_who_asks_for_one_game_does_not_load_the_others(project):
    code = "import sys; from engine.games import GAMES; GAMES['ramen_ramen'];"
    code += "print('ramen_ramen' in GAMES, sorted(m for m in sys.modules if m.endswith('.rules')))"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=project)

    assert done.stdout.strip() == "True ['engine.games.ramen_ramen.rules']"


def test_games_lists_each_game_with_its_house_bots(ladle):
    from engine.games import GAMES

    told = json.loads(ladle("games", "--json").out)
    table = ladle("games").out

    assert [game["slug"] for game in told] == list(GAMES)
    for game in told:
        assert game["slug"] in table
        assert game["house_bots"] == list(GAMES[game["slug"]].house_bots())
        assert {o["name"]: o["default"] for o in game["options"]} == GAMES[
            game["slug"]
        ].full_options({})


def test_a_reader_that_leaves_early_sees_no_traceback(project):
    command = f"{sys.executable} -m ladder.cli games | true"

    done = subprocess.run(["bash", "-c", command], capture_output=True, cwd=project)

    assert done.stderr == b""
