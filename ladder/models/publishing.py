from __future__ import annotations

from django.db import models


class TrustedPublisher(models.Model):
    """A workflow of a repository whose jobs may submit versions of a bot."""

    bot = models.ForeignKey("ladder.Bot", on_delete=models.CASCADE, related_name="publishers")
    issuer = models.CharField(max_length=200)
    repository = models.CharField(max_length=140)  # owner/name, for people; it can change hands
    repository_id = models.CharField(max_length=20)  # this one cannot
    workflow = models.CharField(max_length=120)  # its file, `submit.yml`
    environment = models.CharField(max_length=80, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["bot", "issuer", "repository_id", "workflow", "environment"],
                name="one_row_per_publisher",
            )
        ]

    def __str__(self) -> str:
        return f"{self.repository} {self.workflow}"


class UsedAssertion(models.Model):
    """A job's token that was exchanged: it works once."""

    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.digest
