from __future__ import annotations

from django.db import models
from django.db.models import Q

from ladder.boards import game_choices

FIRST_RATING, FIRST_DEVIATION = 1500.0, 350.0


class Puzzle(models.Model):
    """A position of a real play with one clearly best action."""

    key = models.CharField(max_length=64, unique=True)  # digest of the position
    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    # Where it comes from; null for the stock that games bring, or when the play was deleted.
    play = models.ForeignKey(
        "ladder.Play", null=True, blank=True, on_delete=models.SET_NULL, related_name="puzzles"
    )
    step = models.PositiveIntegerField()
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=40)
    options = models.PositiveSmallIntegerField()
    gap = models.IntegerField()  # to the next best action, in hundredths of a point
    error = models.IntegerField()
    content = models.BinaryField()  # gzipped JSON: the table as its seat sees it, and the grades
    rating = models.FloatField(default=FIRST_RATING)
    deviation = models.FloatField(default=FIRST_DEVIATION)
    answers = models.PositiveIntegerField(default=0)  # that counted
    solved = models.PositiveIntegerField(default=0)
    day = models.DateField(null=True, blank=True, unique=True)  # on which it is that of the day
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["game", "-id"], name="puzzle_by_game"),
            models.Index(fields=["-id"], name="puzzle_without_day", condition=Q(day=None)),
        ]

    def __str__(self) -> str:
        return f"puzzle {self.pk} of {self.game}"


class PuzzleAnswer(models.Model):
    """The one answer of a user to a puzzle that counts."""

    puzzle = models.ForeignKey(Puzzle, on_delete=models.CASCADE, related_name="given")
    user = models.ForeignKey("ladder.User", on_delete=models.CASCADE, related_name="+")
    action = models.CharField(max_length=1000)
    is_right = models.BooleanField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["user", "puzzle"], name="one_answer_per_puzzle")
        ]

    def __str__(self) -> str:
        return f"answer of {self.user_id} to puzzle {self.puzzle_id}"


class Solver(models.Model):
    """How well a user solves puzzles."""

    user = models.OneToOneField(
        "ladder.User", on_delete=models.CASCADE, primary_key=True, related_name="solver"
    )
    rating = models.FloatField(default=FIRST_RATING)
    deviation = models.FloatField(default=FIRST_DEVIATION)
    answered = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["-rating"], name="solver_by_rating")]

    def __str__(self) -> str:
        return f"solver {self.user_id}"
