"""Datasets are made in a process of their own: the scheduler's turns must stay short."""

from __future__ import annotations

import subprocess
import sys
import time

import structlog
from django.conf import settings

from ladder.queries import datasets

log = structlog.get_logger(__name__)

LOOK_S = 60.0
REST_S = 3600.0  # after a failure


class Nightly:
    """Starts `manage.py datasets` once a day is over, and looks how it ended."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._next_look = time.monotonic() + LOOK_S

    def turn(self) -> None:
        if self._process is not None:
            code = self._process.poll()
            if code is None:
                return
            self._process = None
            if code:
                log.error("datasets failed", code=code, again_in_s=REST_S)
                self._next_look = time.monotonic() + REST_S
        if time.monotonic() < self._next_look:
            return
        self._next_look = time.monotonic() + LOOK_S
        if datasets.due_day() is not None:
            command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "datasets"]
            self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        """A process that is stopped leaves no half: it begins again next time."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()
