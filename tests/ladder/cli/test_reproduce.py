"""`ladle reproduce`: who chose is proven by running it again; nobody else's play passes."""

import gzip
import json
from dataclasses import replace

import pytest

from engine.replay import Seating, read
from tests.sandbox.wat import bot

pytestmark = pytest.mark.jail


@pytest.fixture
def played(ladle, write, tmp_path):
    """A play of a module against a house bot."""
    write("soup.wasm", bot().content)
    assert ladle("play", "ramen_ramen", "soup.wasm", "greedy", "--seed", 7, "--replay", "r.json.gz")
    return tmp_path / "r.json.gz"


def test_a_module_is_proven_to_have_chosen_each_action_with_its_fuel(ladle, played):
    ran = ladle("reproduce", played.name, "--bot", "soup.wasm")
    told = json.loads(ladle("reproduce", played.name, "--bot", "soup.wasm", "--json").out)

    assert ran.code == 0
    assert "reproduced, 27 decisions of soup.wasm at seat 1, and the fuel of each" in ran.out
    assert told["digest"] == read(played.read_bytes()).digest()


def test_a_script_is_proven_without_its_time(ladle, project, played):
    greedy = project / "engine/games/ramen_ramen/bots/greedy_bot.py"

    assert "but not their time" in ladle("reproduce", played.name, "--bot", greedy).out


def test_what_another_bot_chose_is_not_reproduced(ladle, refused, write, played):
    """A replay by the rules, with a true digest, that claims a bot which did not play."""
    ladle("play", "ramen_ramen", "random", "greedy", "--seed", 7, "--replay", "other.json.gz")
    other, claimed = read((played.parent / "other.json.gz").read_bytes()), read(played.read_bytes())
    seating = (Seating(0, "soup", sha256=claimed.players[0].sha256), other.players[1])
    write("false.json.gz", replace(other, players=seating).to_gzip())

    sentence = refused("reproduce", "false.json.gz", "--bot", "soup.wasm")

    assert "not reproduced: step" in sentence
    assert "by seat 1" in sentence


def test_a_time_that_was_not_used_is_not_reproduced(refused, write, played):
    data = json.loads(gzip.decompress(played.read_bytes()))
    data["cpu_us"][0] += 1
    write("slow.json", json.dumps(data))

    assert "but not its time" in refused("reproduce", "slow.json", "--bot", "soup.wasm")


def test_a_bot_that_did_not_play_is_told_so(refused, write, played):
    write("other.wasm", bot(think="nop").content)

    assert "no seat has its hash" in refused("reproduce", played.name, "--bot", "other.wasm")


def test_a_module_in_a_bundle_is_proven_by_its_folder(ladle, tmp_path):
    folder = tmp_path / "soup"
    folder.mkdir()
    (folder / "bot.wasm").write_bytes(bot().content)
    (folder / "notes.txt").write_text("more broth")
    ladle("play", "ramen_ramen", "soup", "greedy", "--seed", 7, "--replay", "r.json.gz")

    assert "reproduced, 27 decisions" in ladle("reproduce", "r.json.gz", "--bot", "soup").out

    (folder / "notes.txt").write_text("less broth")
    assert "no seat has its hash" in ladle("reproduce", "r.json.gz", "--bot", "soup").err
