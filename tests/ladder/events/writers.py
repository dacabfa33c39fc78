"""Many writers of events at once, and a reader that follows them by its cursor.

Run as a program of its own, on the database of DATABASE_URL.
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time

from django.core.management import call_command
from django.db import connection, transaction

WRITERS, EACH = 8, 60


def main() -> None:
    from ladder.contract.events import Facts, Kind
    from ladder.models import Event, Progress
    from ladder.services.events.outbox import Draft, record

    call_command("migrate", verbosity=0)
    over = threading.Event()
    read: list[int] = []

    def write(writer: int) -> None:
        rng = random.Random(writer)
        for number in range(EACH):
            with transaction.atomic():
                Progress.objects.create(
                    name=f"{writer} {number}", finished_at="2026-01-01T00:00Z", match=number
                )
                time.sleep(rng.random() / 100)
                facts = Facts(reason=f"{writer}:{number}")
                record([Draft(Kind.OPERATOR_ACTED, facts) for _ in range(rng.randint(1, 3))])
                time.sleep(rng.random() / 500)  # the commit of an earlier id may come later
        connection.close()

    def follow() -> None:
        last = 0
        while True:
            is_last = over.is_set()
            for pk in Event.objects.after(last).values_list("pk", flat=True)[:50]:
                read.append(pk)
                last = pk
            if is_last and not Event.objects.after(last).exists():
                connection.close()
                return

    reader = threading.Thread(target=follow)
    reader.start()
    threads = [threading.Thread(target=write, args=[writer]) for writer in range(WRITERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    over.set()
    reader.join()
    written = set(Event.objects.values_list("pk", flat=True))
    facts = {
        "written": len(written),
        "missed": len(written - set(read)),
        "doubled": len(read) - len(set(read)),
        "causes": Progress.objects.count(),
    }
    sys.stdout.write(json.dumps(facts))
