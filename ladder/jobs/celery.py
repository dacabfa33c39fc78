"""The Celery app. `celery -A ladder.jobs.celery worker` runs matches."""

import sys
import warnings
from typing import Any

from celery import Celery
from celery.signals import celeryd_init, setup_logging

from ladder import environment

environment.load()

app = Celery("ladder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ladder.jobs"])


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Workers log as Django's settings say; Celery would put a level and a form of its own."""


@celeryd_init.connect
def refuse_without_broker(**_: Any) -> None:
    """A worker with messages in its own process alone would never hear of a match."""
    if app.conf.broker_url == "memory://":
        sys.exit("A worker needs Redis: set REDIS_URL, or start it with `make run`.")


# Messages carry no objects, and bots run as unprivileged users even when the worker is root.
warnings.filterwarnings("ignore", message=r"You're running the worker with superuser privileges")
