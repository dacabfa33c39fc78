"""`manage.py doctor`: looks at all that a deployment needs and says what to do."""

import sys
from typing import Any

from django.conf import settings
from django.core import checks
from django.core.management.base import BaseCommand, CommandError

from engine import games
from engine.match import play
from ladder.operation import health, releases
from sandbox import available, place
from sandbox.errors import SandboxError
from sandbox.languages import LANGUAGES
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
            "independence": _independence,
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


def _independence() -> str:
    """Of this machine, and of the workers elsewhere."""
    problem = place.problem()
    return f"{problem[0].upper()}{problem[1:]}." if problem else health.independence()


def _sandbox() -> str:
    """Not only whether it could: one play in it for each language, of its probe with itself."""
    if problem := available.missing():
        return problem
    game = games.get("ramen_ramen")
    for language in LANGUAGES:
        try:
            bot = Program(f"bot{language.suffix}", language.probe())
            with (
                Pool() as pool,
                JailedPlayer(bot, pool=pool) as one,
                JailedPlayer(bot, pool=pool) as other,
            ):
                faults = play(game, [one, other], seed=1).faults
        except (SandboxError, OSError, ImportError) as error:
            return f"A play of a bot in {language.name} failed: {error}"
        for fault in faults.values():
            return f"A bot in {language.name} failed: {fault.sentence}"
    return ""
