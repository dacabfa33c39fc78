"""The Celery app. `celery -A ladder.jobs.celery worker` runs matches."""

import warnings
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from kombu.transport import TRANSPORT_ALIASES

from ladder import environment

TRANSPORT_ALIASES["ladle"] = "ladder.jobs.transport:Transport"
environment.load()

app = Celery("ladder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ladder.jobs"])


@setup_logging.connect
def keep_our_logging(**_: Any) -> None:
    """Workers log as Django's settings say; Celery would put a level and a form of its own."""


# Messages carry no objects, and bots run as unprivileged users even when the worker is root.
warnings.filterwarnings("ignore", message=r"You're running the worker with superuser privileges")
