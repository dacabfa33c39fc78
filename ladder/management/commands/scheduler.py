"""`manage.py scheduler`: sweeps, rates, fills the queue and moves tournaments on, for ever."""

from __future__ import annotations

import signal
import threading
import time
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from ladder.jobs import courier
from ladder.jobs.scheduler import Scheduler


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--once", action="store_true", help="one turn, then stop")

    def handle(self, *args: Any, once: bool, **options: Any) -> None:
        stop = threading.Event()
        if not once:
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, lambda *_: stop.set())
        scheduler = Scheduler()
        couriers = [] if once else courier.start(stop)
        while not stop.is_set():
            began = time.monotonic()
            scheduler.turn()
            if once:
                break
            stop.wait(max(0.0, settings.SCHEDULER_PERIOD_MS / 1000 - (time.monotonic() - began)))
        scheduler.step_down()
        for thread in couriers:
            thread.join(1)
