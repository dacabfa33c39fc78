"""A table of people and house bots: each person's browser is one more remote client."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from django.conf import settings

from engine.games import GAMES
from engine.match import Player
from engine.replay import Seating
from ladder.contract.people import Place
from ladder.contract.remote import Holder
from ladder.jobs import runner
from ladder.jobs.remote_table import JailedSeat, RemotePlayer, RemoteTable
from ladder.jobs.seat_clock import SeatClock
from ladder.models import Match, Sitting
from ladder.queries.remote import people as queries
from ladder.services.remote import people
from sandbox.program import Program


class PeopleTable(RemoteTable):
    """Plays with everybody on the seat that they took. It is not rated."""

    def _play(self) -> None:
        game = self.match.board.rules
        chairs, given, clocks = self._desk.do(_read, self.match)
        self.given = given
        with ExitStack() as stack:
            players: list[Player] = []
            for at, chair in enumerate(chairs):
                if chair.bot:
                    jailed = JailedSeat(_house(game.slug, chair.bot), self)
                    players.append(stack.enter_context(jailed))
                else:
                    clock = _clock(clocks.get(str(at), [0, 0]))
                    self.clocks[at] = clock
                    players.append(RemotePlayer(self, Holder(chair.person, True), clock))
            seating = [Seating(at, chair.name, 0, chair.sha256) for at, chair in enumerate(chairs)]
            played = self._to_the_end(game, players, seating)
        self._desk.do(people.finish, match=self.match, replay=played.replay)


def _clock(used: list[int]) -> SeatClock:
    return SeatClock(settings.PEOPLE_SECONDS * 1000, settings.PEOPLE_GRACE_SECONDS * 1000, *used)


def _read(match: Match) -> tuple[list[Place], list[Any], dict[str, Any]]:
    sitting = Sitting.objects.get(match=match)
    return queries.seated(match.pk), sitting.given, sitting.clocks


def _house(game: str, short: str) -> runner.Script:
    path = GAMES[game].house_bots()[short]
    program = Program(path.name, path.read_bytes())
    return runner.Script(0, queries.house_digest(game, short), program)
