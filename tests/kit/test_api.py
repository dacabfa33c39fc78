"""`import ladle`: what docs/kit.md does not show, and what must be refused."""

from dataclasses import replace
from shutil import make_archive

import pytest

import ladle
from engine.errors import BadReplay, EngineError

FIRST = "def decide(view):\n    return view['legal'][0]\n"


def first(view):
    return view["legal"][0]


def crash(view):
    raise RuntimeError("no soup")


@pytest.mark.jail
def test_functions_files_and_confined_files_give_the_same_play(tmp_path):
    path = tmp_path / "first.py"
    path.write_text(FIRST)

    digests = {
        ladle.play("ramen_ramen", bots, seed=5, confined=confined).replay.result
        for bots, confined in (([first, first], False), ([path, path], False), ([path, path], True))
    }

    assert len(digests) == 1


def test_a_function_that_raises_is_at_fault_and_its_line_is_told():
    played = ladle.play("ramen_ramen", [crash, "random"], seed=1)

    assert played.faults[0].kind == "crash"
    assert 'raise RuntimeError("no soup")' in played.faults[0].detail


@pytest.fixture
def kinds(tmp_path):
    """The same bot as a script, a folder, an archive and a file in JavaScript."""
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "bot.py").write_text(FIRST)
    (tmp_path / "net" / "weights.bin").write_bytes(b"\xff\xfe")
    (tmp_path / "first.py").write_text(FIRST)
    (tmp_path / "first.js").write_text("function decide(view) { return view.legal[0]; }\n")
    make_archive(str(tmp_path / "packed"), "zip", tmp_path / "net")
    return [tmp_path / name for name in ("first.py", "net", "packed.zip", "first.js")]


def test_bots_of_every_kind_play_and_meet_functions(kinds):
    results = {
        ladle.play("ramen_ramen", bots, seed=5).replay.result
        for kind in kinds
        for bots in ([kind, kind], [kind, first])
    }

    assert len(results) == 1


def test_bots_of_every_kind_meet_in_arenas(kinds):
    for kind in kinds:
        for rival in (first, "greedy"):
            one, other = ladle.arena("ramen_ramen", [kind, rival], sets=1, first_seed=3)
            assert one.faults == other.faults == {}
    assert ladle.compare("ramen_ramen", ["greedy", kinds[1]], most=2).sets == 2


def test_an_arena_counts_faults_and_teams_once():
    bad, good = ladle.arena("ramen_ramen", [crash, first], sets=2, seats=4)

    assert (bad.plays, good.plays) == (4, 4)
    assert bad.faults == {"crash": 4}
    assert (bad.win_rate, good.win_rate) == (0, 1)


def test_several_processes_find_what_one_finds():
    alone = ladle.arena("ramen_ramen", ["greedy", "random"], sets=3, first_seed=9)

    assert ladle.arena("ramen_ramen", ["greedy", "random"], sets=3, first_seed=9, jobs=2) == alone


def test_a_replay_written_is_the_replay_read(tmp_path):
    replay = ladle.play("hot_ramen", ["random", "random"], seed=3).replay

    for name in ("r.json", "r.json.gz"):
        ladle.write(tmp_path / name, replay)
        assert ladle.read(tmp_path / name).digest() == replay.digest()


def test_a_walk_ends_where_the_play_ended():
    replay = ladle.play("potage_sauvage", ["random"] * 3, seed=3).replay

    *_, (entry, state) = ladle.walk(replay)

    assert entry["action"]
    assert state.result() == replay.result


def test_a_forged_replay_is_not_true():
    replay = ladle.play("ramen_ramen", [first, first], seed=5).replay
    forged = replace(replay, result=replace(replay.result, places=(2, 1)))

    with pytest.raises(BadReplay):
        ladle.verify(forged)


def test_what_cannot_be_is_refused_with_a_sentence(tmp_path):
    for words, asked in (
        ("in this process alone", lambda: ladle.arena("ramen_ramen", [first, first], jobs=2)),
        ("in this process alone", lambda: ladle.play("ramen_ramen", [first] * 2, confined=True)),
        ("has 7 sides", lambda: ladle.arena("ramen_ramen", ["random"] * 7)),
        ("there is no file", lambda: ladle.read(tmp_path / "none.json")),
    ):
        with pytest.raises(ladle.Refusal, match=words):
            asked()
    with pytest.raises(EngineError, match="there is no game"):
        ladle.play("chess", [first, first])
    with pytest.raises(AttributeError):
        ladle.soup  # noqa: B018 - it must not be there
