"""Old replays are dropped by policy; what they proved stays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from ladder.models import Match, Play
from ladder.services import housekeeping
from tests.factories import make_match
from tests.ladder.queries.reading import rows_read
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db


def finished(kind: str, days_ago: int) -> Match:
    match = make_match(kind=kind)
    play_and_finish(match)
    finished_at = timezone.now() - timedelta(days=days_ago)
    Match.all_objects.filter(pk=match.pk).update(finished_at=finished_at)
    return match


def files_of(match: Match) -> list[str]:
    names = match.plays.values_list("replay", flat=True)
    return [name for name in names if name and default_storage.exists(name)]


def test_only_old_replays_of_the_ladder_and_trials_go(settings: Any) -> None:
    settings.KEEP_REPLAYS_DAYS = 30
    old, young = finished(Match.Kind.LADDER, 31), finished(Match.Kind.LADDER, 29)
    kept = finished(Match.Kind.CHALLENGE, 400)
    before = files_of(old)

    housekeeping.drop_old_replays()

    assert len(before) == len(files_of(young)) == len(files_of(kept)) == 2
    assert files_of(old) == []
    assert not any(default_storage.exists(name) for name in before)
    assert all(play.digest and play.places for play in old.plays.all())


def test_nothing_goes_unless_the_operator_says_so(settings: Any) -> None:
    match = finished(Match.Kind.LADDER, 10_000)

    housekeeping.drop_old_replays()

    assert settings.KEEP_REPLAYS_DAYS == 0
    assert len(files_of(match)) == 2


def test_a_long_history_is_walked_in_steps(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.KEEP_REPLAYS_DAYS = 30
    monkeypatch.setattr(housekeeping, "LOOKED_AT", 2)
    matches = [
        finished(kind, 40) for kind in (Match.Kind.CHALLENGE, Match.Kind.LADDER, Match.Kind.LADDER)
    ]

    assert housekeeping.drop_old_replays()
    assert [len(files_of(match)) for match in matches] == [2, 0, 2]
    assert not housekeeping.drop_old_replays()
    assert [len(files_of(match)) for match in matches] == [2, 0, 0]


def test_what_was_looked_at_is_not_read_again_however_much_it_is(settings: Any) -> None:
    settings.KEEP_REPLAYS_DAYS = 30
    finished(Match.Kind.LADDER, 400)
    assert not housekeeping.drop_old_replays()
    finished(Match.Kind.LADDER, 35)
    few = rows_read(housekeeping.drop_old_replays)

    old = Match.all_objects.order_by("pk")[0]
    for number in range(400):  # long ago, looked at: some without files, some kept for ever
        old.pk, old.kind = None, ("ladder", "challenge")[number % 2]
        old.finished_at -= timedelta(minutes=1)
        old.save()
        Play.objects.create(
            match=old, index=0, seating=[0, 1], places=[1, 2], points=[1, 0], reason="x",
            decisions=1, digest="0" * 64, replay="" if old.kind == "ladder" else "kept.json.gz",
        )  # fmt: skip
    due = finished(Match.Kind.LADDER, 34)

    assert rows_read(housekeeping.drop_old_replays) <= 1.2 * few
    assert files_of(due) == []


def test_many_that_ended_in_one_moment_are_all_dropped(settings: Any, monkeypatch: Any) -> None:
    settings.KEEP_REPLAYS_DAYS = 30
    monkeypatch.setattr(housekeeping, "LOOKED_AT", 2)
    matches = [finished(Match.Kind.LADDER, 40) for _ in range(5)]
    Match.all_objects.update(finished_at=timezone.now() - timedelta(days=40))

    while housekeeping.drop_old_replays():
        pass

    assert [files_of(match) for match in matches] == [[]] * 5


def test_pages_and_the_api_say_that_a_replay_was_dropped(settings: Any, client: Client) -> None:
    settings.KEEP_REPLAYS_DAYS = 30
    match = finished(Match.Kind.LADDER, 31)
    play = Play.objects.get(match=match, index=0)
    housekeeping.drop_old_replays()

    page = client.get(f"/matches/{match.pk}/")
    theatre = client.get(f"/matches/{match.pk}/plays/0/")
    told = client.get(f"/api/v1/matches/{match.pk}/plays/0/replay/")

    assert page.status_code == 200
    assert play.digest in page.content.decode()
    assert theatre.status_code == 410
    assert "no longer kept" in theatre.content.decode()
    assert (told.status_code, told.json()["code"]) == (410, "replay_dropped")
    assert housekeeping.verify_one() is None
