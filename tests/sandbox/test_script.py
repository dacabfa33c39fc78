"""A bot's script is a module as any other, whatever style its author writes in."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from engine import games
from engine.local import ScriptPlayer
from engine.match import Answer, Fault, Question
from sandbox.player import JailedPlayer

GAME = games.get("ramen_ramen")
ENDING = "\ndef decide(view):\n    return look(view['legal'])\n"
STYLES = {
    "dataclass": """
from dataclasses import dataclass, field

@dataclass(slots=True)
class Seen:
    turns: int = 0
    moves: list[str] = field(default_factory=list)

def look(legal):
    return Seen(1, legal).moves[0]
""",
    "dataclass, annotations later": """
from __future__ import annotations
from dataclasses import InitVar, dataclass

@dataclass
class Seen:
    moves: list[str]
    at: InitVar[int] = 0

    def __post_init__(self, at: int) -> None:
        self.first = self.moves[at]

def look(legal):
    return Seen(legal).first
""",
    "annotations that are looked at": """
from typing import NamedTuple, get_type_hints

class Move(NamedTuple):
    text: str

def look(legal):
    assert Move.__annotations__["text"] is str
    assert get_type_hints(Move) == {"text": str}
    return Move(legal[0]).text
""",
    "pickle": """
import pickle

class Move:
    pass

def look(legal):
    move = Move()
    move.text = legal[0]
    return pickle.loads(pickle.dumps(move)).text
""",
    "not the main program": """
if __name__ == "__main__":
    raise SystemExit("this is not how it is played")

def look(legal):
    return legal[0]
""",
}
style = pytest.mark.parametrize("source", STYLES.values(), ids=STYLES)


@style
def test_a_script_is_a_module_in_this_process(source: str, asked: Question) -> None:
    player = ScriptPlayer(source + ENDING)
    player.start(game=GAME, seat=0, seats=2, options={})

    reply = player.decide(asked)

    assert isinstance(reply, Answer), reply
    assert reply.action == asked.legal[0]


@style
def test_and_so_are_all_that_share_one(source: str, asked: Question) -> None:
    players = [ScriptPlayer(source + ENDING) for _ in range(3)]
    for seat, player in enumerate(players[:2]):
        player.start(game=GAME, seat=seat, seats=2, options={})

    replies = [player.decide(asked) for player in players]

    assert all(isinstance(reply, Answer) for reply in replies), replies


def test_nothing_of_this_process_is_put_away_and_nothing_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = ModuleType("bot")
    monkeypatch.setitem(sys.modules, "bot", own)
    before = dict(sys.modules)

    player = ScriptPlayer(STYLES["pickle"] + ENDING)
    for seat in (0, 1):
        player.start(game=GAME, seat=seat, seats=2, options={})
    assert sys.modules["bot"] is own
    del player
    gc.collect()

    assert {name for name in sys.modules if name.startswith("bot")} == {
        name for name in before if name.startswith("bot")
    }


def test_a_traceback_shows_the_lines_that_were_run_whatever_file_has_that_name(
    asked: Question,
) -> None:
    player = ScriptPlayer("def decide(view):\n    return view['no soup']\n", "enum.py")
    player.start(game=GAME, seat=0, seats=2, options={})

    fault = player.decide(asked)

    assert isinstance(fault, Fault)
    assert "File \"enum.py\", line 2, in decide\n    return view['no soup']" in fault.detail


@pytest.mark.jail
@style
def test_and_in_the_jail(source: str, asked: Question, seated: Callable[..., JailedPlayer]) -> None:
    reply = seated(source + ENDING).decide(asked)

    assert isinstance(reply, Answer), reply
    assert reply.action == asked.legal[0]
