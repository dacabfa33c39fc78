"""The questions of the rooms inside ladder/queries, and rows for them to be asked about."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.utils import timezone

from engine.replay import Replay
from ladder.boards import Board
from ladder.contract.datasets import DatasetFilter
from ladder.contract.people import DailyFilter
from ladder.contract.remote import Holder
from ladder.contract.study.puzzles import PuzzleFilter
from ladder.models import (
    Bot,
    DailyDeal,
    Dataset,
    Line,
    Match,
    OpenRating,
    Person,
    Play,
    Puzzle,
    RemoteBot,
    SharedTable,
    Sitting,
    StreamProcess,
    User,
)
from ladder.queries import bots, daily, datasets, leagues, own_data, publishing, remote
from ladder.queries.analyses import explorer, puzzles
from ladder.queries.remote import people, playing, standings
from tests.factories import make_bot, make_match

BOARD = Board("ramen_ramen", 2)
SEAT = "ladleseat_secret"


def make_rooms(owner: User, pair: list[Bot]) -> None:
    """A remote bot and a person in the middle of a play, a puzzle, a daily deal and a dataset."""
    now = timezone.now()
    StreamProcess.objects.create(name="stream", seen_at=now)
    one, other = pair
    version = other.active_version
    assert version is not None
    holder = RemoteBot.objects.create(bot=other, version=version)
    OpenRating.objects.create(
        game=BOARD.game,
        seats=BOARD.seats,
        bot=other,
        version=version,
        is_remote=True,
        is_provisional=False,
        **dict.fromkeys(("milli", "low_milli", "high_milli"), 1_500_000),
        **dict.fromkeys(("fair_milli", "fair_low_milli", "fair_high_milli"), 1_500_000),
    )
    match = make_match(one, other, kind=Match.Kind.REMOTE)
    lease = {"started_at": now, "lease_until": now + timedelta(hours=1), "worker": "w"}
    Match.objects.filter(pk=match.pk).update(status=Match.Status.RUNNING, **lease)
    sitting = Sitting.objects.create(match=match)
    table = SharedTable.objects.create(
        key="table", game=BOARD.game, places=["", "greedy"], match=match
    )
    person = Person.objects.create(
        table=table, seat=0, name="Ann", digest=Person.digest_of(SEAT), user=owner
    )
    asked = {"sitting": sitting, "type": Line.Type.DECIDE, "opened_at": now}
    Line.objects.create(id="first", number=0, seat=0, person=person, note="soup", **asked)
    Line.objects.create(id="second", number=1, seat=1, remote=holder, **asked)
    make_bot(owner, is_house=True, house_slug="greedy")
    opening = {"asked": {"choices": []}}
    Puzzle.objects.create(
        key="puzzle",
        game=BOARD.game,
        seats=BOARD.seats,
        play=Play.objects.first(),
        step=1,
        seat=0,
        kind="Play",
        options=2,
        gap=1,
        error=1,
        content=gzip.compress(
            json.dumps(
                {"opening": opening, "view": {}, "text": "", "grades": [], "reason": ""}
            ).encode()
        ),
    )
    DailyDeal.objects.create(
        day=now.date(), game=BOARD.game, seats=BOARD.seats, seed=1, rival="greedy"
    )
    counted = ("matches", "plays", "decisions", "replays", "missing_replays")
    Dataset.objects.create(
        game=BOARD.game,
        seats=BOARD.seats,
        period="2026-11-17",
        is_sealed=True,
        engine="",
        rules_versions=[1],
        files=[],
        **dict.fromkeys(counted, 0),
    )


def questions() -> dict[str, Callable[[], Any]]:
    one, other = Bot.objects.order_by("pk")[:2]
    user = User.objects.get(username="alice")
    shown = bots.find(one.pk, user)
    match, table, person = (
        model.objects.values_list("pk", flat=True)[0] for model in (Sitting, SharedTable, Person)
    )
    puzzle, deal, dataset = (
        model.objects.values_list("pk", flat=True)[0] for model in (Puzzle, DailyDeal, Dataset)
    )
    holders = [Holder(other.pk), Holder(person, True)]
    replay = Replay(BOARD.game, BOARD.seats, 1, {}, 1, "", 0, (), [], None)
    today, now = timezone.now().date(), timezone.now()
    return {
        "puzzles of a game": lambda: puzzles.page(PuzzleFilter(game=BOARD.game), None, 30),
        "a puzzle": lambda: (puzzles.show(puzzle, user.pk), puzzles.detail(puzzle)),
        "a puzzle in words": lambda: puzzles.text_of(puzzle),
        "a solver": lambda: (puzzles.solver(user.pk), puzzles.answered_among(user.pk, [puzzle])),
        "top versions": lambda: explorer.top_versions(BOARD),
        "deals": lambda: daily.page(DailyFilter(), None, 30),
        "deals of a game": lambda: daily.page(DailyFilter(game=BOARD.game), None, 30),
        "a deal": lambda: (daily.detail(deal), daily.count(deal)),
        "datasets": lambda: datasets.page(DatasetFilter(), None, 30),
        "datasets of a period": lambda: datasets.page(DatasetFilter(period="2026-11"), None, 30),
        "a dataset": lambda: (datasets.find(dataset), datasets.file_of(dataset, "plays.parquet")),
        "a day to seal": lambda: (datasets.due_day(), datasets.is_over(today - timedelta(days=1))),
        "what was played in a day": lambda: next(
            datasets.played(now - timedelta(days=1), now), None
        ),
        "a league": lambda: leagues.of_bot(shown, BOARD, None),
        "best beaten": lambda: leagues.best_beaten(BOARD, leagues.bosses(BOARD), [one.pk]),
        "divisions": lambda: leagues.divisions(leagues.bosses(BOARD), []),
        "one's own data": lambda: own_data.archive(user.pk, "").close(),
        "publishers": lambda: publishing.of_bot(one.pk),
        "a remote bot": lambda: (remote.find(other.pk), remote.under_way(other.pk)),
        "a seat by its token": lambda: (remote.seat_of(SEAT), remote.seat_of("ladlebot_x")),
        "where decisions stand": lambda: remote.asked(["first", "second"]),
        "who is there": lambda: (remote.attendance(holders), remote.admitted(holders)),
        "open lines": lambda: remote.open_lines(holders),
        "a room": lambda: (people.room("table"), people.chair(SEAT)),
        "what a table plays": lambda: (people.sitting(table), people.sitting_of(match)),
        "who sits at a table": lambda: people.seated(match),
        "the open decision": lambda: people.open_line(person, 0),
        "clocks": lambda: playing.clocks(match),
        "notes of remote bots": lambda: (playing.has_notes(match), playing.notes(match, replay)),
        "open boards": lambda: standings.page(BOARD, None, 30),
        "open ratings of a bot": lambda: standings.of_bot(other.pk),
    }


# The rows of one user, bot or table are few: sorting them is fine.
FEW = {
    *("one's own data", "open lines", "open ratings of a bot", "datasets of a period"),
    *("a remote bot", "the open decision", "clocks"),
}
