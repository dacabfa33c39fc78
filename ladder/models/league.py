from __future__ import annotations

from django.db import models

from ladder.boards import Board, game_choices


class Duel(models.Model):
    """A program against a house bot that marks a division: their rated sets, by score."""

    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    # The first version with this program, whose results count for all with the same one.
    version = models.ForeignKey("ladder.Version", on_delete=models.CASCADE, related_name="+")
    boss = models.ForeignKey("ladder.Bot", on_delete=models.CASCADE, related_name="+")
    counts = models.JSONField(default=list)  # of evenly spaced scores from 0 to 1
    llr = models.FloatField(default=0)
    verdict = models.CharField(max_length=12, default="continue")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["game", "seats", "version", "boss"], name="one_duel_per_boss"
            )
        ]

    def __str__(self) -> str:
        return f"{self.version_id} against {self.boss_id} on {self.game}/{self.seats}"


class Promotion(models.Model):
    """A bot has beaten a house bot on a board, as surely as a trial is decided."""

    bot = models.ForeignKey("ladder.Bot", on_delete=models.CASCADE, related_name="promotions")
    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    boss = models.ForeignKey("ladder.Bot", on_delete=models.CASCADE, related_name="+")
    version = models.ForeignKey("ladder.Version", on_delete=models.CASCADE, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["bot", "seats", "boss"], name="one_promotion_per_boss")
        ]

    def __str__(self) -> str:
        return f"{self.bot_id} beat {self.boss_id} on {self.game}/{self.seats}"

    @property
    def board(self) -> Board:
        return Board(self.game, self.seats)
