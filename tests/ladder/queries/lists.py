"""Every list of the API with every filter and ordering of its schema, and what it makes the
database read on a small site and on one many times its size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import combinations
from typing import Any
from unittest.mock import patch

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from ladder.api.v1.views.docs import schema
from ladder.boards import Board
from ladder.models import (
    Bot,
    DailyDeal,
    Dataset,
    Enrolment,
    Entry,
    Match,
    Pairing,
    Puzzle,
    Rating,
    Tick,
    Tournament,
    Trial,
    User,
    Version,
)
from ladder.web.http import downloads
from tests.factories import first_change, make_bot, make_user
from tests.ladder.queries.reading import rows_read

DUEL = Board("ramen_ramen", 2)
REPLAYS = "/api/v1/replays/"
OF_THE_PAGE = {"cursor", "page_size", "ordering"}

LINEAR = {
    "authorship": "declared by few; the ratings of one board are looked through",
    "search": "a text anywhere in a name has to be looked for in all names",
    "tick": "a past ladder reads one row for each rating of its board: see test_past_ladders",
}


# What has parameters and is neither a page of a list nor a download of many, and why.
ELSEWHERE = {
    "/api/v1/events": "its filters work in memory; what it reads is in plans.py and test_lists.py",
    "/api/v1/seat": "one bot's own seat; its questions are in plans.py",
    "/api/v1/matches/{match}/plays/{index}/position/": "a play by its key",
    "/api/v1/matches/{match}/plays/{index}/replay/": "the same",
}
MOST_REPLAYS = 10  # of one download, so that a small site has more, too


Read = dict[str, tuple[int, int]]  # by list: on a small site, on a large one


@dataclass(frozen=True, slots=True)
class Asked:
    """A list with some of its parameters."""

    path: str
    query: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.path}?{'&'.join(map('='.join, self.query))}"


def combinations_of_the_schema() -> Iterator[Asked]:
    """Each ordering with no filter, with every value of each, and with every two of them."""
    for path, methods in schema()["paths"].items():
        parameters = {
            parameter["name"]: parameter["schema"]
            for parameter in methods.get("get", {}).get("parameters", [])
            if parameter["in"] == "query"
        }
        if not parameters or path in ELSEWHERE:
            continue
        filters = {
            name: values_of(name, parameter)
            for name, parameter in parameters.items()
            if name not in OF_THE_PAGE | LINEAR.keys()
        }
        singles = [((name, value),) for name, values in filters.items() for value in values]
        usual = [(name, values[0]) for name, values in filters.items()]
        usual += [(name, "true") for name, values in filters.items() if values[0] == "false"]
        pairs = [pair for pair in combinations(usual, 2) if pair[0][0] != pair[1][0]]
        for ordering in parameters.get("ordering", {}).get("enum", [""]):
            order = (("ordering", ordering),) if ordering else ()
            for chosen in [(), *singles, *pairs]:
                named = dict(chosen)
                if "version" in named and "bot" in filters.keys() - named:  # it counts within one
                    chosen = (*chosen, ("bot", "1"))
                yield Asked(path, (*chosen, *order))


def values_of(name: str, parameter: dict[str, Any]) -> list[str]:
    """What a filter may be; first a value that rows have."""
    usual = {"game": DUEL.game, "seats": "2", "status": "finished", "kind": "ladder"}
    usual |= {"format": "swiss", "owner": "alice", "organiser": "alice", "tick": "3"}
    usual |= {"period": "2026-01-01", "since": "2026-01-01T00:00:00Z"}
    usual |= {"day": "2026-01-01"}
    if parameter["type"] == "boolean":
        return ["false", "true"]
    values = [str(value) for value in parameter.get("enum", [usual.get(name, "1")])]
    return sorted(values, key=lambda value: value not in (usual.get(name), "active"))


def address(asked: Asked) -> str:
    bot = Bot.objects.get(name="Alice 1")
    own = {"game": DUEL.game, "seats": "2", "bot": str(bot.pk)}
    path = re.sub(r"{(\w+)}", lambda found: own[found[1]], asked.path)
    ids = {
        "bot": bot.pk,
        "other": bot.pk + 1,
        "trial": Trial.objects.order_by("pk").values_list("pk", flat=True)[0],
        "tournament": Tournament.objects.order_by("pk").values_list("pk", flat=True)[0],
    }
    query = "&".join(f"{name}={ids.get(name, value)}" for name, value in asked.query)
    size = "" if asked.path == REPLAYS else "page_size=10&"
    return f"{path}?{size}{query}"


def read_by(asked: Asked, client: Client) -> int:
    """What the first page and the one after it make the database read."""
    path = address(asked)
    if asked.path == REPLAYS:
        with patch.object(downloads, "MOST_MATCHES", MOST_REPLAYS):
            assert get(client, path).status_code in (200, 400), path
            return rows_read(partial(get, client, path))
    answer = get(client, path)
    assert answer.status_code == 200, (path, answer.content)
    following = answer.json()["next"]
    pages = [path, following.removeprefix("http://testserver")] if following else [path]
    return max(rows_read(partial(get, client, page)) for page in pages)


def get(client: Client, path: str) -> Any:
    """An answer. One that streams is read to its end, which closes the file that it holds."""
    answer = client.get(path)
    if answer.streaming:
        list(answer)
    return answer


def asker() -> Client:
    """Whoever is signed in is asked for more: which bots, matches and tournaments are their own."""
    client = Client()
    client.force_login(User.objects.get(username="alice"))
    return client


def growing(small: int, times: int) -> dict[str, tuple[int, int]]:
    """By list, what is read on a small site and on a large one, where that grows."""
    return measured(small, times)[1]


def measured(small: int, times: int, most_filters: int = 9) -> tuple[Read, Read]:
    """What each list reads on a small site and on a large one: all of them, and those that grow."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # Of some thousand rows reading all is often cheapest; a plan that still does then has
            # no index to go by.
            cursor.execute("SET enable_seqscan = off; SET enable_hashjoin = off")
            cursor.execute("SET enable_mergejoin = off")
    make_site()
    grow(small)
    combos = [
        asked
        for asked in combinations_of_the_schema()
        if len(dict(asked.query).keys() - OF_THE_PAGE) <= most_filters
    ]
    before = {asked: read_by(asked, asker()) for asked in combos}
    for _ in range(times - 1):  # one after the other, or a large site would not fit into memory
        grow(small)
    after = {asked: read_by(asked, asker()) for asked in combos}
    every = {str(asked): (before[asked], after[asked]) for asked in combos}
    return every, {name: one for name, one in every.items() if one[1] > 1.5 * one[0] + 20}


def make_site() -> None:
    """Alice, who has a few of everything."""
    alice = make_user("alice")
    bots = [make_bot(alice, name=f"Alice {n}") for n in (1, 2)]
    Tournament.objects.create(name="Cup", organiser=alice, **EVENT)
    for bot in bots:
        version = bot.active_version
        Trial.objects.create(bot=bot, old=version, new=version, cap=1, created_by=alice, **OVER)


ENDED: dict[str, Any] = {"game": DUEL.game, "seats": 2, "status": "finished"}
EVENT = ENDED | {"format": "swiss"}
PLAYED = ENDED | {"seed": 1, "priority": 3, "finished_at": timezone.now()}
OVER = {"status": "passed"}
COUNTED = ("matches", "plays", "decisions", "replays", "missing_replays")
DEAL = {"game": DUEL.game, "seats": 2, "seed": 1, "rival": "greedy"}
PUZZLE = {"game": DUEL.game, "seats": 2, "options": 3, "gap": 2500, "error": 100, "content": b""}
DATASET: dict[str, Any] = {"game": DUEL.game, "seats": 2, "is_sealed": True, "engine": "x"}
DATASET |= {"rules_versions": [1], "files": []} | dict.fromkeys(COUNTED, 1)


def grow(rows: int) -> None:
    """So many more authors, each with a bot, a rating, a match, a tournament and a trial."""
    now, last = timezone.now(), User.objects.count()
    names = [f"author{n}" for n in range(last, last + rows)]
    users = User.objects.bulk_create(User(username=n, email=f"{n}@example.org") for n in names)
    bots = Bot.objects.bulk_create(
        Bot(
            owner=user,
            game=DUEL.game,
            name=f"Bot of {user.username}",
            seat_counts=[2],
            is_public=True,
        )
        for user in users
    )
    versions = Version.objects.bulk_create(
        Version(
            bot=bot,
            number=1,
            language="py",
            source="x",
            size=1,
            sha256=str(bot.pk),
            status="accepted",
        )
        for bot in bots
    )
    ratings = Rating.objects.bulk_create(
        Rating(
            game=DUEL.game,
            seats=2,
            bot_id=version.bot_id,
            version=version,
            milli=1_000_000 + version.pk,
            low_milli=0,
            high_milli=3_000_000,
            variance=2500,
            is_provisional=version.pk % 2 == 0,
        )
        for version in versions
    )
    ticks = Tick.objects.bulk_create(
        Tick(game=DUEL.game, seats=2, number=number, applied_at=now)
        for number in range(last, last + rows)
    )
    type(first_change()).objects.bulk_create(
        first_change(tick=tick, rating=rating, milli=1, low_milli=1, high_milli=1)
        for tick, rating in zip(ticks, ratings, strict=True)
    )
    own = Rating.objects.get(bot__name="Alice 1", seats=2)
    type(first_change()).objects.bulk_create(
        first_change(tick=tick, rating=own, milli=1, low_milli=1, high_milli=1) for tick in ticks
    )
    cups = Tournament.objects.bulk_create(
        Tournament(name="Cup", organiser=user, **EVENT) for user in users
    )
    pairings = Pairing.objects.bulk_create(
        Pairing(tournament=cup, round=1, table=1, label="", drawn=[], drawn_at_step=0, entrants=[])
        for cup in cups
    )
    # Turn by turn: each kind is found among the newest.
    made = Match.objects.bulk_create(
        match
        for tick, pairing in zip(ticks, pairings, strict=True)
        for match in (
            Match(kind="ladder", tick=tick, **PLAYED),
            Match(kind="tournament", pairing=pairing, number=1, **PLAYED),
        )
    )
    Entry.objects.bulk_create(
        Entry(match=match, slot=slot, bot_id=version.bot_id, version=version, place=1)
        for match, version in zip(made[::2], versions, strict=True)
        for slot in range(2)
    )
    Enrolment.objects.bulk_create(
        Enrolment(tournament=cup, bot=bot) for cup, bot in zip(cups, bots, strict=True)
    )
    Dataset.objects.bulk_create(
        Dataset(period=f"{2026 + n // 365}-{n % 365:03}", **DATASET)
        for n in range(last, last + rows)
    )
    DailyDeal.objects.bulk_create(
        DailyDeal(day=date(2026, 1, 1) + timedelta(days=n), **DEAL)
        for n in range(last, last + rows)
    )
    Puzzle.objects.bulk_create(
        Puzzle(key=f"key {n}", step=1, seat=0, kind="play", **PUZZLE)
        for n in range(last, last + rows)
    )
    Trial.objects.bulk_create(
        Trial(bot_id=one.bot_id, old=one, new=one, cap=1, created_by=user, **OVER)
        for one, user in zip(versions, users, strict=True)
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def main() -> None:
    """Print the lists that grow on the database of the environment."""
    call_command("migrate", verbosity=0)
    for name, (before, after) in growing(200, 10).items():
        print(name, before, after)  # noqa: T201
