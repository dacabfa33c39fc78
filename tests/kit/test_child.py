"""Bots in plain child processes, as on systems without the sandbox."""

import os
from contextlib import ExitStack

import pytest

from engine import games
from engine.match import play
from ladle.bots import read_bot
from ladle.child import ChildPlayer
from sandbox.languages import WEBASSEMBLY

GAME = games.get("ramen_ramen")
FIRST = "def decide(view):\n    return view['legal'][0]\n"
FIRST_JS = "function decide(view) { return view.legal[0]; }\n"
PARTS = "from choose import first\ndef decide(view):\n    print('hm')\n    return first(view)\n"
CHOOSE = "def first(view):\n    return view['legal'][0]\n"


@pytest.fixture
def played(tmp_path):
    def run(name, content, **more):
        path = tmp_path / name
        if isinstance(content, dict):
            path.mkdir()
            for inner, text in content.items():
                (path / inner).write_text(text)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        bot = read_bot(GAME, path, name=name, typed=name)
        with ExitStack() as stack:
            players = [ChildPlayer(bot.program), ChildPlayer(bot.program)]
            for player in players:
                stack.callback(player.close)
            done = play(GAME, players, seed=5)
        return done, players[0].log

    return run


def test_bots_of_every_kind_play_the_same(played):
    kinds = {
        "first.py": FIRST,
        "net": {"bot.py": PARTS, "choose.py": CHOOSE},
        "first.js": FIRST_JS,
        "first.wasm": WEBASSEMBLY.probe(),
    }
    results = set()
    for name, content in kinds.items():
        done, log = played(name, content)
        assert done.faults == {}
        assert ("hm" in log) == (name == "net")
        results.add(done.replay.result)

    assert len(results) == 1


@pytest.mark.parametrize(
    ("source", "kind", "evidence"),
    [
        ("def decide(view): return 1 / 0", "crash", "ZeroDivisionError"),
        ("import os\ndef decide(view): os._exit(3)", "crash", ""),
        ("def decide(view): return 7", "protocol", ""),
        ("1 / 0\ndef decide(view): return 7", "crash", "ZeroDivisionError"),
    ],
)
def test_a_bot_at_fault_is_told_so_with_its_log(played, source, kind, evidence):
    done, _ = played("bad.py", source)

    (fault,) = list(done.faults.values())[:1]
    assert fault.kind == kind
    assert evidence in fault.detail


def test_a_bot_that_never_answers_is_ended_by_the_clock(tmp_path, monkeypatch):
    monkeypatch.setattr("engine.game.Limits.wall_ms", lambda self, cpu_ms: 1500)
    (tmp_path / "endless.py").write_text(
        f"import os\nopen({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "def decide(view):\n    while True: pass\n"
    )
    bot = read_bot(GAME, tmp_path / "endless.py", name="endless", typed="endless.py")
    player = ChildPlayer(bot.program)

    done = play(GAME, [player, player], seed=1)

    assert {fault.kind for fault in done.faults.values()} == {"timeout"}
    assert not os.path.exists(f"/proc/{(tmp_path / 'pid').read_text()}")
