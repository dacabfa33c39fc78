"""`manage.py backup FOLDER`: database and media into a new folder, while the site runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ladder.operation import backups


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        try:
            facts = backups.backup(folder)
        except (backups.BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        figures = ", ".join(f"{name} {value}" for name, value in facts.items())
        self.stdout.write(f"Saved: {figures}")
