"""What questions about the newest matches read on a board with some matches, and with ten times
as many."""

from __future__ import annotations

from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from ladder.models import Bot, Entry, Match, Tick
from ladder.queries import figures, matches
from tests.factories import DUEL, make_bot
from tests.ladder.queries.reading import rows_read

SMALL, TIMES = 800, 10  # more than a question looks at, even when small


def grow(bot: Bot, count: int) -> None:
    """So many more ladder matches of one bot, and of tournaments in a game that has no others."""
    over = {"status": "finished", "seats": 2, "seed": 1, "priority": 3}
    over["finished_at"] = timezone.now()
    last = Tick.objects.count()
    ticks = Tick.objects.bulk_create(
        Tick(game=DUEL.game, seats=2, number=last + n, applied_at=timezone.now())
        for n in range(1, count + 1)
    )
    made = Match.objects.bulk_create(
        match
        for tick in ticks
        for match in (
            Match(kind="ladder", game=DUEL.game, tick=tick, **over),
            Match(kind="tournament", game="safranito", **over),
            Match(kind="ladder", game="potage_sauvage", **{**over, "seats": 1}),
        )
    )
    Entry.objects.bulk_create(
        Entry(match=match, slot=0, bot=bot, version=bot.active_version, place=1)
        for match in made[::3]
    )
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def growing() -> dict[str, tuple[int, int]]:
    """By question, what is read at first and later, where that grows."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET enable_seqscan = off; SET enable_hashjoin = off")
            cursor.execute("SET enable_mergejoin = off")
    bot = make_bot()
    assert bot.active_version is not None
    questions = {
        "featured": matches.featured,
        "featured of a game with tournaments only": lambda: matches.featured(game="safranito"),
        "featured of a game for one": lambda: matches.featured(game="potage_sauvage"),
        "records": lambda: figures.records([bot.active_version_id or 0]),
    }
    grow(bot, SMALL)
    before = {name: rows_read(ask) for name, ask in questions.items()}
    grow(bot, SMALL * (TIMES - 1))
    after = {name: rows_read(ask) for name, ask in questions.items()}
    return {
        name: (before[name], after[name])
        for name in questions
        if after[name] > 1.5 * before[name] + 20
    }


def main() -> None:
    """Print what grows on the database of the environment."""
    call_command("migrate", verbosity=0)
    for name, (before, after) in growing().items():
        print(name, before, after)  # noqa: T201
