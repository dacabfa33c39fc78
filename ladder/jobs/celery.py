"""The Celery app. `celery -A ladder.jobs.celery worker` runs matches."""

import os
import warnings

from celery import Celery
from kombu.transport import TRANSPORT_ALIASES

TRANSPORT_ALIASES["ladle"] = "ladder.jobs.transport:Transport"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")

app = Celery("ladder")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["ladder.jobs"])

# Messages carry no objects, and bots run as users of no rights even when the worker is root.
warnings.filterwarnings("ignore", message=r"You're running the worker with superuser privileges")
