"""A bot for which the machine always seems too slow: tried again, shown, and then at fault."""

import pytest

from engine import games
from engine.game import Limits
from ladder.jobs import worker
from ladder.models import Match
from ladder.queries.operation import starved_bots
from sandbox import scheduling
from tests.factories import make_bot, make_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.jail]

SLEEPER = "import time\ndef decide(view):\n    time.sleep(30)\n"


def test_a_bot_that_always_seems_starved_forfeits_instead_of_voiding(monkeypatch, settings):
    settings.MAX_ATTEMPTS = 3
    short = Limits(bank_ms=50, increment_ms=0, wall_factor=1, wall_extra_ms=100)
    monkeypatch.setattr(type(games.get("ramen_ramen")), "limits", short)
    monkeypatch.setattr(scheduling, "our_fault", lambda pid, early: "it seems starved")
    sleeper, honest = make_bot(source=SLEEPER), make_bot()
    match = make_match(sleeper, honest)

    shown = []
    for _ in range(settings.MAX_ATTEMPTS):
        assert worker.work_once()
        shown.append(starved_bots())
        Match.everything.update(retry_at=None)

    match = Match.everything.get(pk=match.pk)
    assert [attempt["slot"] for attempt in match.attempts] == [0, 0]
    assert shown == [[(sleeper, 1)], [(sleeper, 2)], [(sleeper, 2)]]
    assert match.status == Match.Status.FINISHED
    assert match.entries.get(bot=sleeper).faults == 2
    assert match.entries.get(bot=honest).faults == 0
