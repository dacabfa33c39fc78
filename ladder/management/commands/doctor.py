"""`manage.py doctor`: looks at all that a deployment needs and says what to do."""

import sys
from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.management.base import BaseCommand, CommandError

from engine import games
from engine.match import play
from ladder.services import health, releases
from sandbox import available
from sandbox.errors import SandboxError
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import Program


class Command(BaseCommand):
    help = __doc__

    def handle(self, *args: Any, **options: Any) -> None:
        looked = {
            "settings": _settings,
            "database": health.database,
            "release": releases.mismatch,
            "broker": health.broker,
            "storage": health.storage,
            "disk": health.disk,
            "static files": health.static_files,
            "sandbox": _sandbox,
            "workers": health.workers,
            "scheduler": health.scheduler,
        }
        sick = 0
        for name, look in looked.items():
            problem = look()
            sick += bool(problem)
            self.stdout.write(f"{name:<13} {problem or 'ok'}")
            self.stdout.flush()
        if sick:
            raise CommandError(f"{sick} of {len(looked)} need your attention.")
        self.stdout.write(f"All {len(looked)} are well, on Python {sys.version.split()[0]}.")


def _settings() -> str:
    found = checks.run_checks(include_deployment_checks=not settings.DEBUG)
    return " ".join(message.msg for message in found if message.level >= checks.WARNING)


def _sandbox() -> str:
    """Not only whether it could: one play of two house bots in it."""
    if problem := available.missing():
        return problem
    game = games.get("ramen_ramen")
    bot = game.house_bots()["random"]
    try:
        with ExitStack() as stack:
            pool = stack.enter_context(Pool())
            players = [
                stack.enter_context(JailedPlayer(Program(bot.name, bot.read_bytes()), pool=pool))
                for _ in range(2)
            ]
            played = play(game, players, seed=1)
    except (SandboxError, OSError) as error:
        return f"A play in the sandbox failed: {error}"
    return next((fault.sentence for fault in played.faults.values()), "")
