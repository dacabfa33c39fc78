"""Which plays begin with caches that have forgotten the play before."""

import pytest

from ladder.jobs import worker
from ladder.models import Match
from sandbox import caches
from tests.factories import make_bot, make_match

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.jail]


@pytest.mark.parametrize(
    ("kind", "sweeps"),
    [(Match.Kind.LADDER, 1), (Match.Kind.TRIAL, 1), (Match.Kind.CHALLENGE, 0)],
)
def test_matches_that_count_sweep_the_caches_between_their_plays(monkeypatch, kind, sweeps):
    monkeypatch.setattr(worker, "breaker", worker.Breaker())  # other tests fail matches too
    swept = []
    match = make_match(make_bot(), make_bot())
    Match.all_objects.filter(pk=match.pk).update(kind=kind)
    monkeypatch.setattr(caches, "sweep", lambda: swept.append(kind))

    assert worker.work_once()

    match = Match.all_objects.get(pk=match.pk)
    assert (match.status, match.plays.count()) == (Match.Status.FINISHED, 2)
    assert len(swept) == sweeps
