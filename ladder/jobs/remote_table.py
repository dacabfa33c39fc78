"""One table with remote seats: a thread that runs the engine's play loop unchanged.

A table is its seed and the answers given. Setting it up again is playing it again with the
recorded answers; jailed bots are asked again, so that they know what they knew, but only the
record counts. Starting and going on after a crash are the same path.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Protocol, TypeVar

import structlog
from django.conf import settings
from django.db import Error as DatabaseProblem

from engine import wire
from engine.arena import Entry, SetPlay, copies, plan
from engine.game import Game, Result
from engine.match import Answer, Fault, Played, Player, Question, play
from engine.outcome import FaultKind
from engine.replay import Seating
from ladder.contract.remote import Holder
from ladder.jobs import runner
from ladder.jobs.seat_clock import SeatClock
from ladder.models import Line, Match, RemoteBot, Sitting, Version
from ladder.models.match import Seated
from ladder.services import matches
from ladder.services.matches import Record, Usage
from ladder.services.remote import tables
from ladder.services.remote.tables import Ending, NotOurs
from sandbox.errors import SandboxError
from sandbox.table import Tablemates

log = structlog.get_logger(__name__)
T = TypeVar("T")

USED_UP = "the bot used up its time for this play"
AWAY = "the bot was away for longer than a play allows"


class Desk(Protocol):
    """Where tables read and write: a few connections for all of them."""

    def do(self, verb: Callable[..., T], *arguments: Any, **named: Any) -> T: ...


class RemoteTable(threading.Thread):
    """Plays one claimed match to its end, or until it is no longer ours."""

    def __init__(self, match: Match, desk: Desk) -> None:
        super().__init__(name=f"table {match.pk}", daemon=True)
        self.match = match
        self._desk = desk
        self.given: list[Any] = []
        self._at = 0  # how many of the recorded answers were fed
        self.clocks: dict[int, SeatClock] = {}
        self.asked: RemotePlayer | None = None  # who is waited for
        self.line = ""  # and for which decision
        self._reply: Answer | Fault | None = None
        self._has_news = threading.Event()
        self._is_lost = False
        self._names: list[str] = []  # by seat
        self.jails = Tablemates(self._beat)

    def drop(self) -> None:
        """The match is no longer ours: end as soon as possible, and store nothing."""
        self._is_lost = True
        self._has_news.set()

    def reply(self, line: str, reply: Answer | Fault) -> None:
        """The keeper has seen what became of the decision."""
        if line == self.line:
            self._reply = reply
            self._has_news.set()

    def saved_clocks(self) -> dict[str, list[int]]:
        return {
            str(seat): [clock.budget_used_ms, clock.grace_used_ms]
            for seat, clock in self.clocks.items()
        }

    def run(self) -> None:
        with structlog.contextvars.bound_contextvars(match=self.match.pk):
            try:
                self._play()
                log.info("remote match finished", decisions=len(self.given))
            except (NotOurs, runner.CalledOff):
                log.info("remote match is no longer ours")
            except DatabaseProblem as error:
                # Its lease lapses, and it is set up again.
                log.warning("remote match left for later", error=str(error))
            except (SandboxError, OSError) as error:
                self._fail(f"{type(error).__name__}: {error}")
            except Exception as error:
                log.exception("remote match broke")
                self._fail(f"{type(error).__name__}: {error}")

    def _fail(self, why: str) -> None:
        try:
            self._desk.do(matches.fail, self.match, why)
        except DatabaseProblem as error:
            log.warning("remote match left for later", error=str(error))

    def _beat(self) -> None:
        if self._is_lost:
            raise runner.CalledOff

    def _play(self) -> None:
        """Play the match to its end, and store what came of it."""
        match, game = self.match, self.match.board.rules
        assert match.seed is not None
        seats, sitting, remotes = self._desk.do(_read, match)
        self.given = sitting.given
        # One play: a bot outside the sandbox remembers, and would know the luck of a second one.
        seating = plan(game, match.seats, len(seats), match.seed)[0]
        sides = game.sides(match.seats)
        per_side = copies(game, match.seats)
        with ExitStack() as stack:
            teams: list[list[Player]] = []
            for seat in seats:
                remote = remotes.get(seat.bot)
                if remote is None:
                    script = self._desk.do(runner.script, seat.version)
                    jailed = [JailedSeat(script, self) for _ in range(per_side)]
                    teams.append([stack.enter_context(player) for player in jailed])
                else:
                    teams.append(
                        [
                            RemotePlayer(self, Holder(remote.pk), _clock(remote, [0, 0]))
                            for _ in range(per_side)
                        ]
                    )
            entries = [
                Entry(team, seat.name, seat.number, sha256)
                for team, seat, sha256 in zip(teams, seats, _hashes(self._desk, seats), strict=True)
            ]
            players = [
                teams[entry][sides[:at].count(sides[at])] for at, entry in enumerate(seating)
            ]
            for at, player in enumerate(players):
                if isinstance(player, RemotePlayer):
                    used = sitting.clocks.get(str(at), [0, 0])
                    self.clocks[at] = player.clock = _clock(remotes[player.holder.id], used)
            chairs = [entries[entry].seating(at) for at, entry in enumerate(seating)]
            played = self._to_the_end(game, players, chairs)
        record = Record(
            plays=[SetPlay(tuple(seating), played)],
            usage=[_usage(team) for team in teams],
            seated=seats,
        )
        self._desk.do(matches.finish, match, record)

    def _to_the_end(
        self, game: Game, players: Sequence[Player], seating: Sequence[Seating]
    ) -> Played:
        """Run the engine's loop, and write the last lines of those outside the sandbox."""
        match = self.match
        assert match.seed is not None
        self._names = [chair.bot for chair in seating]
        played = play(
            game,
            players,
            seed=match.seed,
            options=match.options,
            seating=seating,
            match=str(match.pk),
        )
        self._beat()
        endings = [
            Ending(player.holder, at, self._last_line(at, played))
            for at, player in enumerate(players)
            if isinstance(player, RemotePlayer)
        ]
        self._desk.do(tables.end_play, match, self.given, self.saved_clocks(), endings)
        return played

    def _last_line(self, seat: int, played: Played) -> dict[str, Any]:
        assert played.replay.result is not None
        fault = played.faults.get(seat)
        told = {"kind": fault.kind, "sentence": fault.sentence} if fault else None
        return wire.end(played.replay.result) | {
            "play": self.match.pk,
            "seat": seat,
            "fault": told,
        }

    def recorded(self, seat: int) -> Answer | Fault | None:
        """The answer given before a restart to the question that is asked now."""
        if self._at >= len(self.given):
            return None
        entry = self.given[self._at]
        self._at += 1
        if entry[0] != seat:
            raise RuntimeError(f"the record has seat {entry[0]} where seat {seat} is asked")
        if entry[1] is None:
            return Fault(FaultKind(entry[2]), entry[3], entry[4])
        return Answer(entry[1], entry[2])

    def record(self, seat: int, answer: Answer | Fault) -> None:
        if isinstance(answer, Fault):
            self.given.append([seat, None, str(answer.kind), answer.sentence, answer.detail])
        else:
            self.given.append([seat, answer.action, answer.cpu_us])
        self._at = len(self.given)

    def ask(self, player: RemotePlayer, question: Question) -> Answer | Fault:
        """Write the question down and wait; jailed bots at this table stand still meanwhile."""
        self._beat()
        clock = player.clock
        body = wire.decide(question, id="", cpu_left_ms=clock.budget_left_ms)
        body |= {"play": self.match.pk, "grace_left_ms": clock.grace_left_ms}
        body |= {"players": self._names, "start": player.line}
        self._has_news.clear()
        self._reply = None
        opened = self._desk.do(
            tables.open_line,
            self.match,
            holder=player.holder,
            seat=question.seat,
            body=body,
            given=self.given,
            clocks=self.saved_clocks(),
        )
        if opened.state == Line.State.EXPIRED:
            return self.used_up(clock)
        if opened.state != Line.State.OPEN:
            return Answer(opened.action)
        self.line, self.asked = opened.id, player
        with self.jails.only(None):
            while self._reply is None and not self._is_lost:
                self._has_news.wait()
                self._has_news.clear()
        self.line, self.asked = "", None
        self._beat()
        assert self._reply is not None
        return self._reply

    @staticmethod
    def used_up(clock: SeatClock) -> Fault:
        return Fault(FaultKind.TIMEOUT, USED_UP if clock.grace_left_ms else AWAY)


class RemotePlayer:
    """A seat held over the network: `decide` writes a row and waits for its answer."""

    def __init__(self, table: RemoteTable, holder: Holder, clock: SeatClock) -> None:
        self._table = table
        self.holder = holder
        self.clock = clock
        self.line: dict[str, Any] = {}

    def start(
        self, *, game: Game, seat: int, seats: int, options: Mapping[str, Any], luck: int
    ) -> None:
        line = wire.start(seat=seat, seats=seats, options=options, luck=luck)
        self.line = line | {"protocol": wire.PROTOCOL, "game": game.slug}

    def decide(self, question: Question) -> Answer | Fault:
        answer = self._table.recorded(question.seat)
        if answer is None:
            answer = self._table.ask(self, question)
            self._table.record(question.seat, answer)
        return answer

    def end(self, result: Result) -> None:
        """Reported by the table, which knows faults too."""


class JailedSeat(runner.CountedPlayer):
    """A sandboxed bot at a table with remote ones: what it answered once is what counts."""

    def __init__(self, script: runner.Script, table: RemoteTable) -> None:
        super().__init__(script, table.jails)
        self._remote_table = table

    def decide(self, question: Question) -> Answer | Fault:
        recorded = self._remote_table.recorded(question.seat)
        answer = super().decide(question)
        if recorded is not None:
            return recorded
        self._remote_table.record(question.seat, answer)
        return answer


def _clock(remote: RemoteBot, used: list[int]) -> SeatClock:
    budget_s, grace_s = settings.TEMPO_SECONDS[remote.tempo], settings.REMOTE_GRACE_SECONDS
    return SeatClock(budget_s * 1000, grace_s * 1000, *used)


def _read(match: Match) -> tuple[list[Seated], Sitting, dict[int, RemoteBot]]:
    seats = match.seated()
    remotes = RemoteBot.objects.filter(bot__in=[seat.bot for seat in seats])
    return seats, Sitting.objects.get(pk=match.pk), {remote.pk: remote for remote in remotes}


def _hashes(desk: Desk, seats: list[Seated]) -> list[str]:
    def read() -> dict[int, str]:
        chosen = Version.objects.filter(pk__in=[seat.version for seat in seats])
        return dict(chosen.values_list("pk", "sha256"))

    known = desk.do(read)
    return [known[seat.version] for seat in seats]


def _usage(team: list[Player]) -> Usage:
    jailed = [player for player in team if isinstance(player, JailedSeat)]
    return runner.usage(jailed) if jailed else Usage()
