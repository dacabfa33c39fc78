"""Ratings: entering a board, applying ticks, replaying them, fitting.

A tick is applied once, when none of its matches is open any more, and ticks of a board in the
order of their numbers. So the ratings follow from the match log alone, whatever the order in
which workers finish.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Bot, Entry, Match, Play, Rating, RatingChange, Tick, Version
from ladder.ratings import entry as entering
from ladder.ratings.elo import Change, Outcome, Standing, apply_tick, gains, k_factor
from ladder.ratings.fit import Fit, fit

HOUSE_ELO = {"random": 1000, "greedy": 1400}
STRONG_HOUSE_ELO = 1600
FITTED_MATCHES = 30_000  # the newest ones; older results hardly bear on today's versions


def enter(*, board: Board, version: Version) -> Rating:
    """The version's rating on a board: its old one, its parent's as a start, or a new bot's."""
    known = Rating.objects.on(board).filter(version=version).first()
    if known is not None:
        return known
    start = _start(board, version)
    rating, _ = Rating.objects.get_or_create(
        game=board.game,
        seats=board.seats,
        version=version,
        defaults={
            "bot_id": version.bot_id,
            "milli": start.milli,
            "start_milli": start.milli,
            "effective_games": start.n,
            "start_games": start.n,
            "is_anchor": start.is_anchor,
            "is_provisional": entering.is_provisional(start),
        },
    )
    return rating


def _start(board: Board, version: Version) -> Standing:
    if version.bot.is_house:
        short = version.bot.name.rpartition(" ")[2].lower()
        ratings = HOUSE_ELO | dict(board.rules.house_ratings.get(board.seats, {}))
        return Standing(ratings.get(short, STRONG_HOUSE_ELO) * 1000, 0.0, is_anchor=True)
    parent = Rating.objects.on(board).filter(version=version.parent_id).first()
    if parent is not None:
        return entering.new_version(parent.standing)
    return entering.new_bot(
        Standing(milli, n)
        for milli, n in Rating.objects.on(board)
        .ranked()
        .filter(is_anchor=False)
        .values_list("milli", "effective_games")
    )


def relist(bot: Bot) -> None:
    """Show on the ladders exactly the active version of an active bot."""
    bot.refresh_from_db(fields=["status", "active_version"])
    shown = bot.status == Bot.Status.ACTIVE and not bot.owner.is_suspended
    ratings = Rating.objects.filter(bot=bot)
    ratings.exclude(version=bot.active_version_id).update(is_listed=False)
    ratings.filter(version=bot.active_version_id).update(is_listed=shown)


def apply_ready_ticks() -> int:
    """Apply every tick whose turn has come; how many."""
    applied = 0
    for tick in Tick.objects.unapplied().order_by("game", "seats", "number"):
        applied += apply(tick)
    return applied


def apply(tick: Tick) -> bool:
    """Rate one tick; False while it, or an earlier one of its board, is still open."""
    with transaction.atomic():
        tick = Tick.objects.select_for_update().get(pk=tick.pk)
        earlier = Tick.objects.on(tick.board).unapplied().filter(number__lt=tick.number)
        if tick.applied_at is not None or tick.matches.open().exists() or earlier.exists():
            return False
        results = _results(tick)
        ratings = {
            rating.version_id: rating
            for rating in Rating.objects.on(tick.board)
            .filter(version__in=results.totals)
            .select_for_update()
            .order_by("pk")
        }
        standings = {version: rating.standing for version, rating in ratings.items()}
        changes = apply_tick(standings, results.outcomes)
        _write_changes(tick, ratings, changes, results.totals)
        _write_gains(results.matches, standings, changes)
        tick.applied_at = timezone.now()
        tick.save(update_fields=["applied_at"])
    return True


@dataclass(slots=True)
class _Totals:
    """What a version did in a tick, besides winning and losing."""

    sets: int = 0
    plays: int = 0
    scores: list[float] = field(default_factory=list)
    points: list[float] = field(default_factory=list)


@dataclass(slots=True)
class _Results:
    outcomes: list[Outcome]
    matches: dict[int, Outcome]
    totals: dict[int, _Totals]


def _results(tick: Tick) -> _Results:
    """The outcomes of a tick's finished matches, by version."""
    finished = tick.matches.finished()
    versions: dict[int, list[int]] = defaultdict(list)
    totals: dict[int, _Totals] = defaultdict(_Totals)
    for match, version, score in (
        Entry.objects.filter(match__in=finished)
        .order_by("match", "slot")
        .values_list("match", "version", "score")
    ):
        versions[match].append(version)
        totals[version].sets += 1
        totals[version].scores.append(score or 0.0)
    rows: dict[int, list[list[float]]] = defaultdict(list)
    for match, seating, places, points in (
        Play.objects.filter(match__in=finished)
        .order_by("match", "index")
        .values_list("match", "seating", "places", "points")
    ):
        by_slot = dict(zip(seating, points if tick.board.is_solo else places, strict=True))
        rows[match].append([by_slot.get(slot) for slot in range(len(versions[match]))])
        for slot, value in dict(zip(seating, points, strict=True)).items():
            totals[versions[match][slot]].plays += 1
            totals[versions[match][slot]].points.append(value)
    if tick.board.is_solo:
        return _solo_results(versions, rows, totals)
    by_match = {m: Outcome.from_places(versions[m], rows[m]) for m in rows}
    return _Results(list(by_match.values()), by_match, dict(totals))


def _solo_results(
    versions: dict[int, list[int]],
    rows: dict[int, list[list[float]]],
    totals: dict[int, _Totals],
) -> _Results:
    """All matches of a solo tick are one result: the same versions, a seed each."""
    by_table: dict[tuple[int, ...], list[list[float]]] = defaultdict(list)
    for match, plays in rows.items():
        # Every play is one version alone: gather the one score each has on this seed.
        scores = [next(v for v in column if v is not None) for column in zip(*plays, strict=True)]
        by_table[tuple(versions[match])].append(scores)
    outcomes = [Outcome.from_scores(table, seeds) for table, seeds in by_table.items()]
    return _Results(outcomes, {}, dict(totals))


def _write_changes(
    tick: Tick,
    ratings: dict[int, Rating],
    changes: dict[int, Change],
    totals: dict[int, _Totals],
) -> None:
    now = timezone.now()
    rows = [
        _change_row(tick, ratings[version], ratings[version].standing, change, totals[version])
        for version, change in changes.items()
    ]
    RatingChange.objects.bulk_create(rows)
    for row, change in zip(rows, changes.values(), strict=True):
        rating = row.rating
        _move(rating, change.after)
        for name in COUNTERS:
            setattr(rating, name, getattr(rating, name) + getattr(row, name))
        rating.last_played_at = now
    Rating.objects.bulk_update(ratings.values(), [*MOVED, *COUNTERS, "last_played_at"])


COUNTERS = ["sets", "plays", "score_sum", "points_sum", "points_square_sum"]
MOVED = ["milli", "effective_games", "is_provisional", "peak_milli"]


def _change_row(
    tick: Tick, rating: Rating, before: Standing, change: Change, totals: _Totals
) -> RatingChange:
    return RatingChange(
        tick=tick,
        rating=rating,
        before_milli=before.milli,
        delta_milli=change.delta,
        games_before=before.n,
        games_gained=change.games,
        sets=totals.sets,
        plays=totals.plays,
        score_sum=math.fsum(totals.scores),
        points_sum=math.fsum(totals.points),
        points_square_sum=math.fsum(p * p for p in totals.points),
    )


def _move(rating: Rating, after: Standing) -> None:
    rating.milli, rating.effective_games = after.milli, after.n
    rating.is_provisional = entering.is_provisional(after)
    if not rating.is_provisional:
        rating.peak_milli = max(rating.peak_milli or after.milli, after.milli)


def _write_gains(
    matches: dict[int, Outcome], standings: dict[int, Standing], changes: dict[int, Change]
) -> None:
    """Tell each entry its part of the tick's change, for the match page."""
    rows = []
    entries = {
        (entry.match_id, entry.version_id): entry
        for entry in Entry.objects.filter(match__in=matches)
    }
    for match, outcome in matches.items():
        for version, (u, _) in zip(outcome.entrants, gains(outcome, standings), strict=True):
            standing = standings[version]
            k = k_factor(standing.n + changes[version].games / 2)
            entry = entries[match, version]
            entry.gain_milli = 0 if standing.is_anchor else round(1000 * k * u)
            rows.append(entry)
    Entry.objects.bulk_update(rows, ["gain_milli"])


@dataclass(frozen=True, slots=True)
class Difference:
    """Where the stored ratings are not what the match log gives."""

    where: str
    stored: object
    replayed: object


def verify(board: Board) -> Iterator[Difference]:
    """Replay every tick of a board from its matches and compare with what is stored."""
    standings: dict[int, Standing] = {}
    ratings = {r.version_id: r for r in Rating.objects.on(board)}
    for rating in ratings.values():
        standings[rating.version_id] = Standing(
            rating.start_milli, rating.start_games, rating.is_anchor
        )
    for tick in Tick.objects.on(board).exclude(applied_at=None).order_by("number"):
        stored = {
            change.rating.version_id: (change.delta_milli, change.games_gained)
            for change in tick.changes.select_related("rating")
        }
        replayed = {}
        for version, change in apply_tick(standings, _results(tick).outcomes).items():
            replayed[version] = (change.delta, change.games)
            standings[version] = change.after
        if stored != replayed:
            yield Difference(str(tick), stored, replayed)
    for version, rating in ratings.items():
        if rating.standing != standings[version]:
            yield Difference(str(rating), rating.standing, standings[version])


def replay_from(tick: Tick) -> None:
    """Rate a board again from one tick on, after a match of it was struck from the record."""
    board = tick.board
    with transaction.atomic():
        ticks = list(
            Tick.objects.on(board)
            .filter(number__gte=tick.number)
            .exclude(applied_at=None)
            .order_by("number")
            .select_for_update()
        )
        ratings = {
            r.version_id: r for r in Rating.objects.on(board).select_for_update().order_by("pk")
        }
        standings = _standings_before(tick, ratings)
        RatingChange.objects.filter(tick__in=ticks).delete()
        for again in ticks:
            results = _results(again)
            changes = apply_tick(standings, results.outcomes)
            RatingChange.objects.bulk_create(
                _change_row(again, ratings[v], standings[v], change, results.totals[v])
                for v, change in changes.items()
            )
            _write_gains(results.matches, standings, changes)
            standings |= {version: change.after for version, change in changes.items()}
        for version, rating in ratings.items():
            _recount(rating, standings[version])
        Rating.objects.bulk_update(ratings.values(), [*MOVED, *COUNTERS])


def _standings_before(tick: Tick, ratings: dict[int, Rating]) -> dict[int, Standing]:
    standings = {
        version: Standing(r.start_milli, r.start_games, r.is_anchor)
        for version, r in ratings.items()
    }
    earlier = RatingChange.objects.filter(
        tick__game=tick.game, tick__seats=tick.seats, tick__number__lt=tick.number
    )
    for change in earlier.order_by("tick__number").select_related("rating"):
        standings[change.rating.version_id] = Standing(
            change.after_milli,
            change.games_before + change.games_gained,
            change.rating.is_anchor,
        )
    return standings


def _recount(rating: Rating, final: Standing) -> None:
    """Bring a rating's counters and peak in line with its history."""
    rating.milli, rating.effective_games = final.milli, final.n
    rating.is_provisional = entering.is_provisional(final)
    sums = rating.changes.aggregate(**{name: Sum(name) for name in COUNTERS})
    for name, value in sums.items():
        setattr(rating, name, value or 0)
    history = [
        Standing(c.after_milli, c.games_before + c.games_gained, rating.is_anchor)
        for c in rating.changes.all()
    ]
    rating.peak_milli = entering.peak(history)


def refit(board: Board) -> Fit | None:
    """Fit the board's newest results and store value, error and band of every listed version."""
    outcomes = list(_fit_outcomes(board))
    ratings = list(Rating.objects.on(board).select_related("version"))
    if not outcomes:
        return None
    known = {rating.version_id for rating in ratings}
    fitted = fit(
        [one for one in outcomes if known.issuperset(one.entrants)],
        parents={
            r.version_id: r.version.parent_id for r in ratings if r.version.parent_id in known
        },
        anchors={r.version_id: r.elo for r in ratings if r.is_anchor},
        versions=known,
    )
    listed = {rating.version_id for rating in ratings if rating.is_listed}
    bands = {
        version: number
        for number, band in enumerate(_listed_bands(fitted, listed), 1)
        for version in band
    }
    for rating in ratings:
        rating.fitted = fitted.value[rating.version_id]
        rating.fitted_error = fitted.error[rating.version_id]
        rating.band = bands.get(rating.version_id)
    Rating.objects.bulk_update(ratings, ["fitted", "fitted_error", "band"], batch_size=500)
    return fitted


def _listed_bands(fitted: Fit, listed: set[int]) -> Iterator[list[int]]:
    for band in fitted.bands():
        shown = [version for version in band if version in listed]
        if shown:
            yield shown


def _fit_outcomes(board: Board) -> Iterator[Outcome]:
    newest = Match.objects.on(board).finished().filter(kind=Match.Kind.LADDER).order_by("-id")
    first = newest.values_list("tick__number", flat=True)[FITTED_MATCHES : FITTED_MATCHES + 1]
    ticks = Tick.objects.on(board).exclude(applied_at=None)
    for number in first:
        ticks = ticks.filter(number__gte=number)
    for tick in ticks.order_by("number"):
        yield from _results(tick).outcomes
