"""The product's web process with a database of its own and a small kitchen in it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.servers import PYTHON, ROOT, Server, free_port, manage, product_environment

SEED = """
import json, os
os.environ["DJANGO_SETTINGS_MODULE"] = "ladder.settings"
import django; django.setup()
from tests.ladder.api.conftest import make_kitchen, asker
kitchen = make_kitchen()
print(json.dumps({
    "token": asker(kitchen.alice).secret, "bot": kitchen.bot.pk, "rival": kitchen.rival.pk,
    "match": kitchen.match.pk, "trial": kitchen.trial.pk,
    "tournament": kitchen.tournament.pk, "spare": kitchen.spare.pk,
}))
"""
UNBOUND = {
    f"LADLE_MAX_{what}": "1000000"
    for what in ("BOTS_PER_USER", "UPLOADS_PER_DAY", "CHALLENGES_PER_DAY", "TRIALS_PER_DAY")
} | {"LADLE_RATE_ANONYMOUS": "1000000/min", "LADLE_RATE_USER": "1000000/min"}


@dataclass(frozen=True)
class LiveApi:
    url: str
    seeded: dict[str, Any]
    environment: dict[str, str]


@contextmanager
def live_api(folder: Path, *, threads: int = 4, **settings: str) -> Iterator[LiveApi]:
    environment = product_environment(folder / "var", **(UNBOUND | settings))
    manage(environment, "migrate", "-v0")
    seeded = subprocess.run(
        [sys.executable, "-c", SEED], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert seeded.returncode == 0, seeded.stderr
    port = free_port()
    argv = [PYTHON, "-m", "gunicorn", "ladder.wsgi", "--bind", f"127.0.0.1:{port}"]
    argv += ["--threads", str(threads), "--log-level", "warning"]
    server = Server(argv, port=port, environment=environment, log=folder / "web.log")
    server.start()
    try:
        yield LiveApi(f"http://127.0.0.1:{port}", json.loads(seeded.stdout), environment)
    finally:
        server.stop()
