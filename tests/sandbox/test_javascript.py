"""Bots in JavaScript, under the same jail."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import games
from engine.match import Answer, Fault, Question, play
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import script

GAME = games.get("ramen_ramen")
Seated = Callable[..., JailedPlayer]

pytestmark = pytest.mark.jail

FIRST = "function decide(view) { return view.legal[0]; }"


def judged(seated: Seated, asked: Question, source: str, **limits: int) -> Answer | Fault:
    return seated(source, "bot.js", **limits).decide(asked)


@pytest.mark.parametrize(
    "source",
    [FIRST, f"module.exports = {{ decide }}; {FIRST}", "exports.decide = (v) => v.legal[0]"],
)
def test_a_script_may_define_or_export_decide(seated: Seated, asked: Question, source: str) -> None:
    reply = judged(seated, asked, source)

    assert isinstance(reply, Answer)
    assert reply.action == asked.legal[0]


def test_the_house_bot_plays_a_clean_game() -> None:
    path = GAME.house_bots()["noodle"]
    other = GAME.house_bots()["random"].read_text()
    with (
        Pool() as pool,
        JailedPlayer(script(path.read_text(), path.name), pool=pool) as noodle,
        JailedPlayer(script(other, "random.py"), pool=pool) as rival,
    ):
        played = play(GAME, [noodle, rival], seed=5)

    assert played.faults == {}


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("function decide(view) { return view.soup.hot; }", "crash", "TypeError"),
        ("function decide(view) {", "crash", "SyntaxError"),
        ("const x = 1;", "crash", "does not define"),
        ("function decide(view) { for (;;); }", "timeout", "CPU time"),
        ("function decide(view) { return 5; }", "protocol", "a text"),
        ("function decide(view) { require('fs').writeFileSync('/x', ''); }", "crash", "EROFS"),
        (
            "function decide(view) { const c = require('child_process').spawnSync('/node');"
            " if (c.error) throw c.error; }",
            "crash",
            "restricted",
        ),
        (
            "function decide(view) { const all = []; for (;;) all.push(Buffer.alloc(1e7, 1)); }",
            "memory",
            "memory",
        ),
        (
            "function decide(view) { const all = []; for (;;) all.push(new Array(1e5).fill(0)); }",
            "memory",
            "memory",
        ),
        ("process.kill(process.pid, 'SIGKILL'); process.exit(3);", "crash", "status 3"),
        ("process.execve('/node', ['/node', '-e', 'for (;;);'], {});", "crash", "restricted"),
    ],
)
def test_a_fault_is_told_as_for_any_other_bot(
    seated: Seated, asked: Question, source: str, kind: str, words: str
) -> None:
    reply = judged(seated, asked, source, memory_mb=128, bank_ms=1500)

    assert isinstance(reply, Fault)
    told = f"{reply.sentence} {reply.detail}"
    assert (reply.kind, words in told) == (kind, True), reply


def test_the_network_is_out_of_reach(seated: Seated, asked: Question) -> None:
    player = seated(
        "function decide(view) { require('net').createServer().listen(0); return view.legal[0]; }",
        "bot.js",
    )

    player.decide(asked)
    player.close()

    assert "listening" not in player.log


def test_web_assembly_works_within_the_address_space(seated: Seated, asked: Question) -> None:
    source = "const memory = new WebAssembly.Memory({ initial: 1, maximum: 100 });\n" + FIRST

    assert isinstance(judged(seated, asked, source), Answer)
