"""Everything a hurried author may type wrong gets one sentence."""

import pytest

from sandbox.languages import WEBASSEMBLY

GOOD = "def decide(view):\n    return view['legal'][0]\n"


@pytest.fixture
def refused_bot(refused):
    return lambda bot, *more: refused("play", "ramen_ramen", bot, "random", "--in-process", *more)


def test_an_unknown_game_suggests_a_close_one_or_lists_all(refused):
    assert "did you mean ramen_ramen?" in refused("play", "ramen_rammen", "random")
    assert "the games are" in refused("arena", "chess", "random")


def test_a_wrong_number_of_bots_names_the_right_ones(refused):
    assert "1 to 4 bots, not 5" in refused("play", "ramen_ramen", *["random"] * 5)
    assert "Missing argument" in refused("play", "ramen_ramen")


@pytest.mark.parametrize(
    ("seed", "words"),
    [("-1", "between 0 and"), ("9007199254740992", "between 0 and"), ("seven", "--seed")],
)
def test_a_bad_seed_is_refused(refused, seed, words):
    assert words in refused("play", "ramen_ramen", "random", "random", "--seed", seed)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("empty_deck", "NAME=VALUE"),
        ("extra_noodles=1", "no option 'extra_noodles'"),
        ("empty_deck=fly", "'fly'"),
    ],
)
def test_a_bad_option_is_refused(refused, option, words):
    assert words in refused("play", "ramen_ramen", "random", "random", "--option", option)


def test_an_unknown_house_bot_suggests_close_names(refused_bot):
    assert "did you mean random?" in refused_bot("randm")
    assert "house bots are" in refused_bot("xyzzy")


def test_a_missing_file_is_named(refused_bot):
    assert refused_bot("gone.py") == "there is no file gone.py."


def test_an_unreadable_file_is_named(refused_bot, tmp_path):
    (tmp_path / "loop.py").symlink_to("loop.py")

    assert "loop.py cannot be read" in refused_bot("loop.py")


def test_a_folder_is_not_a_bot(refused_bot, tmp_path):
    (tmp_path / "bots.py").mkdir()

    assert "bots.py is not a bot: it has no files" in refused_bot("bots.py")


def test_a_file_of_another_kind_is_not_a_bot(refused_bot, write):
    write("bot.txt", GOOD)

    assert "ends in .py, .js, .wasm or .zip" in refused_bot("bot.txt")


def test_a_syntax_error_is_told_with_its_line(refused_bot, write):
    write("bad.py", "import random\n\ndef decide(view:\n    pass\n")

    assert "bad.py, line 3:" in refused_bot("bad.py")


def test_a_script_without_decide_is_told_so(refused_bot, write):
    write("idle.py", "# decide comes later\ndef choose(view):\n    pass\n")

    assert "defines neither `decide(view)` nor a class `Bot`" in refused_bot("idle.py")


def test_a_class_without_decide_is_told_so(refused_bot, write):
    write("idle.py", "class Bot:\n    pass\n")

    assert "defines neither `decide(view)` nor a class `Bot`" in refused_bot("idle.py")


def test_a_script_that_fails_while_loading_names_its_line(refused_bot, write):
    write("eager.py", "x = 1\ny = x / 0\n" + GOOD)

    sentence = refused_bot("eager.py")

    assert "line 2" in sentence
    assert "ZeroDivisionError" in sentence


@pytest.mark.parametrize("content", [b"\x7fELF\x02\x01\x01\xff\xfe", b"def decide(view): \x00"])
def test_a_binary_file_is_not_a_bot(refused_bot, write, content):
    write("binary.py", content)

    assert "binary.py is not a" in refused_bot("binary.py")


def test_a_giant_file_is_not_read(refused_bot, write, tmp_path):
    write("large.py", b"#" * (2 * 1024 * 1024))
    with (tmp_path / "giant.py").open("wb") as file:
        file.truncate(2**40)  # more than any memory

    assert "2,097,152 bytes; the most is 262,144" in refused_bot("large.py")
    assert "too big" in refused_bot("giant.py")


def test_a_replay_that_cannot_be_written_is_told(refused_bot):
    assert "must end in .json" in refused_bot("random", "--replay", "replay.txt")
    assert "cannot be written" in refused_bot("random", "--replay", "no/such/folder/r.json")


def test_what_is_not_one_script_in_python_cannot_be_tuned(refused, write):
    write("soup.wasm", WEBASSEMBLY.probe())

    told = refused("tune", "soup.wasm", "--game", "ramen_ramen")

    assert "cannot be tuned" in told
