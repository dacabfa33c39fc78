import gzip
import json

import pytest

from engine import replay as replays
from engine.games import GAMES

FIRST = "def decide(view):\n    return view.get('legal', view.get('suggestions'))[0]\n"


def test_play_then_verify_agree_on_the_digest(ladle):
    played = ladle(
        "play", "ramen_ramen", "greedy", "random", "--seed", 7, "--replay", "r.json.gz",
        "--in-process", "--json",
    )  # fmt: skip
    verified = ladle("verify", "r.json.gz")

    assert played.code == verified.code == 0
    told = json.loads(played.out)
    assert told["digest"] in verified.out
    assert "seed 7 proven" in verified.out
    assert [seat["bot"] for seat in told["seats"]] == ["greedy", "random"]


def test_a_play_watched_on_a_terminal_is_the_same_play(ladle, monkeypatch):
    words = ("play", "ramen_ramen", "greedy", "random", "--seed", 7, "--in-process", "--json")
    unseen = ladle(*words)
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes stderr for a terminal

    watched = ladle(*words)

    assert watched.code == 0
    assert "is to act" in watched.err
    assert json.loads(watched.out)["digest"] == json.loads(unseen.out)["digest"]


@pytest.mark.parametrize("slug", GAMES)
def test_the_table_of_a_play_shows_places_points_and_the_digest(ladle, slug):
    seats = max(2, GAMES[slug].seats[0])

    ran = ladle("play", slug, *["random"] * seats, "--seed", 3, "--in-process")
    told = json.loads(
        ladle("play", slug, *["random"] * seats, "--seed", 3, "--in-process", "--json").out
    )

    assert ran.code == 0
    assert GAMES[slug].title in ran.out
    assert "1st" in ran.out
    assert "digest" in ran.out
    assert all(f"random #{seat + 1}" in ran.out for seat in range(seats))
    assert sorted(seat["place"] for seat in told["seats"])[0] == 1


def test_a_plain_json_replay_is_the_same_replay_as_a_packed_one(ladle, write, tmp_path):
    write("first.py", FIRST)
    words = ("play", "ramen_ramen", "first.py", "first.py", "--seed", 5, "--in-process", "--replay")

    ladle(*words, "r.json")
    ladle(*words, "r.json.gz")

    plain = replays.read((tmp_path / "r.json").read_bytes())
    packed = replays.read((tmp_path / "r.json.gz").read_bytes())
    assert plain.digest() == packed.digest()


def test_a_byte_order_mark_is_passed_over(ladle, write):
    write("marked.py", "\ufeff" + FIRST)

    ran = ladle("play", "ramen_ramen", "marked.py", "random", "--in-process")

    assert ran.code == 0, ran.out  # 3 where a bot was at fault


def test_a_crash_is_told_in_words_with_its_line_and_what_the_bot_printed(ladle, write):
    write("late.py", "def decide(view):\n    print('so far so good')\n    return view['nothing']\n")

    ran = ladle("play", "ramen_ramen", "late.py", "random", "--in-process")

    assert ran.code == 3
    assert "Fault of seat 1 (late), crash:" in ran.out
    assert "line 3" in ran.out
    assert "so far so good" in ran.out
    assert "2nd" in ran.out


def test_what_bots_print_never_mixes_with_the_json(ladle, write):
    write("chatty.py", "print('loading')\n" + FIRST.replace("return", "print('x'); return"))

    ran = ladle("play", "ramen_ramen", "chatty.py", "random", "--in-process", "--json")

    assert json.loads(ran.out)["seats"][0]["log"].startswith("loading\nx\n")


def test_what_a_sound_bot_printed_is_shown_only_when_asked_for(ladle, write):
    write("chatty.py", FIRST.replace("return", "print('slurp'); return"))
    words = ("play", "ramen_ramen", "chatty.py", "random", "--in-process")

    assert "slurp" not in ladle(*words).out
    assert "slurp" in ladle(*words, "--log").out


def test_a_name_is_shown_as_it_is_even_when_it_looks_like_markup(ladle, write):
    write("[red]bot.py", FIRST)

    assert "[red]bot" in ladle("play", "ramen_ramen", "[red]bot.py", "random", "--in-process").out


def test_a_bot_cannot_move_the_cursor_of_the_terminal(ladle, write):
    write("rude.py", "def decide(view):\n    print('\\x1b[2J')\n    return 5\n")

    ran = ladle("play", "ramen_ramen", "rude.py", "random", "--in-process")

    assert "\x1b" not in ran.out
    assert "[2J" in ran.out


def test_a_solo_play_shows_its_stars(ladle):
    ran = ladle("play", "ramen_ramen", "greedy", "--seed", 1, "--in-process", "--json")

    seat = json.loads(ran.out)["seats"][0]
    assert seat["note"] == GAMES["ramen_ramen"].rating_note(seat["points"], 1) != ""


def test_a_play_goes_on_from_any_step_to_the_same_end(ladle, write, tmp_path):
    write("first.py", FIRST)
    words = ("play", "ramen_ramen", "first.py", "first.py", "--in-process", "--json")
    whole = json.loads(ladle(*words, "--seed", 5, "--replay", "r.json").out)
    steps = len(json.loads((tmp_path / "r.json").read_bytes())["log"])

    for step in (0, 1, steps // 2, steps - 1):
        again = json.loads(ladle(*words, "--from", f"r.json@{step}").out)

        assert again["digest"] == whole["digest"]


def test_options_change_the_play(ladle):
    name, option = next(iter(GAMES["ramen_ramen"].options.items()))
    other = next(choice for choice in option.choices if choice != option.default)

    ran = ladle(
        "play", "ramen_ramen", "random", "random", "--in-process", "--json",
        "--option", f"{name}={other}",
    )  # fmt: skip

    assert json.loads(ran.out)["options"][name] == other


def test_the_same_seed_and_deterministic_bots_give_the_same_digest(ladle, write):
    write("first.py", FIRST)
    words = ("play", "ramen_ramen", "first.py", "first.py", "--in-process", "--json", "--seed")

    digests = [json.loads(ladle(*words, seed).out)["digest"] for seed in (1, 1, 2)]

    assert digests[0] == digests[1] != digests[2]


def test_bad_positions_are_refused(ladle, refused, write, tmp_path):
    write("first.py", FIRST)
    words = ("play", "ramen_ramen", "first.py", "first.py", "--in-process")
    ladle(*words, "--seed", 5, "--replay", "r.json.gz")

    assert "is over" in refused(*words, "--from", "r.json.gz")
    assert "not a step" in refused(*words, "--from", "r.json.gz@9999")
    assert "not a step" in refused(*words, "--from", "r.json.gz@last")
    assert "its own seed" in refused(*words, "--from", "r.json.gz@3", "--seed", 6)
    assert "2 seats" in refused(*words, "random", "--from", "r.json.gz@3")
    assert "no file" in refused(*words, "--from", "gone.json@3")

    told = json.loads(gzip.decompress((tmp_path / "r.json.gz").read_bytes()))
    told["game"] = "chess"
    write("chess.json", replays.canonical(told))
    assert "digest" in refused(*words, "--from", "chess.json@3")
