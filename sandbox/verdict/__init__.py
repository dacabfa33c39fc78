"""From how a bot's process ended to a sentence its owner understands."""

from __future__ import annotations

import builtins
import re
import signal

from engine.match import Fault
from engine.outcome import FaultKind
from sandbox.languages import LANGUAGES
from sandbox.verdict import kernel_log

# Exit statuses of the shims.
OUT_OF_MEMORY = 86
NOT_LOADED = 87
RAISED = 88
OUT_OF_FUEL = 89
OUT_OF_TURN = 90

KNOWN_ERRORS = {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
} | {name for language in LANGUAGES for name in language.errors}
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
EXHAUSTED = tuple(text for language in LANGUAGES for text in language.exhausted)


def readable(data: bytes) -> str:
    """What a bot wrote, safe to show: valid text without control or direction characters."""
    return CONTROL.sub("�", data.decode("utf-8", "replace"))


def of_death(pid: int, status: int, log: str, what: str) -> Fault:
    """The fault of a bot whose process ended during `what`; signals are below 0."""
    last = _last_line(log)
    if status == OUT_OF_MEMORY or any(sign in log[-4000:] for sign in EXHAUSTED):
        return Fault(FaultKind.MEMORY, f"the bot ran out of memory during {what}", log)
    if status == OUT_OF_FUEL:
        return Fault(FaultKind.TIMEOUT, f"the bot ran out of fuel during {what}", log)
    if status == OUT_OF_TURN:
        sentence = f"the bot did not answer with exactly one line during {what}"
        return Fault(FaultKind.PROTOCOL, sentence, log)
    if status == NOT_LOADED:
        return Fault(FaultKind.CRASH, "the bot's file could not be loaded", log)
    if status == RAISED:
        return Fault(
            FaultKind.CRASH, f"the bot crashed during {what} with {_error_name(last)}", log
        )
    if status == -signal.SIGSYS:
        call = kernel_log.forbidden_call(pid) or "one for tracing, mounting, namespaces or the like"
        sentence = f"the bot made a system call that no bot may make during {what}: {call}"
        return Fault(FaultKind.FORBIDDEN, sentence, log)
    if status == -signal.SIGXCPU:
        return Fault(
            FaultKind.TIMEOUT, f"the bot used up all CPU time of the match during {what}", log
        )
    if status < 0:
        return Fault(FaultKind.CRASH, f"the bot died of {_signal_name(-status)} during {what}", log)
    return Fault(FaultKind.CRASH, f"the bot ended itself with status {status} during {what}", log)


def _last_line(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def _error_name(last: str) -> str:
    """The kind of error, if it is one of the language's own.

    Sentences are for everyone, so they hold no word that a bot has chosen; its owner gets its log.
    """
    name = last.partition(":")[0].removeprefix("Uncaught ")
    return name if name in KNOWN_ERRORS else "an error"


def _signal_name(number: int) -> str:
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"
