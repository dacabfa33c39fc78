from __future__ import annotations

from django.db import models

from ladder.boards import game_choices


class Draft(models.Model):
    """A bot being written, saved to its author's account; nobody else sees it."""

    owner = models.ForeignKey("ladder.User", on_delete=models.CASCADE, related_name="drafts")
    game = models.CharField(max_length=40, choices=game_choices)
    slot = models.CharField(max_length=60)  # its language, and what it was begun from
    files = models.JSONField()  # texts by name
    revision = models.PositiveIntegerField(default=1)  # counts the saves
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "game", "slot"], name="one_draft_per_slot")
        ]

    def __str__(self) -> str:
        return f"draft {self.slot} of {self.owner_id} for {self.game}"


class SharedDraft(models.Model):
    """A copy of a draft that anyone with its link can read. It never changes."""

    token = models.CharField(max_length=32, unique=True)  # a secret: the link has it
    owner = models.ForeignKey("ladder.User", on_delete=models.CASCADE, related_name="shared_drafts")
    game = models.CharField(max_length=40, choices=game_choices)
    language = models.CharField(max_length=16)
    files = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"shared draft {self.pk} of {self.owner_id}"
