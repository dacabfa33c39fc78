"""The lines between the referee and a bot: newline-delimited JSON, one object per line.

The referee writes, the bot answers `hello` and `decide` and nothing else:

    {"type":"hello","protocol":2,"id":"5f0c...","game":"ramen_ramen",
     "luck":81...,"source":"...","filename":"my_bot.py"}
        <- {"id":"5f0c..."}                          loaded and ready
    {"type":"start","seat":0,"seats":2,"options":{...}}
    {"type":"decide","id":"91ab...","cpu_left_ms":1020,"kind":"play","view":{...},
     "events":[...],"legal":["nori3>A negi0>C",...]}
        <- {"id":"91ab...","action":"nori3>A negi0>C"}
    {"type":"end","result":{"places":[1,2],"points":[27,14],"reason":"..."}}

Where choices cannot be listed, `legal` is absent and `suggestions` and `ranges` stand instead.
`source` and `filename` are there only for bots that run under one of our own shims, which write
`{"ready":1}` of their own accord before the first line comes.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as `typing` has it; every bot loads this file, and needs none of these
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from engine.game import Result
    from engine.match import Question

PROTOCOL = 2


def hello(
    *,
    id: str,
    game: str,
    luck: int,
    source: str,
    filename: str,
    code: str | None = None,
    folder: str = "",
) -> dict[str, Any]:
    """The first line of a play; `code` is the compiled source, `folder` has a bundle's files."""
    line = {"type": "hello", "protocol": PROTOCOL, "id": id, "game": game, "luck": luck}
    line |= {"source": source, "filename": filename}
    if code is not None:
        line["code"] = code
    if folder:
        line["folder"] = folder
    return line


def start(*, seat: int, seats: int, options: Mapping[str, Any], luck: int) -> dict[str, Any]:
    """The play begins; no answer is due."""
    line = {"type": "start", "seat": seat, "seats": seats, "options": dict(options)}
    return line | {"luck": luck}


def decide(question: Question, *, id: str, cpu_left_ms: int) -> dict[str, Any]:
    """A decision is due."""
    line: dict[str, Any] = {
        "type": "decide",
        "id": id,
        "cpu_left_ms": cpu_left_ms,
        "kind": question.kind,
        "view": question.view,
        "events": question.events,
    }
    if question.legal is not None:
        line["legal"] = question.legal
    else:
        line["suggestions"] = question.suggestions
        line["ranges"] = question.ranges
    return line


def end(result: Result) -> dict[str, Any]:
    """A play is over; no answer is due."""
    data = {
        "places": list(result.places),
        "points": list(result.points),
        "reason": result.reason,
    }
    return {"type": "end", "result": data}


def view_for_script(line: dict[str, Any]) -> dict[str, Any]:
    """What a script's `decide(view)` gets: the view with the rest of the question beside it."""
    view: dict[str, Any] = line["view"]
    for key in ("events", "legal", "suggestions", "ranges", "cpu_left_ms"):
        if key in line:
            view[key] = line[key]
    return view
