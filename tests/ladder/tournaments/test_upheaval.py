"""Whoever leaves whenever, whatever fails: a tournament ends, and its record holds."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Match, Play, Tournament
from ladder.services import matches, tournaments
from ladder.tournaments.record import verify
from tests.ladder.tournaments.events import enter, make_tournament, started, waiting

pytestmark = pytest.mark.django_db

DUEL, TRIO = Board("ramen_ramen", 2), Board("ramen_ramen", 3)
KINDS = [
    ("round_robin", DUEL),
    ("swiss", DUEL),
    ("single_elimination", DUEL),
    ("double_elimination", DUEL),
    ("gauntlet", DUEL),
    ("groups", DUEL),
    ("groups", TRIO),
    ("pods", TRIO),
]


def finish_at_random(match: Match, rng: Random) -> None:
    """A result out of nothing, level places included: quicker than a play."""
    seats = range(match.entries.count())
    for index in seats:
        places = [rng.randint(1, len(seats)) for _ in seats]
        Play.objects.create(
            match=match,
            index=index,
            seating=[(seat + index) % len(seats) for seat in seats],
            places=places,
            points=[rng.randint(0, 9) for _ in seats],
            reason="dice",
            decisions=0,
            digest="",
        )
    Match.objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, finished_at=timezone.now()
    )


def fail_long_ago(match: Match) -> None:
    matches.void(match, "the lights went out")
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(hours=1))


def run_wildly(tournament: Tournament, rng: Random) -> None:
    for _ in range(400):
        queued = waiting(tournament)
        rng.shuffle(queued)
        for match in queued[: rng.randint(1, 4)]:
            if rng.random() < 0.1:
                fail_long_ago(match)
            else:
                finish_at_random(match, rng)
        if rng.random() < 0.15:
            leave_somebody(tournament, rng)
        tournaments.advance_all()
        tournament.refresh_from_db()
        if tournament.is_over:
            return
        verify(json.loads(json.dumps(tournaments.as_record(tournament))))
    raise AssertionError("it never ended")


def leave_somebody(tournament: Tournament, rng: Random) -> None:
    left = list(tournament.enrolments.taking_part().select_related("bot__owner"))
    if len(left) > 1:
        bot = rng.choice(left).bot
        tournaments.withdraw(tournament=tournament, bot=bot, by=bot.owner)


@pytest.mark.parametrize("luck", range(3))
@pytest.mark.parametrize(("format", "board"), KINDS, ids=[f"{f}-{b.seats}" for f, b in KINDS])
def test_a_tournament_in_upheaval_ends_and_its_record_holds_at_every_moment(format, board, luck):
    rng = Random(f"{format} {luck}")
    tournament = make_tournament(board=board, format=format, sets=rng.randint(1, 2))
    enter(tournament, rng.randint(3, 9))
    started(tournament)

    run_wildly(tournament, rng)

    assert tournament.status == Tournament.Status.FINISHED
    assert not Match.objects.open().filter(pairing__tournament=tournament).exists()
    assert "all from the secret" in verify(tournaments.as_record(tournament))
