"""Structured logs: one line per event, a fixed phrase then facts, easy to read and to search."""

import logging
import time


class KeyValueFormatter(logging.Formatter):
    """`2026-01-02T03:04:05.678Z INFO ladder.jobs.tasks match finished match=7 attempt=1`"""

    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")
        self.converter = time.gmtime
