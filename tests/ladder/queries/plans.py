"""How a database goes about each question of ladder/queries, asked on a board with a history."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from ladder.boards import BOARDS, Board
from ladder.contract.matches import MatchFilter, ReplayFilter
from ladder.models import Bot, Match, Play, Rating, RatingChange, Tick, Tournament, User
from ladder.queries import (
    accounts,
    analyses,
    badges,
    bots,
    broadcasts,
    calendars,
    daily,
    dashboards,
    drafts,
    events,
    exhibitions,
    figures,
    games,
    histories,
    kept_plays,
    ladders,
    limits,
    matches,
    notices,
    operation,
    tournaments,
    versions,
    webhooks,
)
from ladder.queries.analyses import explorer, matchups, puzzles, reports
from ladder.queries.keyset import Cursor
from tests.factories import first_change, make_bot, make_match, make_user
from tests.ladder.queries import rooms
from tests.ladder.queries.happenings import make_events

DUEL = Board("ramen_ramen", 2)
GROWING = (
    *("match", "entry", "play", "rating", "ratingchange", "tick", "event", "notice"),
    *("sitting", "line", "sharedtable", "person", "openrating", "promotion", "duel"),
    *("keptplay", "dailytry", "dailydeal", "puzzle", "puzzleanswer", "dataset", "exhibition"),
)
NEWEST_FIRST = r'FROM ("ladder_match" .*|"ladder_\w+") ORDER BY ("ladder_\w+"."id"|1) DESC LIMIT'
PLACE, BACK = Cursor(1_500_000, 7), Cursor(1_500_000, 7, is_back=True)


def questions() -> dict[str, Callable[[], Any]]:
    """Every question about what grows with a board or with the history; a bot's own few rows may
    be sorted."""
    bot, other = Bot.objects.order_by("pk")[:2]
    match = Match.objects.order_by("pk")[0].pk
    user, operator = User.objects.get(username="alice"), User.objects.get(username="operator")
    shown, pair = bots.find(bot.pk, user), [bot.pk, other.pk]
    version = versions.find(bot.pk, 1)
    cup = tournaments.find(user, Tournament.objects.values_list("pk", flat=True)[0])
    return {
        **rooms.questions(),
        "ladder": lambda: ladders.page(DUEL, None, 50),
        "ladder, next page": lambda: ladders.page(DUEL, PLACE, 50),
        "ladder, previous page": lambda: ladders.page(DUEL, BACK, 50),
        "provisional": lambda: ladders.page(DUEL, None, 50, provisional=True),
        "provisional, next page": lambda: ladders.page(DUEL, PLACE, 50, provisional=True),
        "some bots of a board": lambda: ladders.of_bots(DUEL, pair),
        "podium": lambda: ladders.podium(DUEL),
        "rank": lambda: ladders.rank(DUEL, 1_500_000, 7),
        "last tick": lambda: ladders.last_tick(DUEL),
        "last ticks": lambda: ladders.last_ticks(BOARDS),
        "standings": lambda: ladders.standings(DUEL, None, 50),
        "matches": lambda: matches.page(MatchFilter(), None, matches.ORDER, None, 30),
        "matches, next page": lambda: matches.page(
            MatchFilter(), None, matches.ORDER, Cursor(None, 9), 30
        ),
        "matches of a bot": lambda: matches.page(
            MatchFilter(game=DUEL.game, bot=bot.pk), None, matches.ORDER, None, 30
        ),
        "matches of a version": lambda: matches.page(
            MatchFilter(bot=bot.pk, version=1), user, matches.ORDER, None, 30
        ),
        "replays of a bot": lambda: matches.stored_plays(
            matches.finished(ReplayFilter(bot=bot.pk), user, 5)
        ),
        "replays of a day": lambda: matches.finished(
            ReplayFilter(day=timezone.now().date()), user, 5
        ),
        "matches of an owner": lambda: matches.page(
            MatchFilter(owner=user.username), user, matches.ORDER, None, 30
        ),
        "matches since": lambda: matches.page(
            MatchFilter(since=timezone.now() - timedelta(days=1)), user, matches.ORDER, None, 30
        ),
        "a bot's newest": lambda: matches.of_bot(bot.pk, 8, DUEL),
        "latest": lambda: matches.latest(8),
        "featured": lambda: matches.featured(),
        "exhibitions, what they cost": lambda: exhibitions.usage(),
        "match of the day": lambda: exhibitions.match_of_the_day(),
        "daily cups": lambda: tournaments.cups(None, 28),
        "featured of a game": lambda: matches.featured(game="safranito"),
        "tables under way": lambda: broadcasts.tables(12),
        "tables under way of a game": lambda: broadcasts.tables(12, game=DUEL.game),
        "latest of a game": lambda: matches.latest(8, game=DUEL.game),
        **{
            f"{name} for {reader}": ask
            for reader in (AnonymousUser(), user, operator)
            for name, ask in {
                "a match": lambda reader=reader: matches.is_visible(reader, match),
                "a receipt": lambda reader=reader: (
                    matches.receipt(reader, match),
                    matches.show(reader, match),
                ),
                "an open match": lambda reader=reader: broadcasts.open_match(reader, match),
                "a play": lambda reader=reader: matches.play(reader, match, 0),
            }.items()
        },
        "logs": lambda: matches.logs(user, match),
        "expensive decisions": lambda: reports.expensive(bot.pk, 2),
        "a bot's analysis": lambda: reports.of_bot(bot.pk, DUEL),
        "explorer": lambda: explorer.at(DUEL, "Play, level", "Play"),
        "explorer, next play": lambda: explorer.next_uncounted(DUEL),
        "match-ups": lambda: matchups.of_board(DUEL),
        "puzzles": lambda: (puzzles.of_the_day(), puzzles.newest(DUEL.game, 12)),
        "daily deals": lambda: (daily.of_today(), daily.of_game(DUEL.game), daily.detail(1)),
        "daily tries": lambda: (
            daily.own(user.pk, [1]),
            daily.rank(1, 1, 0),
            daily.streak(user.pk),
        ),
        "the next puzzle": lambda: puzzles.next_after(1, DUEL.game, user.pk),
        "figures": lambda: figures.figures(bot.pk, DUEL),
        "head to head": lambda: figures.head_to_head(shown, shown),
        "statistics of a game": lambda: games._statistics(DUEL.game),
        "activity": operation.activity,
        "waits since": operation.waits_since,
        "finished since": lambda: operation.finished_since(timezone.now()),
        "gauges": operation.gauges,
        "day": operation.day,
        "starved": operation.starved_bots,
        "workers": operation.workers_alive,
        "leader": lambda: (operation.scheduler_leads(), operation.scheduler_is_heard()),
        "excuses": lambda: operation.is_repeatedly_starved(Match.objects.get(pk=match), 0),
        "ratings now": lambda: bots.ratings_now(shown),
        "ratings of some": lambda: bots.ratings_by_bot(pair),
        "a dashboard": lambda: [
            dashboards.rival_above(line, pk)
            for pk, lines in dashboards.boards_of(pair).items()
            for line in lines
        ],
        "all ratings": lambda: bots.all_ratings(bot.pk),
        "history": lambda: histories.history(bot.pk, None, 50),
        "history, next page": lambda: histories.history(bot.pk, Cursor(9, 9), 50),
        "history of a version": lambda: histories.history(bot.pk, None, 50, seats=2, version=1),
        "changes on a board": lambda: bots.changes_on(bot.pk, DUEL),
        "an author's": lambda: bots.of_author(user.pk, user),
        "newest bots": lambda: bots.public_ids(100),
        "playing": lambda: bots.playing_of(user.pk, DUEL),
        "called": lambda: bots.numbers_called(DUEL.game, ["many 1", "many 2"]),
        "named": lambda: bots.number_named(DUEL.game, "Many 7"),
        "house": lambda: bots.house(DUEL.game),
        "tagged": lambda: bots.tagged("search"),
        "bots with a tag": lambda: bots.tagged_bots("search", 20, user),
        "names": lambda: bots.playing_names(300),
        "newest versions": lambda: versions.newest_by_bot(pair),
        "benched": lambda: versions.benched_by_bot(pair),
        "a version": lambda: (versions.show(bot.pk, 1), versions.find(bot.pk, 1)),
        "a version by id": lambda: versions.by_id(version.id, DUEL.game),
        "a check": lambda: versions.check(version.id),
        "a report": lambda: (versions.report(version), versions.source(version)),
        "tournaments of a bot": lambda: bots.tournaments_of(bot.pk, 10),
        "newest trials": lambda: versions.newest_trials(bot.pk, 5),
        "a trial": lambda: (versions.trial(1), versions.shown_trial(1)),
        "own versions in a tab": lambda: versions.own_in_a_tab(user.pk, DUEL.game, 30),
        "public bots in a tab": lambda: versions.public_in_a_tab(DUEL.game, 100),
        "drafts": lambda: (drafts.of_owner(user.pk), drafts.find(user.pk, DUEL.game, "py")),
        "shared drafts": lambda: (drafts.shared_by(user.pk), drafts.shared("x")),
        "versions of a bot": lambda: (versions.of_bot(bot.pk), versions.page(bot.pk, None, 9)),
        "newest version": lambda: versions.newest(bot.pk),
        "accepted versions": lambda: versions.accepted_of(bot.pk),
        "other versions": lambda: versions.other_numbers(version, 100),
        "a bot": lambda: (bots.show(bot.pk), bots.find(bot.pk, user)),
        "one's own bots": lambda: bots.own(user.pk),
        "has a bot": lambda: bots.has_playing(user.pk),
        "tokens": lambda: accounts.tokens(user.pk, None, 50),
        "count of bots": lambda: accounts.bot_count(user.pk),
        "who sat where": lambda: matches.seated_at(match),
        "ladder of a tick": lambda: ladders.page(DUEL, None, 50, tick=1),
        "ticks": lambda: ladders.ticks(DUEL, None, 50),
        "matches by number": lambda: matches.rows([match]),
        "analysis of a play": lambda: analyses.of_play(1),
        "text of an analysis": lambda: analyses.text_of(1),
        "analyses waiting": lambda: analyses.count_waiting(200),
        "reason for an analysis": lambda: analyses.reason_for(match, 2),
        "plays of a match": lambda: matches.plays_of(match),
        "own seats": lambda: matches.own_seats(user, matches.play(user, match, 0)),
        "sets of tables": lambda: matches.live_sets([]),
        "records": lambda: figures.records([1, 2, 3]),
        "a play on air": lambda: broadcasts.play(match, 0),
        "plays on air": lambda: broadcasts.of_match(match),
        "kept plays": lambda: kept_plays.newest_of(user.pk, 20),
        "a kept play": lambda: kept_plays.find(1),
        "a bot's open source": lambda: kept_plays.has_open_source("ramen_ramen", "x", "0" * 64),
        "limit of guest plays": lambda: limits.guest_plays().used,
        "limit of people's tables": lambda: limits.people_tables().used,
        "limit of an address's tables": lambda: limits.people_tables_among([1, 2]).used,
        "tournaments": lambda: tournaments.cards(user),
        "newest tournaments": lambda: tournaments.public_ids(100),
        "badge": lambda: badges.badge(bot.pk, 2),
        "calendar": lambda: calendars.calendar(200),
        "a calendar entry": lambda: calendars.calendar_entry(1),
        "a bot's name": lambda: calendars.public_bot_name(bot.pk),
        "webhooks": lambda: webhooks.of_user(user.pk),
        "log of a webhook": lambda: webhooks.log(1, 50),
        "news": lambda: events.news(50),
        "news of a bot": lambda: events.news_of_bot(bot.pk, 50),
        "news of an author": lambda: events.news_of_author(user.pk, 50),
        "news of a board": lambda: events.news_of_board(DUEL, 50),
        "news of a tournament": lambda: events.news_of_tournament(1, 50),
        "events after": lambda: events.after(7, 50),
        "ends of events": events.ends,
        "notices": lambda: notices.page(user.pk, None, 50),
        "unread notices": lambda: notices.unread(user.pk),
        "choices of notices": lambda: notices.choices(user.pk),
        "bots to choose for": lambda: notices.own_bots(user.pk),
        "following": lambda: notices.following(user.pk),
        "is following": lambda: notices.is_following(user.pk, "bot", "1"),
        "a tournament": lambda: (tournaments.find(user, 1), tournaments.detail(user, 1)),
        "a tournament's rows": lambda: tournaments.begun(cup),
        "invitations": lambda: tournaments.invitations(user.pk),
        "check-ins": lambda: tournaments.check_ins(user.pk),
        "entrants": lambda: (tournaments.entrants(1), tournaments.public_entrants(1)),
        **{
            f"limit of {name}": lambda name=name: getattr(limits, name)(user.pk).used
            for name in (
                "analyses",
                "bots",
                "uploads",
                "challenges",
                "trials",
                "tournaments",
                "kept_plays",
                "drafts",
                "shared_drafts",
                "tokens",
            )
        },
    }


# The rows of one bot, author, tournament or name are few: sorting them is fine.
FEW = {
    *("ratings of some", "all ratings", "changes on a board", "newest versions"),
    *("one's own bots", "tokens", "a bot", "a version by id", "a check"),
    *("an author's", "playing", "called", "named", "house", "names", "benched", "a version"),
    *("a report", "tournaments of a bot", "a kept play", "invitations"),
    *("bots to choose for", "own versions in a tab", "public bots in a tab"),
    *("drafts", "shared drafts"),
    *("check-ins", "entrants", "tournaments", "daily cups", "a tournament", "a tournament's rows"),
}

# What is not held to it, and why.
EXCUSED = {
    "kept_plays.house_bot": "reads the house bots' files only",
    "kept_plays.guests_since": "a moment",
    "accounts": "lists.py asks for its list; the rest finds a user by name",
    "bots.page": "asked in lists.py",
    "versions.trials": "asked in lists.py",
    "values": "reads what others ask for",
    "analyses.reports.loss": "asks nothing",
    "limits.open_remote_matches": "a user's matches that are not over, at most four by its limit",
    "limits.remote_matches_of_pair": "a day's matches of one kind, at most some hundreds",
    "limits.remote_matches_of_owner": "the same, of one owner",
    "broadcasts.replay": "a row by its keys",
    "tournaments.page": "asked in lists.py",
    "keyset": "reads no table",
    "calibration.predictions": "a page for the curious, remembered for a while",
    "calibration.first_intervals": "the same",
    "calibration.dispersions": "one row for each board",
    "fairness.findings": "at most fifty of a kind and board, for operators",
    "fairness.linked_accounts": "users are few beside matches; for operators",
    "fairness.memory": "one row for each board",
    "bots.rests_until": "asks nothing",
    "tournaments.entrant": "a row by its number",
    "bots.search": "a text anywhere in a name has to be looked for in all names",
    "bots.rivals": "the same",
    "tournaments.search": "the same",
    "desk": "a page for operators; test_query_plans.py looks at its plans",
    "games.statistics": "asked as games._statistics, which it remembers",
    "ladders.sized": "counts every rating of a site, and is remembered",
    "operation.counts": "counts whole tables, and is remembered",
}


def unasked() -> set[str]:
    """The functions of ladder/queries and its rooms that no question above goes through."""
    folder = Path(ladders.__file__).parent
    wanted = {
        f"{room}.{name}"
        for path in folder.rglob("*.py")
        if (room := _room(path, folder)) and room not in EXCUSED
        for name in re.findall(r"^def ([a-z]\w*)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    called: set[str] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(folder):
            called.add(f"{_room(path, folder)}.{frame.f_code.co_name}")

    for ask in questions().values():
        sys.setprofile(note)
        try:
            ask()
        finally:
            sys.setprofile(None)
    return wanted - called - EXCUSED.keys()


def _room(path: Path, folder: Path) -> str:
    """A module's name as questions write it: `ladders`, `remote`, `remote.people`."""
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def plans(ask: Callable[[], Any]) -> Iterator[tuple[str, str]]:
    """Each query, with its plan, that a question asks."""
    asked: list[tuple[str, Any]] = []

    def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip("(").startswith("SELECT"):
            asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(listen):
        ask()
    for sql, params in asked:
        if connection.vendor == "sqlite":
            cursor = sqlite3.Cursor(connection.connection)
            rows = cursor.execute(f"EXPLAIN QUERY PLAN {sql.replace('%s', '?')}", params or ())
            yield sql, "\n".join(row[3] for row in rows)
        else:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {sql}", params)
                yield sql, "\n".join(row[0] for row in cursor.fetchall())


def too_much(sql: str, plan: str) -> str:
    """The line of a plan that walks through what grows, or sorts it; empty when none does."""
    tables = "|".join(GROWING)
    if connection.vendor == "sqlite":
        few = re.search("INDEX match_(queue|leases|void|cancelled)", plan)
        aliases = re.findall(rf'"ladder_(?:{tables})" ([A-Z][0-9]+)\b', sql)
        scanned = "|".join([f"ladder_({tables})", *aliases])
        walk = re.search(rf"SCAN ({scanned})\b(?!.* INDEX ).*", plan)
        sort = re.search(".*TEMP B-TREE.*", plan)
        if walk and not sort and re.search(NEWEST_FIRST, sql):
            walk = None  # it stops after a page
        bad = walk or (None if few else sort)
    else:
        bad = re.search(rf"Seq Scan on ladder_({tables})\b.*", plan)
        if "LIMIT" in sql:  # the rows of a page may be sorted, but not all for the sake of a page
            bad = bad or re.search(r"(?<!Incremental )\bSort  .*", plan)
    return bad[0] if bad else ""


def wasteful() -> dict[str, list[str]]:
    """By question, the plans that read too much."""
    bad = {}
    for name, ask in questions().items():
        found = [
            f"{line}\n{plan}"
            for sql, plan in plans(ask)
            if (line := too_much(sql, plan))
            and not (name in FEW | rooms.FEW and not re.search("(?i)scan", line))
        ]
        if found:
            bad[name] = found
    return bad


def make_history(rows: int = 3000) -> None:
    """A board of many bots and a long history, so that no plan is right by smallness alone."""
    alice = make_user("alice")
    make_events(alice, rows)
    make_user("operator", is_staff=True)
    pair = [make_bot(alice), make_bot(alice)]
    Tournament.objects.create(
        name="Cup", organiser=alice, game=DUEL.game, seats=2, format="swiss", commitment="c"
    )
    match = make_match(*pair)
    version = pair[0].active_version
    tick = Tick.objects.create(game=DUEL.game, seats=2, number=1, applied_at=match.created_at)
    Tick.objects.bulk_create(
        Tick(game=DUEL.game, seats=2, number=n, applied_at=match.created_at) for n in range(2, rows)
    )
    finished = {"status": Match.Status.FINISHED, "finished_at": match.created_at}
    Match.objects.filter(pk=match.pk).update(**finished, started_at=match.created_at)
    made = Match.objects.bulk_create(
        Match(kind="ladder", game=DUEL.game, seats=2, seed=n, priority=3, **finished)
        for n in range(rows)
    )
    entry = type(match.entries.get(slot=0))
    many_bots = Bot.objects.bulk_create(
        Bot(owner=alice, game=DUEL.game, name=f"Many {n}", seat_counts=[2]) for n in range(rows)
    )
    many = type(version).objects.bulk_create(
        type(version)(bot=bot, number=1, language="py", source="x", size=1, sha256=str(n))
        for n, bot in enumerate(many_bots)
    )
    entry.objects.bulk_create(
        entry(
            match=one,
            slot=slot,
            bot_id=many[(n + slot) % rows].bot_id,
            version=many[(n + slot) % rows],
            place=slot + 1,
        )
        for n, one in enumerate(made)
        for slot in range(2)
    )
    Play.objects.bulk_create(
        Play(
            match=one,
            index=0,
            seating=[0, 1],
            places=[1, 2],
            points=[1, 0],
            reason="",
            decisions=2,
            digest="",
            replay="x",
        )
        for one in [match, *made]
    )
    ratings = Rating.objects.bulk_create(
        Rating(
            game=DUEL.game,
            seats=2,
            bot_id=one.bot_id,
            version=one,
            milli=1_000_000 + 400 * n,
            low_milli=0,
            high_milli=3_000_000,
            variance=2500,
            is_provisional=n % 10 == 0,
        )
        for n, one in enumerate(many)
    )
    RatingChange.objects.bulk_create(
        first_change(
            tick=tick,
            rating=one,
            milli=1_500_000,
            low_milli=1_400_000,
            high_milli=1_600_000,
            sets=1,
            plays=2,
            score_sum=1,
            points_sum=1,
            points_square_sum=1,
        )
        for one in ratings
    )
    rooms.make_rooms(alice, pair)


def main() -> None:
    """Print the wasteful plans on the database of the environment."""
    call_command("migrate", verbosity=0)
    make_history()
    with connection.cursor() as cursor:
        # With some thousand rows walking through all is often cheapest; a plan that still does
        # has no index to go by.
        cursor.execute("ANALYZE; SET enable_seqscan = off; SET enable_sort = off")
    for question, found in wasteful().items():
        print(question, *found, sep="\n")  # noqa: T201
