"""`manage.py alive scheduler`: exit 0 while the named part has been heard of lately."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from ladder.models import Lock, Worker


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("part", choices=["scheduler", "worker"])

    def handle(self, *args: Any, part: str, **options: Any) -> None:
        recent = timezone.now() - timedelta(seconds=30)
        if part == "scheduler":
            heard = Lock.objects.filter(name="scheduler", until__gte=recent).exists()
        else:
            heard = Worker.objects.alive().filter(problem="").exists()
        if not heard:
            raise CommandError(f"The {part} has not been heard of lately.")
        self.stdout.write(f"The {part} is alive.")
