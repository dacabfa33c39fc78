"""Reading one answer line, trusting nothing in it."""

from __future__ import annotations

import json
from typing import Any

from engine.match import Fault
from engine.outcome import FaultKind
from sandbox.verdict import readable

LONGEST_ACTION = 1000
# What stands between the quotes of a plain answer: printable ASCII without quote or backslash.
NOT_PLAIN = bytes(c for c in range(256) if not 32 <= c < 127 or c in b'"\\')


class _Refused(Exception):
    """Why: a sentence without a word of the bot's own."""


def read(line: bytes, id: str) -> str | Fault:
    """The action in an answer to question `id`, or what is wrong with it."""
    head = b'{"id":"%b","action":"' % id.encode()
    if line.startswith(head) and line.endswith(b'"}'):
        action = line[len(head) : -2]  # as our shims write it; the common case, and the quick one
        if len(action) <= LONGEST_ACTION and len(action.translate(None, NOT_PLAIN)) == len(action):
            return action.decode()
    try:
        return _careful(line, id)
    except _Refused as refused:
        return Fault(FaultKind.PROTOCOL, f"{refused}", readable(line[:2000]))


def _careful(line: bytes, id: str) -> str:
    try:
        data = json.loads(
            line.decode(), object_pairs_hook=_without_repeats, parse_constant=_no_constant
        )
    except UnicodeDecodeError:
        raise _Refused("the answer is not UTF-8 text") from None
    except RecursionError:
        raise _Refused("the answer is nested too deeply") from None
    except ValueError:
        raise _Refused("the answer is not JSON") from None
    if not isinstance(data, dict):
        raise _Refused("the answer is JSON, but not an object")
    if data.get("id") != id:
        raise _Refused("the answer is not to the question that was asked: its id is another one")
    if "action" not in data or len(data) > 2:
        raise _Refused("an answer has `id` and `action` and nothing else")
    action = data["action"]
    if not isinstance(action, str):
        raise _Refused(f"the bot returned {_kind(action)}; an action is a text")
    if len(action) > LONGEST_ACTION:
        raise _Refused(f"the action has {len(action)} characters; no action is that long")
    if not action.isprintable():  # line ends, NUL and lone surrogates among others
        raise _Refused("the action has characters that no text should have")
    return action


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise _Refused("the answer has the same key twice")
    return data


def _no_constant(name: str) -> Any:
    raise _Refused(f"the answer contains {name}, which is not JSON")


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    kinds = {bool: "a truth value", int: "a number", float: "a number", list: "a list"}
    return kinds.get(type(value), "an object")
