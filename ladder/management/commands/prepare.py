"""`manage.py prepare`: database, sandbox runtime, house bots and, by default, demo bots."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand

from ladder.operation import releases
from ladder.services import demo
from ladder.services.analyses import puzzles
from sandbox import available, place, runtime


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-demo", action="store_true", help="house bots only")

    def handle(self, *args: Any, no_demo: bool, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        releases.record()
        problem = available.missing()
        if problem:
            self.stderr.write(f"Matches will not be played: {problem}")
        else:
            runtime.ready()
            runtime.remove_old_trees()
        if shared := place.problem():
            self.stderr.write(f"{shared[0].upper()}{shared[1:]}.")
        demo.seat_house_bots()
        puzzles.add_stock()
        if not no_demo:
            demo.seat_demo_bots()
