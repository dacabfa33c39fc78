"""A bot for which the machine always seems too slow: tried again, shown, and then at fault."""

import pytest
from django.utils import timezone

from engine import games
from engine.game import Limits
from ladder.jobs import worker
from ladder.models import Match
from ladder.queries.operation import starved_bots
from sandbox.verdict import scheduling
from tests.factories import make_bot, make_match, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.jail]

SLEEPER = "import time\ndef decide(view):\n    time.sleep(30)\n"


@pytest.fixture(autouse=True)
def slow_machine(monkeypatch):
    short = Limits(bank_ms=50, increment_ms=0, wall_factor=1, wall_extra_ms=100)
    monkeypatch.setattr(type(games.get("ramen_ramen")), "limits", short)
    monkeypatch.setattr(worker, "breaker", worker.Breaker())  # other tests fail matches too
    monkeypatch.setattr(scheduling, "delay_ns", lambda pid, cpu_ns: 10**15)


def test_a_bot_that_always_seems_starved_forfeits_instead_of_voiding(settings):
    settings.MAX_ATTEMPTS = 3
    sleeper, honest = make_bot(source=SLEEPER), make_bot()
    match = make_match(sleeper, honest)

    shown = []
    for _ in range(settings.MAX_ATTEMPTS):
        assert worker.work_once()
        shown.append(starved_bots())
        Match.all_objects.update(retry_at=None)

    match = Match.all_objects.get(pk=match.pk)
    assert [attempt["slot"] for attempt in match.attempts] == [0, 0]
    assert shown == [[(sleeper.pk, sleeper.name, count)] for count in (1, 2, 2)]
    assert match.status == Match.Status.FINISHED
    assert match.entries.get(bot=sleeper).faults == 2
    assert match.entries.get(bot=honest).faults == 0
    for bot, discarded in ((sleeper, 2), (honest, 0)):
        assert bot.versions.get().discarded_attempts == discarded


def test_the_owner_and_operators_see_how_many_attempts_were_discarded(client, settings):
    settings.MAX_ATTEMPTS = 3
    sleeper = make_bot(source=SLEEPER)
    make_match(sleeper, make_bot())
    assert worker.work_once()

    def page():
        return client.get(f"/bots/{sleeper.pk}/").content.decode()

    assert "attempt discarded" not in " ".join(page().split())
    client.force_login(sleeper.owner)
    assert "1 attempt discarded" in " ".join(page().split())
    client.force_login(make_user(is_staff=True))
    assert "1 attempt discarded" in " ".join(page().split())


@pytest.mark.parametrize(("earlier", "attempts"), [(4, 2), (3, 3)])
def test_a_bot_that_often_seems_starved_forfeits_at_the_second_attempt(settings, earlier, attempts):
    settings.MAX_ATTEMPTS = 3
    sleeper, honest = make_bot(source=SLEEPER), make_bot()
    for number in range(19):
        past = make_match(honest, sleeper)
        waited = [{"attempt": 1, "slot": 1}] if number < earlier else []
        Match.all_objects.filter(pk=past.pk).update(
            status=Match.Status.FINISHED, finished_at=timezone.now(), attempts=waited
        )
    match = make_match(sleeper, honest)

    tries = 0
    while Match.all_objects.get(pk=match.pk).status != Match.Status.FINISHED:
        assert worker.work_once()
        tries += 1
        Match.all_objects.update(retry_at=None)

    assert tries == attempts
    assert match.entries.get(bot=sleeper).faults == 2
