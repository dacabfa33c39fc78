"""`manage.py alive scheduler`: exit 0 while the named part has been heard of lately."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ladder.queries import operation


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("part", choices=["scheduler", "worker"])

    def handle(self, *args: Any, part: str, **options: Any) -> None:
        if part == "scheduler":
            heard = operation.scheduler_is_heard()
        else:
            heard = any(not worker.problem for worker in operation.workers_alive())
        if not heard:
            raise CommandError(f"The {part} has sent no heartbeat lately.")
        self.stdout.write(f"The {part} is alive.")
