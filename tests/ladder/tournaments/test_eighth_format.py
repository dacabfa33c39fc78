"""An eighth format is one class, also a bracket: form, API, pages and scheduler know no more."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

import pytest
from django.test import Client

from ladder.models import Tournament
from ladder.services import tournaments
from ladder.tournaments import FORMATS, Event, Format, Option, Preview, Row, Table
from ladder.tournaments.bracket import (
    SETS,
    Bracketed,
    Filled,
    Node,
    Part,
    Source,
    Take,
    fill,
)
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


class Stepladder(Bracketed):
    """The two lowest meet, and the winner meets the next above, up to the favourite."""

    name = "stepladder"
    title = "Stepladder"
    description = "The lowest seeds meet first, and each winner meets the seed above."
    options = (SETS,)

    def bracket(self, event: Event) -> dict[str, Filled]:
        nodes: list[Node] = []
        climber = Source(Take.SEED, seed=event.entrants)
        for number, seed in enumerate(reversed(range(1, event.entrants)), 1):
            part = Part.FINAL if seed == 1 else Part.WINNERS
            pair = (climber, Source(Take.SEED, seed=seed))
            nodes.append(Node(f"Rung {seed}", number, 1, part, pair))
            climber = Source(Take.WINNER, label=nodes[-1].label)
        return fill(nodes, event, self.option(event.options, "sets"))

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> Preview:
        return Preview(rounds=entrants - 1, matches=entrants - 1, note="no byes")


@pytest.fixture(autouse=True)
def _two_formats_more(monkeypatch):
    monkeypatch.setitem(FORMATS, "relay", Relay())
    monkeypatch.setitem(FORMATS, "stepladder", Stepladder())


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


def test_a_bracket_of_its_own_is_drawn_whatever_its_tables_are_called():
    alice = make_user("alice")
    client = Client()
    client.force_login(alice)
    cup = make_tournament(alice, format="stepladder")
    enter(cup, 4)
    started(cup)
    play_out(cup)

    page = client.get(f"/tournaments/{cup.pk}/").content.decode()

    assert cup.status == Tournament.Status.FINISHED
    drawn = page[page.index('<svg class="bracket"') :]
    boxes = re.findall(r'<title>(Rung \d): .*?<rect class="box" x="(\d+)"', drawn, re.DOTALL)[:3]
    assert [label for label, _ in boxes] == ["Rung 3", "Rung 2", "Rung 1"]
    across = [int(x) for _, x in boxes]
    assert across == sorted(set(across))  # each rung stands to the right of the one below
    record = tournaments.as_record(cup)
    verify(json.loads(json.dumps(record)))
    answer = client.get(f"/api/v1/tournaments/{cup.pk}/").json()
    assert (answer["format"], answer["status"]) == ("stepladder", "finished")
