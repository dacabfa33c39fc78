"""From how a bot's process ended to a sentence its owner understands."""

from __future__ import annotations

import re
import signal

from engine.match import Fault
from sandbox import kernel_log

# Exit statuses of the shims.
OUT_OF_MEMORY = 86
NOT_LOADED = 87
RAISED = 88

SENTENCE_LENGTH = 300
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
NODE_OUT_OF_MEMORY = (
    "heap out of memory",
    "Fatal process out of memory",
    "Array buffer allocation",
)


def readable(data: bytes) -> str:
    """What a bot wrote, safe to show: valid text without control or direction characters."""
    return CONTROL.sub("�", data.decode("utf-8", "replace"))


def of_death(pid: int, status: int, log: str, what: str) -> Fault:
    """The fault of a bot whose process ended during `what`; signals are 128 and up."""
    last = _last_line(log)
    if status == OUT_OF_MEMORY or any(sign in log[-4000:] for sign in NODE_OUT_OF_MEMORY):
        return Fault("memory", f"the bot ran out of memory during {what}", log)
    if status == NOT_LOADED:
        return Fault("crash", f"the bot could not be loaded: {last}", log)
    if status == RAISED:
        return Fault("crash", f"the bot crashed during {what} with {_error_name(last)}", log)
    if status == 128 + signal.SIGSYS:
        call = kernel_log.forbidden_call(pid) or "one for tracing, mounting, namespaces or the like"
        sentence = f"the bot made a system call that no bot may make during {what}: {call}"
        return Fault("forbidden", sentence, log)
    if status == 128 + signal.SIGXCPU:
        return Fault("timeout", f"the bot used up all CPU time of the match during {what}", log)
    if status > 128:
        return Fault("crash", f"the bot died of {_signal_name(status - 128)} during {what}", log)
    return Fault("crash", f"the bot ended itself with status {status} during {what}", log)


def _last_line(log: str) -> str:
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return lines[-1][:SENTENCE_LENGTH] if lines else "it left no message"


def _error_name(last: str) -> str:
    """The kind of error alone: sentences are for everyone, the bot's own words for its owner."""
    found = re.match(r"[A-Za-z_][A-Za-z0-9_.]{0,60}(?=:|$)", last)
    return found[0] if found else "an error"


def _signal_name(number: int) -> str:
    try:
        return f"signal {signal.Signals(number).name}"
    except ValueError:
        return f"signal {number}"
