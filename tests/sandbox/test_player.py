"""One seat's bot in the real jail."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from contextlib import ExitStack

import pytest

from engine import games
from engine.game import Result
from engine.match import Answer, Fault, Question, play
from engine.replay import verify
from sandbox.errors import SandboxError
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import script
from sandbox.table import Tablemates

GAME = games.get("ramen_ramen")
Seated = Callable[..., JailedPlayer]

pytestmark = pytest.mark.jail

FIRST = 'def decide(view):\n    return view["legal"][0]\n'


def test_a_bot_answers_and_is_charged_cpu_time(seated: Seated, asked: Question) -> None:
    player = seated(FIRST)

    reply = player.decide(asked)

    assert isinstance(reply, Answer)
    assert reply.action == asked.legal[0]
    assert reply.cpu_us > 0


def test_two_jailed_bots_play_a_game_that_verifies() -> None:
    bot = GAME.house_bots()["random"].read_text()
    with (
        Pool() as pool,
        JailedPlayer(script(bot, "one.py"), pool=pool) as one,
        JailedPlayer(script(bot, "two.py"), pool=pool) as two,
    ):
        played = play(GAME, [one, two], seed=3)

    assert played.faults == {}
    verify(GAME, played.replay)


def test_the_script_sees_the_whole_question(seated: Seated, asked: Question) -> None:
    player = seated("def decide(view):\n    print(sorted(view))\n    return view['legal'][0]\n")

    player.decide(asked)
    player.close()

    for key in ("bowls", "cpu_left_ms", "events", "legal", "seat"):
        assert repr(key) in player.log


def test_start_and_end_reach_a_bot_class(seated: Seated, asked: Question) -> None:
    player = seated(
        "class Bot:\n"
        "    def start(self, line): self.seat = line['seat']\n"
        "    def decide(self, view): return view['legal'][self.seat]\n"
    )

    reply = player.decide(asked)

    assert isinstance(reply, Answer)


def test_a_crash_is_explained_with_the_bots_own_lines(seated: Seated, asked: Question) -> None:
    player = seated("def decide(view):\n    return view['soup']\n", "cook.py")

    reply = player.decide(asked)

    assert isinstance(reply, Fault)
    assert reply.kind == "crash"
    assert reply.sentence.endswith("with KeyError"), "the bot's own words are for its owner"
    assert "KeyError: 'soup'" in reply.detail
    assert 'File "cook.py", line 2, in decide' in reply.detail
    assert "return view['soup']" in reply.detail
    assert "shim" not in reply.detail


def test_what_a_bot_prints_is_its_log_and_not_an_answer(seated: Seated, asked: Question) -> None:
    player = seated("import os\nprint('hot')\nos.write(1, b'pot')\n" + FIRST)

    reply = player.decide(asked)
    player.close()

    assert isinstance(reply, Answer)
    assert "hot" in player.log
    assert "pot" in player.log


def test_the_log_keeps_its_end_and_says_what_is_lost(seated: Seated, asked: Question) -> None:
    player = seated("print('first', 'x' * 3000)\nprint('last')\n" + FIRST, log_bytes=1000)

    player.decide(asked)
    player.close()

    assert player.log.endswith("last\n")
    assert "first" not in player.log
    assert "bytes of earlier output are not kept" in player.log


def test_control_characters_do_not_reach_the_log(seated: Seated, asked: Question) -> None:
    player = seated("print('\\x1b[31m\\0\\u202e')\n" + FIRST)

    player.decide(asked)
    player.close()

    assert not {"\x1b", "\0", "\u202e"} & set(player.log)


def test_the_next_play_after_a_fault_starts_afresh(seated: Seated, asked: Question) -> None:
    player = seated("n = 0\ndef decide(view):\n    raise ValueError\n")
    first = player.decide(asked)

    player.start(game=GAME, seat=0, seats=2, options={})
    second = player.decide(asked)

    assert isinstance(first, Fault)
    assert isinstance(second, Fault)
    assert "decision 1 " in second.sentence


def test_each_play_has_a_process_that_knows_nothing_of_the_one_before(
    seated: Seated, asked: Question
) -> None:
    player = seated("n = 0\ndef decide(view):\n    global n\n    n += 1\n    return str(n)\n")

    player.decide(asked)
    player.start(game=GAME, seat=0, seats=2, options={})
    reply = player.decide(asked)

    assert isinstance(reply, Answer)
    assert reply.action == "1"


def test_the_log_is_told_play_by_play(seated: Seated, asked: Question) -> None:
    player = seated("def decide(view):\n    print('soup')\n    return view['legal'][0]\n")

    player.decide(asked)
    player.start(game=GAME, seat=0, seats=2, options={})
    player.decide(asked)
    player.close()

    assert player.log == "[play 1]\nsoup\n\n[play 2]\nsoup\n"


def test_what_is_printed_is_kept_by_decision(seated: Seated, asked: Question) -> None:
    player = seated(
        "print('loading')\nat = 0\ndef decide(view):\n    global at\n    at += 1\n"
        "    if at != 2:\n        print('soup', at)\n"
        "    if at == 4:\n        raise RuntimeError('burnt')\n    return view['legal'][0]\n"
    )

    for _ in range(4):
        player.decide(asked)
    player.close()

    told = [(one.play, one.seat, one.decision, one.text.split("\n")[0]) for one in player.printed]
    assert told == [
        (1, 1, 0, "loading"),
        (1, 1, 1, "soup 1"),
        (1, 1, 3, "soup 3"),
        (1, 1, 4, "soup 4"),
    ]
    assert "burnt" in player.printed[-1].text


def test_what_a_bot_prints_at_the_end_is_in_its_log(seated: Seated) -> None:
    player = seated("def end(line):\n    print(line['result']['reason'])\n" + FIRST)

    player.end(Result((1, 2), (0, 0), "soup served"))
    player.close()

    assert "soup served" in player.log


def test_the_wall_clock_is_a_budget_for_the_whole_play(seated: Seated, asked: Question) -> None:
    player = seated(
        "import time\ndef decide(view):\n    time.sleep(0.3)\n    return view['legal'][0]\n",
        wall_factor=1,
        wall_extra_ms=500,
        bank_ms=300,
        increment_ms=1,
    )

    replies = [player.decide(asked) for _ in range(4)]

    assert isinstance(replies[0], Answer)
    assert isinstance(replies[3], Fault), "each decision alone is within the net"
    assert replies[3].kind == "timeout"


@pytest.mark.parametrize(
    ("filename", "source"),
    [
        ("bot.py", "import random\nx = random.random()\ndef decide(view): return str(x)"),
        ("bot.py", "def decide(view): return str(hash('soup'))"),
        ("bot.js", "const x = Math.random();\nfunction decide(view) { return `${x}`; }"),
    ],
)
def test_a_bots_own_luck_is_seeded(
    seated: Seated, asked: Question, filename: str, source: str
) -> None:
    player = seated(source, filename)
    told = []
    for luck in (7, 7, 8):
        player.start(game=GAME, seat=0, seats=2, options={}, luck=luck)
        reply = player.decide(asked)
        assert isinstance(reply, Answer), reply
        told.append(reply.action)

    assert told[0] == told[1], "the same luck, the same play"
    assert told[0] != told[2] or "hash" in source


TOSSES_A_COIN = """
function decide(view) {
  const choices = view.legal ?? view.suggestions;
  return choices[Math.floor(Math.random() * choices.length)];
}
"""


@pytest.mark.parametrize("slug", games.GAMES)
def test_a_play_of_seeded_bots_repeats_exactly(slug: str) -> None:
    game = games.get(slug)
    bots = [script(game.house_bots()["random"].read_text(), "bot.py")]
    bots += [script(TOSSES_A_COIN, "bot.js")]

    def digest(seed: int) -> str:
        with Pool() as pool, ExitStack() as stack:
            table = Tablemates()
            players = [
                stack.enter_context(JailedPlayer(bot, pool=pool, table=table)) for bot in bots
            ]
            played = play(game, players, seed=seed)
        assert played.faults == {}
        return played.replay.digest()

    first = digest(7)

    assert digest(7) == first
    assert digest(8) != first


def test_the_bank_is_shared_by_all_decisions_of_a_play(seated: Seated, asked: Question) -> None:
    player = seated(
        "import time\n"
        "def decide(view):\n"
        "    print(view['cpu_left_ms'])\n"
        "    until = time.thread_time() + 0.05\n"
        "    while time.thread_time() < until: pass\n"
        "    return view['legal'][0]\n",
        bank_ms=180,
        increment_ms=0,
    )

    replies = [player.decide(asked) for _ in range(4)]
    player.close()

    assert [type(reply) for reply in replies[:2]] == [Answer, Answer]
    assert isinstance(replies[3], Fault)
    assert replies[3].kind == "timeout"
    told = [int(word) for word in player.log.split()]
    assert told == sorted(told, reverse=True)


def test_a_bot_stopped_from_outside_is_our_fault(seated: Seated, asked: Question) -> None:
    player = seated(FIRST, wall_factor=1, wall_extra_ms=100, bank_ms=100)
    assert player.pid is not None
    os.kill(player.pid, signal.SIGSTOP)

    with pytest.raises(SandboxError, match="stopped from outside"):
        player.decide(asked)


def test_a_bot_outlives_the_thread_that_seated_it(seated: Seated, asked: Question) -> None:
    players: list[JailedPlayer] = []
    thread = threading.Thread(target=lambda: players.append(seated(FIRST)))
    thread.start()
    thread.join()

    reply = players[0].decide(asked)

    assert isinstance(reply, Answer)


def test_the_others_stand_still_while_one_thinks_for_long(seated: Seated, asked: Question) -> None:
    burning = "import threading\ndef burn():\n    while True: pass\n"
    rival = seated(burning + "threading.Thread(target=burn, daemon=True).start()\n" + FIRST)
    thinking = "import time\ndef decide(view):\n    time.sleep(0.6)\n    return view['legal'][0]\n"
    thinker = seated(thinking)

    thinker.decide(asked)
    reply = rival.decide(asked)

    assert isinstance(reply, Answer)  # it goes on afterwards
    assert reply.cpu_us < 450_000


def test_closing_leaves_no_process(seated: Seated) -> None:
    player = seated(FIRST)
    pid = player.pid
    assert pid is not None

    player.close()

    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_memory_and_time_used_are_known_after_the_match(seated: Seated, asked: Question) -> None:
    player = seated("hoard = bytearray(b'x' * (40 << 20))\n" + FIRST)

    player.decide(asked)
    player.close()

    assert 40 < player.peak_memory_mb < 120


def test_bots_may_use_numpy_threads_asyncio_and_the_engine(seated: Seated, asked: Question) -> None:
    player = seated(
        "import asyncio, threading, random\n"
        "import numpy\n"
        "from engine import games\n"
        "async def think(): return int(numpy.ones((4, 4)).dot(numpy.ones(4)).sum())\n"
        "def decide(view):\n"
        "    assert asyncio.run(think()) == 16\n"
        "    thread = threading.Thread(target=print, args=('threads work',))\n"
        "    thread.start(); thread.join()\n"
        "    state = games.get(view['game']).determinize(view, random.Random(1))\n"
        "    return state.notation(state.legal()[0])\n",
        start_cpu_ms=20000,
    )

    reply = player.decide(asked)
    player.close()

    assert isinstance(reply, Answer), reply
    assert "threads work" in player.log


@pytest.mark.parametrize(
    ("filename", "source"),
    [("bot.py", FIRST), ("bot.js", "function decide(view) { return view.legal[0]; }")],
)
def test_a_byte_order_mark_does_no_harm(
    seated: Seated, asked: Question, filename: str, source: str
) -> None:
    player = seated("\ufeff" + source, filename)

    assert isinstance(player.decide(asked), Answer)
