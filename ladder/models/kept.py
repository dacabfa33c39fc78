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


class DailyDeal(models.Model):
    """One deal of a game for a day: everyone plays the same luck against the same house bot.

    Its seed is drawn when its day has begun, so nobody knows it before.
    """

    day = models.DateField()
    game = models.CharField(max_length=40, choices=game_choices)
    seats = models.PositiveSmallIntegerField()
    seed = models.BigIntegerField()
    rival = models.CharField(max_length=40)  # the house bot at the other seats
    # What house bots made of it in a person's place: bot, place, points and lead of each.
    house = models.JSONField(default=list)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["day", "game"], name="one_deal_per_day")]
        indexes = [models.Index(fields=["game", "-id"], name="deals_by_game")]

    def __str__(self) -> str:
        return f"deal of {self.game} on {self.day}"


class DailyTry(models.Model):
    """The one try of a user at a deal that counts; it has no result until it is over."""

    deal = models.ForeignKey(
        DailyDeal, on_delete=models.CASCADE, related_name="tries", db_index=False
    )
    user = models.ForeignKey(
        "ladder.User", on_delete=models.CASCADE, related_name="daily_tries", db_index=False
    )
    day = models.DateField()  # of its deal
    ticket = models.CharField(max_length=32)  # known to the browser in which it was begun
    started_at = models.DateTimeField(auto_now_add=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    points = models.IntegerField(null=True, blank=True)
    lead = models.IntegerField(null=True, blank=True)  # over the best other seat
    digest = models.CharField(max_length=64, blank=True)  # of the replay that the referee followed

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["deal", "user"], name="one_try_per_deal")]
        indexes = [
            models.Index(
                fields=["deal", "place", "-lead", "finished_at"],
                condition=models.Q(finished_at__isnull=False),
                name="tries_by_result",
            ),
            models.Index(fields=["user", "-day"], name="tries_by_day"),
        ]

    def __str__(self) -> str:
        return f"try of {self.user_id} at deal {self.deal_id}"
