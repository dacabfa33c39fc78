"""The ladder endpoint against the plainest DRF view of the same 50 rows.

Both run in one process on one database, turn by turn, each from request to rendered bytes.
Ours also pages, throttles, tags and tells the tick.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable

from tests.programs.bench.rows import Progress, Row

ROWS = 50
TURNS = 400
NOTE = "api: medians of turns taken in one process; CPU time from request to rendered bytes."
GOAL = 1.5
SIZES = (5_000, 50_000)
FLAT = 1.25  # a page that seeks costs the same however long the ladder is


def run(progress: Progress) -> list[Row]:
    progress("making a board")
    ours, theirs = _views()
    for _ in range(30):
        ours()
        theirs()
    progress("asking for it")
    times: dict[Callable[[], object], list[float]] = {ours: [], theirs: []}
    for _ in range(TURNS):
        for ask, found in times.items():
            begun = time.process_time()
            ask()
            found.append(time.process_time() - begun)
    mine, other = (statistics.median(found) for found in times.values())
    name = f"{ROWS} rows of a ladder by the API, beside a plain DRF view of .values()"
    rows = [Row(name, "ms CPU", mine * 1e3, other * 1e3, GOAL)]
    costs = []
    for size in SIZES:
        progress(f"growing the board to {size:,} bots")
        _grow(size)
        costs.append(_median(ours))
    few, many = SIZES
    name = f"the same page on a board of {many:,} bots, beside {few:,}"
    return [*rows, Row(name, "ms CPU", costs[1] * 1e3, costs[0] * 1e3, FLAT)]


def _median(ask: Callable[[], object]) -> float:
    ask()
    found = []
    for _ in range(TURNS // 2):
        begun = time.process_time()
        ask()
        found.append(time.process_time() - begun)
    return statistics.median(found)


def _views() -> tuple[Callable[[], bytes], Callable[[], bytes]]:
    os.environ.setdefault("LADLE_VAR", tempfile.mkdtemp(prefix="ladle-bench-"))
    os.environ["LADLE_RATE_ANONYMOUS"] = "100000000/min"
    os.environ["DEBUG"] = "1"
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
    import django
    from django.core.management import call_command

    django.setup()
    from django.conf import settings

    settings.DEBUG = False  # or every query would be kept
    call_command("migrate", verbosity=0)
    _seed()

    from rest_framework.response import Response
    from rest_framework.test import APIRequestFactory
    from rest_framework.views import APIView

    from ladder.api.v1.views.boards import Ladder
    from ladder.models import Rating
    from ladder.queries.ladders import NOW
    from tests.factories import DUEL

    class Plain(APIView):
        throttle_classes = ()
        permission_classes = ()

        def get(self, request: object) -> Response:
            rows = Rating.objects.on(DUEL).ranked().by_rank().values(*NOW)[:ROWS]
            return Response(list(rows))

    ladder, plain, requests = Ladder.as_view(), Plain.as_view(), APIRequestFactory()

    def ours() -> bytes:
        request = requests.get("/api/v1/boards/ramen_ramen/2/ladder/")
        response = ladder(request, game=DUEL.game, seats=DUEL.seats)
        assert response.status_code == 200
        return bytes(response.content)

    def theirs() -> bytes:
        return bytes(plain(requests.get("/plain/")).render().content)

    return ours, theirs


def _seed() -> None:
    from ladder.models import Rating
    from tests.factories import make_bot, make_user

    if Rating.objects.count() >= 2 * ROWS:
        return
    owner = make_user(is_staff=True)
    from django.conf import settings

    settings.MAX_BOTS_PER_USER = 10_000
    for _ in range(2 * ROWS):
        make_bot(owner)
    for rank, rating in enumerate(Rating.objects.all()):
        rating.milli = 1_500_000 + 977 * rank
        rating.is_provisional = False
        rating.sets, rating.plays = 10 + rank, 20 + rank
        rating.score_sum, rating.variance = 5.0, 400.0
        rating.save()


def _grow(size: int) -> None:
    """Fill the board up to so many ranked bots, below those that are there."""
    from django.db import connection

    from ladder.models import Bot, Rating, Version
    from tests.factories import DUEL

    there = Rating.objects.on(DUEL).count()
    owner = Bot.objects.first().owner
    bots = Bot.objects.bulk_create(
        Bot(owner=owner, game=DUEL.game, name=f"Many {n}", seat_counts=[DUEL.seats])
        for n in range(there, size)
    )
    versions = Version.objects.bulk_create(
        Version(bot=bot, number=1, language="py", source="x", size=1, sha256=bot.name)
        for bot in bots
    )
    common = {"game": DUEL.game, "seats": DUEL.seats, "is_provisional": False}
    common |= {"low_milli": 1_300_000, "high_milli": 1_500_000, "variance": 400.0}
    Rating.objects.bulk_create(
        Rating(bot_id=one.bot_id, version=one, milli=1_400_000 - n, **common)
        for n, one in enumerate(versions, there)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
