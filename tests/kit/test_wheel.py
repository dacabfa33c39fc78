"""`pip install ladle`: every local verb runs from the wheel, without Django or a server."""

import email
import json
import re
import resource
import subprocess
import sys
import zipfile

import pytest

from engine.games import GAMES
from tests.test_architecture import KIT


def names(wheel):
    with zipfile.ZipFile(wheel) as archive:
        return sorted(name for name in archive.namelist() if ".dist-info/" not in name)


def test_the_sdist_holds_all_that_the_wheel_is_made_of(built):
    assert names(built.wheel_of_sdist) == names(built.wheel)


def test_the_wheel_has_the_kit_and_no_room_of_the_site(built):
    packed = names(built.wheel)

    assert {name.split("/")[0] for name in packed} == {"ladle", "ladle.pth"}
    inside = {name.removeprefix("ladle/_parts/") for name in packed if "/_parts/" in name}
    assert {name.split("/")[0] for name in inside} == {"engine", "sandbox", "ladder"}
    rooms = {name.split("/")[1] for name in inside if name.startswith("ladder/")}
    assert rooms == {*KIT, "static", "__init__.py", "py.typed"} - {"kit"}
    with zipfile.ZipFile(built.wheel) as archive:
        (told,) = [name for name in archive.namelist() if name.endswith("/top_level.txt")]
        assert archive.read(told) == b"ladle\n"
    assert not [name for name in packed if "/tests/" in name or name.endswith(".pyc")]
    for slug in GAMES:
        assert f"engine/games/{slug}/RULES.md" in inside
        assert f"engine/games/{slug}/static/board.js" in inside
        assert f"engine/games/{slug}/bots/greedy_bot.py" in inside


def test_the_wheel_says_who_it_is_for_without_links_that_an_index_cannot_follow(built):
    with zipfile.ZipFile(built.wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith("/METADATA")]
        told = email.message_from_bytes(archive.read(name))

    assert told["Author"] == "The Ladle authors"
    assert told["License-Expression"] == "MIT"
    assert "reinforcement learning" in told["Keywords"]
    known = told.get_all("Classifier")
    assert {"Typing :: Typed", "Operating System :: Microsoft :: Windows"} <= set(known)
    readme = told.get_payload()
    assert "ladle new ramen_ramen my_bot.py" in readme
    assert "make run" not in readme
    assert not re.search(r"\]\((?!https?://)", readme)


def test_a_bot_imports_the_engine_where_nothing_else_is_called_that(home):
    told = home.run("python", "-c", "import engine.games; print(engine.__file__)").stdout
    assert told.endswith("/site-packages/ladle/_parts/engine/__init__.py\n")
    done = home.run("python", "-c", "import ladle; print(ladle.GAMES['hot_ramen'].slug)")
    assert done.stdout == "hot_ramen\n", done.stderr
    (home.folder / "engine.py").touch()
    try:
        done = home.run("python", "-c", "import ladle")
    finally:
        (home.folder / "engine.py").unlink()
    assert "ladle needs its own package 'engine' and finds another one" in done.stderr


def test_the_environment_has_no_django(home):
    assert home.run("python", "-c", "import django").returncode == 1
    assert home.run("python", "-c", "import celery").returncode == 1


@pytest.mark.jail
def test_every_local_verb_works_in_the_sandbox(ladle, home):
    ladle("runtime")
    assert len(json.loads(ladle("games", "--json").stdout)) == len(GAMES)
    ladle("new", "ramen_ramen", "my_bot.py")
    played = ladle("play", "ramen_ramen", "my_bot.py", "greedy", "--seed", 7, "--replay", "r.json")
    assert "in the sandbox" in played.stdout
    assert "2 sets" in ladle("arena", "ramen_ramen", "my_bot.py", "random", "--sets", 2).stdout
    assert "may play" in ladle("check", "my_bot.py", "--game", "ramen_ramen", "--seats", 2).stdout
    assert "ok, " in ladle("verify", "r.json").stdout
    ladle("view", "r.json")
    assert "theatre" in (home.folder / "r.html").read_text()
    assert "judged by Cook" in ladle("analyse", "r.json", "--budget", "quick").stdout
    ladle("league", "add", "l.league", "my_bot.py", "--game", "ramen_ramen")
    assert "Next: my_bot v1" in ladle("league", "play", "l.league", "--sets", 1).stdout
    bots = ("my_bot.py", "greedy")
    ladle("tournament", "run", "ramen_ramen", *bots, "--record", "cup.json")
    assert "ok, 2 entrants" in ladle("verify", "--tournament", "cup.json").stdout
    assert ladle("conformance", "ramen_ramen", "--plays", 1).stdout


def test_without_bubblewrap_all_of_it_works_unconfined_and_says_so(ladle, home, tmp_path):
    nowhere = str(tmp_path)
    ladle("new", "potage_sauvage", "mine.py", path=nowhere)
    words = ("play", "potage_sauvage", "mine.py", "random", "random")

    played = ladle(*words, path=nowhere)
    checked = ladle("check", "mine.py", "--game", "potage_sauvage", "--seats", 3, path=nowhere)

    assert "unconfined" in played.stdout
    assert "warning: the bots run unconfined" in played.stderr
    assert "(as child processes, unconfined)" in checked.stdout
    assert "in process, unconfined" in ladle(*words, "--in-process", path=nowhere).stdout


def test_a_javascript_bot_without_node_is_told_what_to_install(ladle, home):
    ladle("new", "ramen_ramen", "my_bot.js")

    done = home.run("ladle", "play", "ramen_ramen", "my_bot.js", "random", "--no-sandbox")

    assert done.returncode == 1
    assert "pip install 'ladle[js]'" in done.stderr


def cpu_of(home, *words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert home.run(*words).returncode == 0
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def test_help_starts_quickly(home):
    """By the best of some pairs: a machine's speed may change from one run to the next."""
    ratios = (
        cpu_of(home, "ladle", "--help") / cpu_of(home, "python", "-I", "-c", "pass")
        for _ in range(10)
    )
    assert any(ratio < 15 for ratio in ratios)


def test_an_editor_knows_the_fields_of_a_view_from_the_installed_types(ladle, home, tmp_path):
    ladle("new", "potage_sauvage", "typed.py")
    path = home.folder / "typed.py"
    path.write_text(path.read_text() + "\n\ndef odd(view: View) -> int:\n    return view['soup']\n")

    words = ["mypy", "--no-error-summary", "--cache-dir", tmp_path]
    words += ["--python-executable", home.bin / "python", path]
    checked = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=home.folder,
        capture_output=True,
        text=True,
    )

    (line,) = checked.stdout.splitlines()
    assert 'TypedDict "View" has no key "soup"' in line, checked.stderr


def test_importing_the_kit_takes_neither_the_site_nor_numpy():
    code = "import sys, ladle; print([m for m in sys.modules if m in ('django', 'numpy', 'rich')])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (done.stdout.strip(), done.stderr) == ("[]", "")
