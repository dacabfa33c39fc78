"""`manage.py datasets` makes the datasets of every day and month that is over and not sealed yet.

The scheduler starts it after midnight (UTC). `--day` makes one day again, today as it stands too.
"""

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ladder.errors import LadderError
from ladder.services import datasets


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--day", metavar="YYYY-MM-DD", help="rebuild this day")
        parser.add_argument("--month", metavar="YYYY-MM", help="rebuild this month's replays")

    def handle(self, *args: Any, day: str | None, month: str | None, **options: Any) -> None:
        try:
            if day is None and month is None:
                made = datasets.seal_due()
            else:
                made = datasets.make_day(_day(day)) if day is not None else []
                made += datasets.make_month(_day(f"{month}-01")) if month is not None else []
        except LadderError as error:
            raise CommandError(str(error)) from None
        for row in made:
            state = "sealed" if row.is_sealed else "not complete yet"
            size = sum(file["size"] for file in row.files)
            self.stdout.write(
                f"{row}: {row.matches:,} matches, {row.plays:,} plays,"
                f" {row.decisions:,} decisions, {size:,} bytes, {state}"
            )
        if not made:
            self.stdout.write("Nothing to do: no day that is over lacks its datasets.")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise CommandError(f"'{text}' is not a date: write it as 2026-11-17.") from None
