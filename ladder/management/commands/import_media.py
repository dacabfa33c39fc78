"""`manage.py import_media FOLDER`: copy a media folder to where this site keeps its files."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.files import File
from django.core.files.storage import default_storage
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path)

    def handle(self, *args: Any, folder: Path, **options: Any) -> None:
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder.")
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        taken = 0
        for path in paths:
            name = path.relative_to(folder).as_posix()
            if path.name.startswith(".draft-") or default_storage.exists(name):
                continue
            with path.open("rb") as file:
                default_storage.save(name, File(file))
            taken += 1
        self.stdout.write(f"{taken} of {len(paths)} files taken; the others are here already.")
