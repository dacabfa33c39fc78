from __future__ import annotations

import os
import signal

import pytest

from sandbox import verdict


@pytest.mark.parametrize(
    ("status", "log", "kind", "words"),
    [
        (verdict.RAISED, "ValueError: soup\n", "crash", "with ValueError"),
        (verdict.RAISED, "my secret soup", "crash", "with an error"),
        (verdict.NOT_LOADED, "buy soup at example.org", "crash", "could not be loaded"),
        (verdict.RAISED, "soup: broth", "crash", "with an error"),
        (verdict.OUT_OF_MEMORY, "", "memory", "ran out of memory"),
        (134, "FATAL ERROR: JavaScript heap out of memory", "memory", "ran out of memory"),
        (-signal.SIGSYS, "", "forbidden", "no bot may make"),
        (-signal.SIGXCPU, "", "timeout", "all CPU time"),
        (-signal.SIGSEGV, "", "crash", "SIGSEGV"),
        (-100, "", "crash", "signal 100"),
        (3, "", "crash", "status 3"),
    ],
)
def test_an_end_is_told_in_plain_words(status: int, log: str, kind: str, words: str) -> None:
    fault = verdict.of_death(os.getpid(), status, log, "decision 2 (play)")

    assert fault.kind == kind
    assert words in fault.sentence
    assert "soup" not in fault.sentence, "a bot's own words are for its owner"


def test_a_very_long_last_line_is_cut() -> None:
    fault = verdict.of_death(os.getpid(), verdict.RAISED, "x" * 100_000, "decision 1")

    assert len(fault.sentence) < 500
