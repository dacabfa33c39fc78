from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import connections, models
from django.db.models import Case, Count, F, OuterRef, Q, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

from ladder.boards import Board, game_choices
from ladder.ratings.fit import Rated
from ladder.ratings.intervals import interval_in_words


class TickQuerySet(models.QuerySet["Tick"]):
    def on(self, board: Board) -> TickQuerySet:
        return self.filter(game=board.game, seats=board.seats)

    def unapplied(self) -> TickQuerySet:
        return self.filter(applied_at=None)

    def unsealed(self) -> TickQuerySet:
        """Rated ticks whose results are in no segment yet."""
        return self.filter(applied_at__isnull=False, segment=None)

    def applied_after(self, number: int) -> TickQuerySet:
        return self.filter(number__gt=number, applied_at__isnull=False)


class Tick(models.Model):
    """A batch of rated matches of one board: ratings move once for all of them."""

    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)
    applied_at = models.DateTimeField(null=True, blank=True)
    segment = models.ForeignKey(
        "ladder.ResultSegment", null=True, blank=True, on_delete=models.SET_NULL
    )

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
            ),
            models.Index(
                fields=["game", "seats", "id"],
                name="tick_unsealed",
                condition=Q(applied_at__isnull=False, segment=None),
            ),
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
        """With the `rank` of each on its board; None where it has none."""
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
    milli = models.IntegerField()  # Elo in thousandths
    low_milli = models.IntegerField()  # the 95% interval
    high_milli = models.IntegerField()
    variance = models.FloatField()  # in squared Elo
    plays = models.PositiveIntegerField(default=0)
    sets = models.PositiveIntegerField(default=0)
    score_sum = models.FloatField(default=0)  # over sets: share of opponents beaten
    points_sum = models.FloatField(default=0)  # over plays, for solo's mean score
    points_square_sum = models.FloatField(default=0)
    is_anchor = models.BooleanField(default=False)
    is_provisional = models.BooleanField(default=True)  # known too little for a rank
    is_settled = models.BooleanField(default=False)  # known so well that it plays seldom
    # Above capacity it waits until then for those of other owners; see ratings.turn_of.
    turn_at = models.DateTimeField(default=timezone.now)
    retest_until = models.PositiveIntegerField(default=0)  # sets before it may have a rank again
    luck_milli = models.IntegerField(default=0)  # taken off, as its owner tried many versions
    is_listed = models.BooleanField(default=True)
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
            ),
            models.Index(
                fields=["game", "seats", "is_provisional", "sets", "version"],
                name="rating_need",
                condition=Q(is_listed=True, is_settled=False, is_anchor=False),
            ),
            models.Index(
                fields=["game", "seats", "is_provisional", "-sets", "turn_at"],
                name="rating_begun",
                condition=Q(is_listed=True, is_settled=False, is_anchor=False),
            ),
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
    def low(self) -> float:
        return self.low_milli / 1000

    @property
    def high(self) -> float:
        return self.high_milli / 1000

    @property
    def interval(self) -> str:
        """The 95% interval in words, for the admin."""
        return interval_in_words(self.elo, self.low, self.high)

    @property
    def rated(self) -> Rated:
        return Rated(self.elo, self.low, self.high, self.sets, self.variance)


COUNTERS = ("sets", "plays", "score_sum", "points_sum", "points_square_sum")


class RatingChangeQuerySet(models.QuerySet["RatingChange"]):
    def last_up_to(self, board: Board, tick: int) -> RatingChangeQuerySet:
        """Of each rating on a board the last change up to a tick, by one seek.

        A board's ticks are numbered in the order of their ids.
        """
        until = Tick.objects.on(board).filter(number=tick).order_by().values("pk")
        changes = RatingChange.objects.filter(rating=OuterRef("pk"), tick__lte=Subquery(until))
        last = Subquery(changes.order_by("-tick_id").values("pk")[:1])
        return self.filter(pk__in=Rating.objects.on(board).values_list(last))

    def named(self, text: str) -> RatingChangeQuerySet:
        return self.filter(rating__in=Rating.objects.named(text))

    def add_up(self, ratings: Collection[int], since: int = 0) -> None:
        """Compute and write the totals of these ratings' histories again, from a tick's id on."""
        if not ratings:
            return
        table = RatingChange._meta.db_table
        before = (
            f"SELECT total_{{0}} FROM {table} AS b WHERE b.rating_id = c.rating_id"
            " AND b.tick_id < %s ORDER BY b.tick_id DESC LIMIT 1"
        )
        sums = ", ".join(
            f"SUM({name}) OVER so_far + COALESCE(({before.format(name)}), 0) AS {name}"
            for name in COUNTERS
        )
        totals = ", ".join(f"total_{name} = sums.{name}" for name in COUNTERS)
        places = ", ".join(["%s"] * len(ratings))
        with connections[self.db].cursor() as cursor:
            cursor.execute(
                f"UPDATE {table} SET {totals} FROM (SELECT id, {sums} FROM {table} AS c"
                f" WHERE rating_id IN ({places}) AND tick_id >= %s"
                " WINDOW so_far AS (PARTITION BY rating_id ORDER BY tick_id)) AS sums"
                f" WHERE sums.id = {table}.id",
                [*[since] * len(COUNTERS), *ratings, since],
            )


class RatingChange(models.Model):
    """What a version's rating was after a tick it played in: the history of a rating.

    It is what was known then: results of later ticks do not reach back.
    """

    tick = models.ForeignKey(Tick, on_delete=models.CASCADE, related_name="changes")
    # No index of its own: the constraint below begins with it.
    rating = models.ForeignKey(
        Rating, on_delete=models.CASCADE, related_name="changes", db_index=False
    )
    milli = models.IntegerField()
    low_milli = models.IntegerField()
    high_milli = models.IntegerField()
    is_provisional = models.BooleanField()
    sets = models.PositiveIntegerField()
    plays = models.PositiveIntegerField()
    score_sum = models.FloatField()  # over sets: share of opponents beaten
    points_sum = models.FloatField()  # over plays
    points_square_sum = models.FloatField()
    # The same sums over all ticks up to this one: a past ladder reads one row per rating.
    total_sets = models.PositiveIntegerField()
    total_plays = models.PositiveIntegerField()
    total_score_sum = models.FloatField()
    total_points_sum = models.FloatField()
    total_points_square_sum = models.FloatField()

    objects = RatingChangeQuerySet.as_manager()

    class Meta:
        ordering = ["tick"]
        constraints = [
            # By rating first: the newest change up to a tick is one seek.
            models.UniqueConstraint(fields=["rating", "tick"], name="one_change_per_rating")
        ]

    def __str__(self) -> str:
        return f"{self.rating_id} {self.milli} after {self.tick_id}"

    @property
    def elo(self) -> float:
        return self.milli / 1000

    @property
    def low(self) -> float:
        return self.low_milli / 1000

    @property
    def high(self) -> float:
        return self.high_milli / 1000


class BoardFit(models.Model):
    """How far a board's ratings are: who rates it again locks this row."""

    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    revision = models.PositiveIntegerField(default=0)  # grows with every fit
    dispersion = models.FloatField(default=1)  # of sets, compared with what the formula expects
    fitted_at = models.DateTimeField(null=True, blank=True)
    # The last look for what honest play hardly gives: how many versions had their first and later
    # plays compared, and the mean of z^2, which is 1 where nobody remembers.
    looked_at = models.DateTimeField(null=True, blank=True)
    later_versions = models.PositiveIntegerField(default=0)
    later_scatter = models.FloatField(default=1)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["game", "seats"], name="one_fit_per_board")]

    def __str__(self) -> str:
        return f"{Board(self.game, self.seats)} fit {self.revision}"


class ResultSegment(models.Model):
    """The results of many rated ticks of a board in few bytes, for a fit after a start."""

    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    data = models.BinaryField()

    class Meta:
        indexes = [models.Index(fields=["game", "seats"], name="segment_by_board")]

    def __str__(self) -> str:
        return f"{Board(self.game, self.seats)} segment {self.pk}"
