from __future__ import annotations

from django.db import models

from ladder.boards import Board, game_choices


class KeptPlay(models.Model):
    """A play of people, made in a browser's tab. It has no match and counts for no bot.

    One without an owner was shared by a guest: it is forgotten after some days.
    """

    owner = models.ForeignKey(
        "ladder.User", on_delete=models.CASCADE, related_name="kept_plays", null=True, blank=True
    )
    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    players = models.JSONField()  # by seat: name, and the SHA-256 of a bot's source; "" is a person
    places = models.JSONField()  # by seat
    points = models.JSONField()  # by seat
    digest = models.CharField(max_length=64)
    replay = models.FileField(max_length=200)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "digest"], name="one_kept_play_per_digest"),
            models.UniqueConstraint(
                fields=["digest"], condition=models.Q(owner=None), name="one_guest_play_per_digest"
            ),
        ]
        indexes = [
            models.Index(
                fields=["created_at"], condition=models.Q(owner=None), name="guest_plays_by_age"
            )
        ]

    def __str__(self) -> str:
        return f"play of {self.owner_id or 'a guest'} on {self.board}"

    @property
    def board(self) -> Board:
        return Board(self.game, self.seats)
