from __future__ import annotations

from django.db import models

from ladder.boards import Board, game_choices


class Finding(models.Model):
    """Results that honest play would hardly give, for operators to look at; nothing follows."""

    class Kind(models.TextChoices):
        PAIR = "pair", "two bots"
        OWNERS = "owners", "bots of two accounts"
        LINKED = "linked", "bots of an account and of accounts linked to it"
        LATER = "later", "later plays of a set"
        TEAM = "team", "team tables"

    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    bot = models.ForeignKey("ladder.Bot", null=True, on_delete=models.CASCADE, related_name="+")
    other_bot = models.ForeignKey(
        "ladder.Bot", null=True, on_delete=models.CASCADE, related_name="+"
    )
    user = models.ForeignKey("ladder.User", null=True, on_delete=models.CASCADE, related_name="+")
    other_user = models.ForeignKey(
        "ladder.User", null=True, on_delete=models.CASCADE, related_name="+"
    )
    version = models.ForeignKey(
        "ladder.Version", null=True, on_delete=models.CASCADE, related_name="+"
    )
    sets = models.PositiveIntegerField()
    scored = models.FloatField()  # of what could be won; of a team, its rating there
    expected = models.FloatField()  # or the first plays', or the rating with separate seats
    z = models.FloatField()  # standard deviations
    q = models.FloatField()  # of findings like this one, the share that is chance
    found_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["q", "-z"]
        indexes = [models.Index(fields=["game", "seats"], name="finding_by_board")]

    def __str__(self) -> str:
        return f"{self.board} {self.get_kind_display()}: z {self.z:.1f}"

    @property
    def board(self) -> Board:
        return Board(self.game, self.seats)


class SeenAddress(models.Model):
    """That an account signed up or in from an address, of which only a keyed hash is stored."""

    user = models.ForeignKey("ladder.User", on_delete=models.CASCADE, related_name="seen_addresses")
    digest = models.CharField(max_length=32)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "digest"], name="one_row_per_address")
        ]
        indexes = [
            models.Index(fields=["digest"], name="seen_by_address"),
            models.Index(fields=["last_at"], name="seen_by_end"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} from {self.digest[:6]}"
