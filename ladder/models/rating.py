from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import Case, Count, F, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce

from ladder.boards import Board, game_choices
from ladder.ratings.elo import Standing
from ladder.ratings.intervals import mean_of_sums


class TickQuerySet(models.QuerySet["Tick"]):
    def on(self, board: Board) -> TickQuerySet:
        return self.filter(game=board.game, seats=board.seats)

    def unapplied(self) -> TickQuerySet:
        return self.filter(applied_at=None)


class Tick(models.Model):
    """A batch of rated matches of one board: ratings move once for all of them."""

    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    applied_at = models.DateTimeField(null=True, blank=True)

    objects = TickQuerySet.as_manager()

    class Meta:
        ordering = ["game", "seats", "number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "seats", "number"], name="one_tick_per_number")
        ]
        indexes = [
            # In the order of the unique index: SQLite would otherwise walk through that one.
            models.Index(
                fields=["game", "seats", "number"],
                name="tick_unapplied",
                condition=Q(applied_at=None),
            )
        ]

    def __str__(self) -> str:
        return f"{self.board} tick {self.number}"

    @property
    def board(self) -> Board:
        return Board(self.game, self.seats)


class RatingQuerySet(models.QuerySet["Rating"]):
    def on(self, board: Board) -> RatingQuerySet:
        return self.filter(game=board.game, seats=board.seats)

    def listed(self) -> RatingQuerySet:
        """Of active versions of active bots: what a ladder shows."""
        return self.filter(is_listed=True)

    def ranked(self) -> RatingQuerySet:
        # `IN (false)`, since `NOT is_provisional` would keep SQLite from seeking in rating_ladder.
        return self.listed().filter(is_provisional__in=[False])

    def provisional(self) -> RatingQuerySet:
        return self.listed().filter(is_provisional__in=[True])

    def by_rank(self) -> RatingQuerySet:
        return self.order_by("-milli", "version_id")

    def named(self, text: str) -> RatingQuerySet:
        """Of bots with this text in their name or their author's."""
        return self.filter(Q(bot__name__icontains=text) | Q(bot__owner__username__icontains=text))

    def ahead_of(self, milli: Any, version: Any) -> RatingQuerySet:
        """The ranked versions above a place."""
        # The redundant bound lets the index rating_ladder be entered at the right place.
        return self.ranked().filter(
            Q(milli__gt=milli) | Q(milli=milli, version_id__lt=version), milli__gte=milli
        )

    def with_rank(self) -> RatingQuerySet:
        """With each one's `rank` on its board; None where it has none."""
        on_board = Rating.objects.filter(game=OuterRef("game"), seats=OuterRef("seats"))
        above = (
            on_board.ahead_of(OuterRef("milli"), OuterRef("version_id"))
            .order_by()
            .values("game")
            .annotate(count=Count("pk"))
            .values("count")
        )
        rank = Coalesce(Subquery(above), Value(0)) + 1
        return self.annotate(rank=Case(When(is_listed=True, is_provisional=False, then=rank)))


class Rating(models.Model):
    """Where a version stands on a board."""

    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    bot = models.ForeignKey("ladder.Bot", on_delete=models.CASCADE, related_name="ratings")
    version = models.ForeignKey("ladder.Version", on_delete=models.CASCADE, related_name="ratings")
    milli = models.IntegerField()  # live Elo in thousandths, exact
    start_milli = models.IntegerField()  # what it began with
    effective_games = models.FloatField(default=0)
    start_games = models.FloatField(default=0)  # inherited from the parent version
    plays = models.PositiveIntegerField(default=0)
    sets = models.PositiveIntegerField(default=0)
    score_sum = models.FloatField(default=0)  # over sets: share of opponents beaten
    points_sum = models.FloatField(default=0)  # over plays, for solo's mean score
    points_square_sum = models.FloatField(default=0)
    peak_milli = models.IntegerField(null=True, blank=True)
    is_anchor = models.BooleanField(default=False)
    is_provisional = models.BooleanField(default=True)
    is_listed = models.BooleanField(default=True)
    fitted = models.FloatField(null=True, blank=True)
    fitted_error = models.FloatField(null=True, blank=True)
    band = models.PositiveIntegerField(null=True, blank=True)  # equal bands cannot be told apart
    last_played_at = models.DateTimeField(null=True, blank=True)

    objects = RatingQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seats", "version"], name="one_rating_per_board_and_version"
            )
        ]
        indexes = [
            models.Index(
                F("game"),
                F("seats"),
                F("is_provisional"),
                F("milli").desc(),
                F("version"),
                name="rating_ladder",
                condition=Q(is_listed=True),
            )
        ]

    def __str__(self) -> str:
        return f"{self.version} on {self.board}: {self.elo:.1f}"

    @property
    def board(self) -> Board:
        return Board(self.game, self.seats)

    @property
    def elo(self) -> float:
        return self.milli / 1000

    @property
    def win_rate(self) -> float | None:
        return self.score_sum / self.sets if self.sets else None

    @property
    def mean_points(self) -> tuple[float, float] | None:
        """Mean score per play and its standard error; None before two plays."""
        return mean_of_sums(self.plays, self.points_sum, self.points_square_sum)

    @property
    def standing(self) -> Standing:
        return Standing(self.milli, self.effective_games, self.is_anchor)


class RatingChange(models.Model):
    """How one tick moved one version: the history of a rating."""

    tick = models.ForeignKey(Tick, on_delete=models.CASCADE, related_name="changes")
    rating = models.ForeignKey(Rating, on_delete=models.CASCADE, related_name="changes")
    before_milli = models.IntegerField()
    delta_milli = models.IntegerField()
    games_before = models.FloatField()
    games_gained = models.FloatField()
    sets = models.PositiveIntegerField()
    plays = models.PositiveIntegerField()
    score_sum = models.FloatField()  # over sets: share of opponents beaten
    points_sum = models.FloatField()  # over plays
    points_square_sum = models.FloatField()
    # What the last fit before this tick said, for the rating chart; none before the first fit.
    fitted = models.FloatField(null=True, blank=True)
    fitted_error = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["tick"]
        constraints = [
            models.UniqueConstraint(fields=["tick", "rating"], name="one_change_per_tick")
        ]

    def __str__(self) -> str:
        return f"{self.rating_id} {self.delta_milli:+} in {self.tick_id}"

    @property
    def after_milli(self) -> int:
        return self.before_milli + self.delta_milli
