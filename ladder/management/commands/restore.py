"""`manage.py restore FOLDER`: a backup in the place of what is there; stop the site first."""

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
            facts = backups.restore(folder)
        except (backups.BackupError, OSError) as error:
            raise CommandError(str(error)) from None
        figures = ", ".join(f"{name} {value}" for name, value in facts.items())
        self.stdout.write(f"Restored: {figures}")
