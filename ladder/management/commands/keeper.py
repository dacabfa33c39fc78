"""`manage.py keeper`: holds the tables of remote bots, for ever."""

from __future__ import annotations

import signal
from typing import Any

from django.core.management.base import BaseCommand

from ladder.jobs.keeper import Keeper


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        keeper = Keeper()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: keeper.stop())
        keeper.run()
