"""A Celery worker whose plays cost nothing: each board is played once, and that result repeated.

Everything around a play is the product's: claim, lease, storage, result, nudge. With SCALE_SECONDS
a play takes that long, without using the processor.
"""

from __future__ import annotations

import os
import sys
import time

import django

django.setup()

from ladder.boards import Board  # noqa: E402
from ladder.jobs import runner  # noqa: E402
from ladder.jobs.celery import app  # noqa: E402
from ladder.models import Match  # noqa: E402
from ladder.services.matches import Record  # noqa: E402
from tests.local_play import record_of  # noqa: E402

SECONDS = float(os.environ.get("SCALE_SECONDS", "0"))
_records: dict[Board, Record] = {}


def play(match: Match) -> Record:
    time.sleep(SECONDS)
    if match.board not in _records:
        _records[match.board] = record_of(match)
    return _records[match.board]


runner.play = play

if __name__ == "__main__":
    app.worker_main(sys.argv[1:])
