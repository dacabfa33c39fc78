"""What Celery's own tools show of a worker: the match it plays, not an empty task."""

from typing import Any

from celery.worker.request import Request
from django.db import Error as DatabaseProblem
from django.utils import timezone

from ladder.models import Match


class WorkRequest(Request):
    """A running task shown with its match, for `celery inspect active` and Flower."""

    def info(self, safe: bool = False) -> dict[str, Any]:
        return super().info(safe) | {"kwargs": _playing(self.worker_pid)}


def _playing(pid: int | None) -> dict[str, Any]:
    from ladder.jobs import worker

    try:
        with worker.no_connection_afterwards():
            match = Match.all_objects.running().filter(worker=worker.name(pid)).first()
    except DatabaseProblem:
        return {}
    if match is None:
        return {}
    began = match.started_at or timezone.now()
    return {
        "match": match.pk,
        "kind": match.kind,
        "board": str(match.board),
        "attempt": match.attempt,
        "seconds": round((timezone.now() - began).total_seconds(), 1),
    }
