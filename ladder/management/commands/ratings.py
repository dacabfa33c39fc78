"""`manage.py ratings --verify` computes all ratings again and compares; `--refit` stores them."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ladder.boards import BOARDS
from ladder.services.rating import fitting, rating_log


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--verify", action="store_true", help="compare with the match log")
        parser.add_argument("--refit", action="store_true", help="rate every board again")

    def handle(self, *args: Any, verify: bool, refit: bool, **options: Any) -> None:
        if not (verify or refit):
            raise CommandError("Give --verify or --refit.")
        if refit:
            for board in BOARDS:
                fitting.rate(board, from_scratch=True)
            self.stdout.write(f"{len(BOARDS)} boards rated again.")
        if verify:
            differences = [one for board in BOARDS for one in rating_log.verify(board)]
            for one in differences:
                self.stdout.write(f"{one.where}: stored {one.stored}, computed {one.computed}")
            self.stdout.write(f"{len(differences)} differences on {len(BOARDS)} boards.")
            if differences:
                raise CommandError(
                    "The stored ratings differ from those computed from the match log."
                )
