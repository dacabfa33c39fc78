"""Tables at which people meet over the network: who was invited, who came, and what they played."""

from __future__ import annotations

import hashlib
import secrets

from django.db import models
from django.db.models import Q

from ladder.boards import Board, game_choices
from ladder.models.kept import KeptPlay
from ladder.models.match import Match
from ladder.models.remote import Attending

KEY_BYTES = 12  # of the link by which people are invited: nobody guesses 96 bits


def new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


class SharedTable(models.Model):
    """A table that one person made and others join by its link."""

    key = models.CharField(max_length=16, unique=True, default=new_key)
    game = models.CharField(max_length=40, choices=game_choices)
    # By seat: the short name of a house bot, or "" for a person.
    places = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    # Since everybody came.
    match = models.OneToOneField(
        Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="shared_table"
    )
    # Once it is over.
    play = models.ForeignKey(
        KeptPlay, null=True, blank=True, on_delete=models.SET_NULL, related_name="shared_tables"
    )

    def __str__(self) -> str:
        return f"shared table {self.pk}"

    @property
    def board(self) -> Board:
        return Board(self.game, len(self.places))


class Person(Attending):
    """Someone who has joined: a guest with a name, or a signed-in user."""

    table = models.ForeignKey(SharedTable, on_delete=models.CASCADE, related_name="people")
    seat = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=32)
    user = models.ForeignKey(
        "ladder.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    digest = models.CharField(max_length=64, unique=True)  # of the secret that only they have
    stream = models.CharField(max_length=16, blank=True, default="")
    process = models.CharField(max_length=80, blank=True, default="")
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name_plural = "people"
        constraints = [
            models.UniqueConstraint(fields=["table", "seat"], name="one_person_per_seat"),
            models.UniqueConstraint(
                fields=["table", "user"], condition=~Q(user=None), name="one_seat_per_user"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} at shared table {self.table_id}"

    @staticmethod
    def digest_of(secret: str) -> str:
        return hashlib.sha256(secret.encode()).hexdigest()

    @staticmethod
    def new_secret() -> str:
        return f"ladleseat_{secrets.token_urlsafe(32)}"
