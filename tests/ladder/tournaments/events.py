"""Tournaments for tests, and playing them out in this process."""

from __future__ import annotations

from typing import Any

from ladder.boards import Board
from ladder.models import Bot, Match, Tournament, User
from ladder.services import tournaments
from tests.factories import DUEL, make_bot, make_user
from tests.local_play import play_and_finish


def make_tournament(
    organiser: User | None = None, *, board: Board = DUEL, format: str = "swiss", **fields: Any
) -> Tournament:
    return tournaments.create(
        by=organiser or make_user(),
        board=board,
        name=fields.pop("name", "Noodle Cup"),
        format=format,
        **fields,
    )


def enter(tournament: Tournament, count: int) -> list[Bot]:
    """So many new bots, each of an owner of its own."""
    seats = sorted({*range(2, tournament.seats + 1), tournament.seats})
    bots = [make_bot(game=tournament.game, seat_counts=seats) for _ in range(count)]
    for bot in bots:
        tournaments.enrol(tournament=tournament, bot=bot, by=bot.owner)
    return bots


def started(tournament: Tournament) -> Tournament:
    return tournaments.start(tournament=tournament, by=tournament.organiser)


def waiting(tournament: Tournament) -> list[Match]:
    return list(Match.objects.waiting().filter(pairing__tournament=tournament).order_by("pk"))


def play_waiting(tournament: Tournament) -> int:
    """Play all that is queued now, and move on."""
    queued = waiting(tournament)
    for match in queued:
        play_and_finish(match)
    tournaments.advance_all()
    return len(queued)


def play_out(tournament: Tournament) -> Tournament:
    for _ in range(200):
        if not play_waiting(tournament):
            break
    tournament.refresh_from_db()
    return tournament
