"""An eighth format is one class: form, API, pages, scheduler and offline record know no more."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from django.test import Client

from ladder.models import Tournament
from ladder.services import tournaments
from ladder.tournaments import FORMATS, Event, Format, Option, Preview, Row, Table
from ladder.tournaments.record import verify
from ladder.tournaments.standings import Column, Results, rank
from tests.factories import make_user
from tests.ladder.tournaments.events import enter, make_tournament, play_out, started

pytestmark = pytest.mark.django_db


class Relay(Format):
    """Each plays the next seed, so many times round; nobody else has this."""

    name = "relay"
    title = "Relay"
    description = "Each plays the one seeded next, and the last plays the first."
    options = (Option("laps", 1, 0, 5, "laps to run", zero_means="just one"),)

    def _laps(self, options: Mapping[str, int] | None) -> int:
        return self.option(options, "laps") or 1

    def tables_due(self, event: Event) -> list[Table]:
        seeds = list(event.seeds)
        finished = event.score_at()
        for lap in range(1, self._laps(event.options) + 1):
            tables = [
                Table(lap, n, f"L{lap}-{n}", (seed, seeds[n % len(seeds)]))
                for n, seed in enumerate(seeds, 1)
            ]
            due = [
                table
                for table in map(event.without_withdrawn, tables)
                if table.entrants and (table.round, table.number) not in finished
            ]
            if due:
                return due
        return []

    def standings(self, event: Event) -> list[Row]:
        results = Results(event.seeds, event.finished)
        columns = [Column("points", results.points), Column("wins", results.wins)]
        return rank(columns, results.points, event.withdrawn)

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> Preview:
        laps = self._laps(options)
        return Preview(rounds=laps, matches=laps * entrants, note="no byes")


@pytest.fixture(autouse=True)
def _one_format_more(monkeypatch):
    monkeypatch.setitem(FORMATS, "relay", Relay())


def test_a_format_of_its_own_is_offered_played_shown_and_verified():
    alice = make_user("alice")
    client = Client()
    client.force_login(alice)

    assert "Relay" in client.get("/api/v1/boards/ramen_ramen/2/formats/").content.decode()
    assert "Laps to run; 0 means just one" in client.get("/tournaments/new/").content.decode()
    cup = make_tournament(alice, format="relay", format_options={"laps": 0})
    assert "just one" in client.get(f"/tournaments/{cup.pk}/").content.decode()
    bots = enter(cup, 4)
    started(cup)
    play_out(cup)

    assert cup.status == Tournament.Status.FINISHED
    page = client.get(f"/tournaments/{cup.pk}/").content.decode()
    assert all(bot.name in page for bot in bots)
    record = tournaments.as_record(cup)
    winner = cup.enrolments.get(seed=record["champion"]).bot.name
    assert winner in client.get("/tournaments/").content.decode()
    verify(json.loads(json.dumps(record)))
