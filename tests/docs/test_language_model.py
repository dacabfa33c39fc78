"""The language-model example of the docs plays, with a scripted model in place of a real one."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from engine import wire
from engine.games import get
from engine.match import Answer, OpenPlay, Question
from tests.docs.pages import DOCS, blocks

Messages = list[dict[str, str]]


class Model:
    """Answers as its script says, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Messages] = []
        self.script: list[str] = []  # what it says first; afterwards the first legal move


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    made = Model()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            made.asked.append(body["messages"])
            moves = body["messages"][1]["content"].split("Legal moves:\n")[1].split("\n\n")[0]
            first = moves.splitlines()[0]
            said = made.script.pop(0) if made.script else f"I think.\nMOVE: {first}"
            answer = json.dumps({"choices": [{"message": {"content": said}}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *arguments: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("MODEL_URL", f"http://127.0.0.1:{server.server_port}")
    yield made
    server.shutdown()
    server.server_close()


@pytest.fixture
def bot(model: Model, tmp_path: Path) -> ModuleType:
    (block,) = [one for one in blocks(DOCS / "remote.md") if one.file == "llm_bot.py"]
    module = ModuleType("llm_bot")
    exec(compile(block.text, "llm_bot.py", "exec"), module.__dict__)
    return module


def line(question: Question, game: str) -> dict[str, Any]:
    start = wire.start(seat=question.seat, seats=2, options={}, luck=1) | {"game": game}
    return wire.decide(question, id="x", cpu_left_ms=1) | {"start": start}


def test_the_example_plays_a_game_to_its_end(bot: ModuleType, model: Model) -> None:
    table = OpenPlay.open(get("ramen_ramen"), 2, seed=1)
    steps = table.steps()
    question = next(steps)
    decisions = 0
    try:
        while True:
            move, note = bot.decide(line(question, "ramen_ramen"))
            decisions += 1
            assert note.startswith("I think.")
            question = steps.send(Answer(move))
    except StopIteration:
        pass
    assert table.result is not None and not table.faults
    assert len(model.asked) == decisions
    assert "Bowl A" in model.asked[0][1]["content"] and "Ramen" in model.asked[0][0]["content"]


def test_an_answer_that_cannot_be_read_is_sent_back_once_with_the_reason(
    bot: ModuleType, model: Model
) -> None:
    question = line(next(OpenPlay.open(get("ramen_ramen"), 2, seed=1).steps()), "ramen_ramen")
    model.script = ["Let me see.", f"Sorry.\nMOVE: {question['legal'][-1]}"]
    assert bot.decide(question)[0] == question["legal"][-1]
    assert model.asked[1][-1]["content"] == "Your last line must begin with MOVE:"
    model.script = ["MOVE: everything", "MOVE: nothing"]
    move, note = bot.decide(question)
    assert move == question["legal"][0] and "not among the legal moves" in note
    assert len(model.asked) == 4
