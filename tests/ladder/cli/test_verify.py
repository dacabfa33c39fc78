import gzip
import json

import pytest

from engine.replay import FORMAT, canonical, from_json


@pytest.fixture
def told(ladle, tmp_path):
    """A true replay as JSON."""
    ladle(
        "play", "ramen_ramen", "random", "random", "--seed", 7, "--in-process", "--replay", "t.json"
    )
    return json.loads((tmp_path / "t.json").read_bytes())


def signed(told):
    """The replay with a digest that fits what it now says: the forger's best work."""
    from engine.replay import _shaped

    return told | {"digest": _shaped(told).digest()}


def decisions(told):
    return [step for step, entry in enumerate(told["log"]) if "action" in entry]


def test_true_replays_are_ok_one_line_each(ladle, told, write):
    write("r.json.gz", gzip.compress(canonical(told)))

    ran = ladle("verify", "t.json", "r.json.gz")

    assert ran.code == 0
    assert [line.split(":")[0] for line in ran.out.splitlines()] == ["t.json", "r.json.gz"]
    assert ran.out.count(told["digest"]) == 2


@pytest.mark.parametrize("forge_digest", [False, True])
def test_an_illegal_action_is_named_by_its_step(refused, told, write, forge_digest):
    step = decisions(told)[4]
    told["log"][step]["action"] = told["log"][decisions(told)[0]]["action"]
    write("r.json", canonical(signed(told) if forge_digest else told))

    assert f"r.json: step {step}: " in refused("verify", "r.json")


def test_changed_luck_is_named_by_its_step_and_stream(refused, told, write):
    step = next(step for step, entry in enumerate(told["log"]) if "chance" in entry)
    value = told["log"][step]["value"]
    value[0], value[1] = value[1], value[0]
    write("r.json", canonical(signed(told)))

    sentence = refused("verify", "r.json")

    assert f"step {step}: chance '{told['log'][step]['chance']}'" in sentence
    assert "not what the seed gives" in sentence


def test_a_changed_result_is_found(refused, told, write):
    told["result"]["places"].reverse()
    write("r.json", canonical(signed(told)))

    assert "the result is not what the play gives" in refused("verify", "r.json")


def test_a_removed_last_step_is_found(refused, told, write):
    del told["log"][-1]
    write("r.json", canonical(signed(told)))

    assert "before the play is over" in refused("verify", "r.json")


def test_a_changed_name_breaks_the_digest_though_the_play_is_true(refused, told, write):
    told["players"][0]["bot"] = "champion"
    write("r.json", canonical(told))

    assert "the digest does not match" in refused("verify", "r.json")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"not json", "not JSON"),
        (b"[1, 2]", "not a replay"),
        (b'{"format": "ladle-replay/9"}', "ladle-replay/9"),
        (json.dumps({"format": FORMAT}).encode(), "missing or wrong field"),
        (b"\x1f\x8b\x08\x00garbage", "gzip"),
        (b"[" * 100_000, "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
    ],
)
def test_a_file_that_is_no_replay_is_told_so(refused, write, content, words):
    write("r.json", content)

    assert words in refused("verify", "r.json")


def test_a_truncated_file_is_told_so(refused, told, write):
    packed = gzip.compress(canonical(told))
    write("half.json", canonical(told)[:200])
    write("half.json.gz", packed[: len(packed) // 2])

    assert "truncated" in refused("verify", "half.json")
    assert "truncated" in refused("verify", "half.json.gz")


def test_a_replay_of_other_rules_names_both_versions(refused, told, write):
    told["rules_version"] += 41
    write("r.json", canonical(signed(told)))

    assert f"rules version {told['rules_version']}" in refused("verify", "r.json")


def test_a_replay_of_an_unknown_game_is_refused(refused, told, write):
    told["game"] = "chess"
    write("r.json", canonical(signed(told)))

    assert "there is no game 'chess'" in refused("verify", "r.json")


@pytest.mark.parametrize("seats", [-1, 0, 10**15])
def test_an_impossible_table_is_refused(refused, told, write, seats):
    told["seats"] = seats
    write("r.json", canonical(signed(told)))

    assert f"no table of {seats} seats" in refused("verify", "r.json")


def test_values_that_json_cannot_hold_are_refused(refused, told, write):
    told["log"][0]["value"][0] = float("nan")
    write("nan.json", json.dumps(told))
    told["log"][0]["value"][0] = "\ud800"
    write("surrogate.json", json.dumps(told))

    assert "wrong field" in refused("verify", "nan.json")
    assert "wrong field" in refused("verify", "surrogate.json")


@pytest.mark.parametrize("field", ["game", "format", "digest"])
def test_a_strangers_replay_cannot_move_the_cursor(refused, told, write, field):
    write("odd.json", json.dumps(told | {field: "\x1b[2Jevil"}))

    assert "\x1b" not in refused("verify", "odd.json")


def test_a_gzip_bomb_is_stopped(refused, write):
    write("bomb.json.gz", gzip.compress(b" " * (64 * 2**20)))

    assert "over 4 MiB" in refused("verify", "bomb.json.gz")


def test_a_folder_and_a_missing_file_are_no_replays(refused, tmp_path):
    (tmp_path / "folder.json").mkdir()

    assert "is a folder" in refused("verify", "folder.json")
    assert "there is no file gone.json" in refused("verify", "gone.json")


def test_a_name_that_is_no_valid_text_is_still_shown(ladle, told, tmp_path):
    (tmp_path / "t.json").rename(tmp_path / "r\udcff.json")

    ran = ladle("verify", "r\udcff.json")

    assert ran.code == 0
    assert "r\\udcff.json: ok" in ran.out


def test_one_false_replay_among_true_ones_fails_the_command_but_not_the_others(ladle, told, write):
    write("empty.json", b"")

    ran = ladle("verify", "empty.json", "t.json")

    assert ran.code == 1
    assert ran.out.startswith("t.json: ok")
    assert "empty.json is empty" in ran.err


def test_a_play_under_way_is_ok_so_far(ladle, told, write):
    position = from_json(told).cut(decisions(told)[3])
    write("p.json", canonical(position.to_json()))

    ran = ladle("verify", "p.json")

    assert ran.code == 0
    assert "not over" in ran.out


def test_the_digest_of_a_match_page_is_compared(ladle, refused, told):
    assert ladle("verify", "t.json", "--digest", told["digest"].upper()).code == 0
    assert told["digest"] in refused("verify", "t.json", "--digest", "00" * 32)
    assert "one file" in refused("verify", "t.json", "t.json", "--digest", told["digest"])
