"""Bots without a jail: the same verdicts where they do not need one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from engine import games
from engine.game import Limits
from engine.match import Answer, Fault, Question
from sandbox.plain import Plain
from sandbox.player import JailedPlayer
from sandbox.program import Program, script
from tests.sandbox.archives import ordinary

GAME = games.get("ramen_ramen")


def judged(source: str, asked: Question, **limits: int) -> Answer | Fault:
    chosen = Limits(**limits) if limits else None
    with JailedPlayer(script(source, "bot.py"), pool=Plain(), limits=chosen) as player:
        player.start(game=GAME, seat=0, seats=2, options={})
        return player.decide(asked)


def test_a_bot_plays_without_a_jail(asked: Question) -> None:
    reply = judged("import numpy, engine\ndef decide(view): return view['legal'][0]", asked)

    assert isinstance(reply, Answer)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("def decide(view): return 1 / 0", "crash"),
        ("def decide(view):\n  while True: pass", "timeout"),
        ("def decide(view): return bytearray(1 << 30)", "memory"),
        ("import os\ndef decide(view): os.abort()", "crash"),
        ("import os, time\ndef decide(view): os.closerange(3, 16); time.sleep(9)", "protocol"),
    ],
)
def test_time_memory_and_protocol_are_judged_all_the_same(
    asked: Question, source: str, kind: str
) -> None:
    reply = judged(source, asked, bank_ms=200, memory_mb=128)

    assert isinstance(reply, Fault)
    assert reply.kind == kind


def test_javascript_requires_its_own_files_whatever_project_they_are_unpacked_in(
    asked: Question, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "package.json").write_text('{"type": "module"}')
    monkeypatch.setenv("LADLE_RUNTIME", str(tmp_path / "runtime"))
    files = {
        "bot.js": b"const { first } = require('./choose.js');\n"
        b"function decide(view) { return first(view.legal); }",
        "choose.js": b"exports.first = (choices) => choices[0];",
    }
    with JailedPlayer(Program("bot.zip", ordinary(files)), pool=Plain()) as player:
        player.start(game=GAME, seat=0, seats=2, options={})

        assert isinstance(player.decide(asked), Answer)


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return "gone"


def test_children_of_the_bot_end_with_it(asked: Question) -> None:
    source = (
        "import subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        "def decide(view): return str(child.pid)\n"
    )

    reply = judged(source, asked)

    assert isinstance(reply, Answer)
    patience = time.monotonic() + 20
    while (state := state_of(int(reply.action))) not in ("gone", "Z", "X"):
        assert time.monotonic() < patience, f"it goes on, in state {state}"
        time.sleep(0.01)
