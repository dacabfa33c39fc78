"""`ladle view` writes a page that needs nothing but a browser."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from engine.games import GAMES
from tests.servers import ROOT, wait_until

pytestmark = [pytest.mark.browser]


def ladle(folder: Path, *words: str, code: int = 0) -> None:
    argv = [sys.executable, "-m", "ladder.cli", *words]
    done = subprocess.run(
        argv, cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == code, done.stderr


@pytest.mark.parametrize("game", GAMES)
def test_a_replay_plays_from_a_file_without_a_network(visitor, tmp_path, game):
    players = ["greedy", "random", "--seed", "7", "--in-process"]
    ladle(tmp_path, "play", game, *players, "--replay", "r.json.gz")
    ladle(tmp_path, "view", "r.json.gz", "-o", "play.html")
    page = visitor(offline=True, reduced_motion="no-preference")
    asked = []
    page.on("request", lambda request: asked.append(request.url.partition(":")[0]))

    page.goto(f"file://{tmp_path}/play.html#step=20")
    playback = page.get_by_role("group", name="Playback")
    before = playback.inner_text()
    page.get_by_label("Speed", exact=True).select_option("8×")
    page.keyboard.press("Home")
    page.get_by_role("button", name="Play", exact=True).click()
    timeline = page.get_by_label("Timeline")
    wait_until(lambda: int(timeline.input_value()) >= 3, 60, "it has moved on")
    page.get_by_role("button", name="Pause").click()

    assert "Move 0 of" not in before
    expect(page.get_by_role("region", name="Moves").locator("[aria-current]")).to_have_count(1)
    if GAMES[game].has_secrets:
        page.get_by_label("Seen by").select_option(index=2)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("End")
    expect(playback).to_contain_text(re.compile("wins|share"))  # the random bot may draw
    assert set(asked) <= {"file", "data"}


EVERY_WORD_ON_THE_TABLE = """() => {
  const told = new Set();
  const last = Number(document.querySelector("input[type=range]").max);
  for (let at = 0; at <= last; at += 1) {
    const nodes = document.querySelectorAll("svg[aria-label^='The table'] :is(text, title)");
    for (const node of nodes) told.add(node.textContent);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  }
  return [...told];
}"""


@pytest.mark.parametrize("game", GAMES)
def test_a_table_calls_players_by_their_names_and_never_by_number(visitor, tmp_path, game):
    bots = ["greedy", "random", "random"]
    ladle(tmp_path, "play", game, *bots, "--seed", "7", "--in-process", "--replay", "r.json.gz")
    ladle(tmp_path, "view", "r.json.gz", "-o", "play.html")
    page = visitor()
    page.goto(f"file://{tmp_path}/play.html")
    page.get_by_role("button", name="Play", exact=True).wait_for()

    told = page.evaluate(EVERY_WORD_ON_THE_TABLE)

    assert [words for words in told if re.search(r"seat \d", words)] == []
    for name in ("greedy", "random #1", "random #2"):
        assert any(name in words for words in told)
    if game == "ramen_ramen":
        assert {"Bowl A, for greedy", "Bowl B, for random #1"} <= set(told)
        served = re.compile(r"served: \d+ points? for (greedy|random #\d)")
        assert any(map(served.fullmatch, told))


BREAKS_OFF = """
asked = 0


def decide(view):
    global asked
    asked += 1
    if asked > 3:
        raise RuntimeError("no more soup")
    return view["legal"][0]
"""


def test_the_next_mistake_is_a_fault_in_plain_words(visitor, tmp_path):
    (tmp_path / "breaks_off.py").write_text(BREAKS_OFF)
    bots = ["greedy", "breaks_off.py", "random"]
    words = ("potage_sauvage", *bots, "--in-process", "--replay", "r.json.gz")
    ladle(tmp_path, "play", *words, code=3)  # its author is told
    ladle(tmp_path, "view", "r.json.gz", "-o", "play.html")
    page = visitor()
    page.goto(f"file://{tmp_path}/play.html")
    playback = page.get_by_role("group", name="Playback")

    page.get_by_role("button", name="Next mistake").click()
    expect(playback).to_contain_text("failed: its program stopped with an error")
    page.keyboard.press("m")

    expect(playback).to_contain_text("Played for it after its fault")
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_text("choose an earlier step to play on from")).to_be_visible()
