"""Unrated matches of the site itself: what is played when nothing else is."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import date, timedelta
from random import Random

import structlog
from django.conf import settings
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.models.functions import Now
from django.utils import timezone

from ladder.boards import BOARDS, Board
from ladder.models import Exhibition, Match, Play, Rating, Version
from ladder.queries import analyses, exhibitions
from ladder.services import matches

log = structlog.get_logger(__name__)

Theme = Exhibition.Theme
TOP = 40  # rivals are drawn from these
NEWEST = 50  # versions of a board that are looked at for the newest and the oldest
LOOKED_BACK = 100  # exhibitions, to see which board had none for longest
FORGOTTEN_AT_ONCE = 100
WHY = {
    Theme.RIVALS: "Exhibition: neighbours on the ladder. It is not rated.",
    Theme.GENERATIONS: "Exhibition: the newest bot against the oldest. It is not rated.",
    Theme.DAY: "Match of the day: the best of the board. It is not rated.",
}


def arrange(rng: Random | None = None) -> Match | None:
    """Queue an exhibition if nothing else is to be played and the CPU share allows it."""
    if not settings.EXHIBITION_SHARE or not _is_idle():
        return None
    usage = exhibitions.usage()
    if usage.share >= settings.EXHIBITION_SHARE or not usage.processes:
        return None
    rng = rng or Random(secrets.randbits(64))
    today = timezone.now().date()
    if not Exhibition.objects.filter(day=today).exists():
        match = _match_of_the_day(today)
        if match is not None:
            return match
    theme = rng.choice([Theme.RIVALS, Theme.GENERATIONS])
    for board in _boards(rng):
        versions = _table(board, theme, rng)
        if versions:
            return _queue(board, theme, versions)
    return None


def charge(match: Match, cpu_us: int) -> None:
    """Count what an attempt at an exhibition used."""
    Exhibition.objects.filter(match=match.pk).update(cpu_us=F("cpu_us") + cpu_us)


def forget_old() -> int:
    """Delete exhibitions that are older than this site keeps them; matches of the day stay."""
    if not settings.KEEP_EXHIBITIONS_DAYS:
        return 0
    too_old = Now() - timedelta(days=settings.KEEP_EXHIBITIONS_DAYS)
    old = Exhibition.objects.filter(created_at__lt=too_old, day=None).order_by("created_at")
    over = old.exclude(match__status__in=[Match.Status.QUEUED, Match.Status.RUNNING])
    pks = list(over.values_list("match", flat=True)[:FORGOTTEN_AT_ONCE])
    plays = Play.objects.filter(match__in=pks).exclude(replay="")
    names = list(plays.values_list("replay", flat=True))
    Match.all_objects.filter(pk__in=pks).delete()
    default_storage.delete_all(names)  # type: ignore[attr-defined]  # both of ours have it
    return len(pks)


def _is_idle() -> bool:
    """Whether no match waits or is played, no analysis waits, and the last exhibition is over."""
    for some in (Match.all_objects.waiting(), Match.all_objects.running()):
        if some.exclude(kind__in=Match.HELD_BY_KEEPERS).exists():
            return False
    if analyses.count_waiting(1):
        return False
    last = Exhibition.objects.order_by("-created_at").values("match")[:1]
    ended = Match.all_objects.filter(pk__in=list(last.values_list("match", flat=True)))
    return not ended.filter(finished_at__gt=Now() - settings.EXHIBITION_PAUSE).exists()


def _boards(rng: Random) -> list[Board]:
    """Boards where bots meet, the one without an exhibition for longest first."""
    found = Exhibition.objects.order_by("created_at").reverse()[:LOOKED_BACK]
    columns = ("match__game", "match__seats", "match")
    rows = reversed(found.values_list(*columns))
    last = {Board(game, seats): match for game, seats, match in rows}
    boards = [board for board in BOARDS if not board.is_solo]
    rng.shuffle(boards)
    return sorted(boards, key=lambda board: last.get(board, 0))


def _match_of_the_day(today: date) -> Match | None:
    """The best of one board; the boards take turns by the day."""
    boards = [board for board in BOARDS if not board.is_solo]
    first = today.toordinal() % len(boards)
    for board in boards[first:] + boards[:first]:
        best = Rating.objects.on(board).ranked().by_rank()[: board.sides]
        versions = list(best.values_list("version", flat=True))
        if len(versions) == board.sides:
            return _queue(board, Theme.DAY, versions, today)
    return None


def _table(board: Board, theme: str, rng: Random) -> list[int]:
    """The versions that meet; empty where the board has too few."""
    on_board = Rating.objects.on(board)
    if theme == Theme.RIVALS:
        best = list(on_board.ranked().by_rank().values_list("version", flat=True)[:TOP])
        if len(best) < board.sides:
            return []
        first = rng.randrange(len(best) - board.sides + 1)
        return best[first : first + board.sides]
    # Only this many are looked at, since most versions of an old board are not listed any more.
    columns = ("version", "is_listed")
    new = on_board.order_by("-version_id").values_list(*columns)[:NEWEST]
    old = on_board.order_by("version_id").values_list(*columns)[:NEWEST]
    newest = [version for version, is_listed in new if is_listed][:1]
    oldest = [version for version, is_listed in old if is_listed and [version] != newest]
    found = newest + oldest[: board.sides - 1]
    return found if len(found) == board.sides else []


def _queue(
    board: Board, theme: str, versions: Sequence[int], day: date | None = None
) -> Match | None:
    rows = Version.objects.in_bulk(versions)
    try:
        with transaction.atomic():
            match = matches.queue(
                kind=Match.Kind.EXHIBITION,
                game=board.game,
                seats=board.seats,
                versions=[rows[pk] for pk in versions],
                why=WHY[Theme(theme)],
            )
            Exhibition.objects.create(match=match, theme=theme, day=day)
    except IntegrityError:  # another scheduler was quicker with this day's
        return None
    log.info("exhibition queued", match=match.pk, board=str(board), theme=theme)
    return match
