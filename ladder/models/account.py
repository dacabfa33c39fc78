from __future__ import annotations

import hashlib
import secrets
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower
from django.db.models.lookups import Exact
from django.utils import timezone

from ladder.models.names import look

# A user's page is at this name, so it is a word that every browser leaves as it is.
USERNAME = RegexValidator(
    r"^[A-Za-z0-9](?:[A-Za-z0-9_.\-]{0,28}[A-Za-z0-9])?\Z",
    "A name has up to 30 letters, digits, dots, dashes or underscores, and begins and ends with a"
    " letter or digit.",
)


def is_called(name: str) -> Exact:
    """By the index one_user_per_name, which `iexact` would not use in SQLite."""
    return Exact(Lower("username"), name.lower())


class User(AbstractUser):
    """An author, an organiser or an operator."""

    username = models.CharField(
        max_length=30,
        unique=True,
        validators=[USERNAME],
        error_messages={"unique": "That name is taken."},
    )
    name_look = models.CharField(max_length=30, default="", editable=False, db_index=True)
    email = models.EmailField()
    is_suspended = models.BooleanField(default=False)
    profile = models.TextField(blank=True, default="")  # Markdown, for everyone
    deleted_at = models.DateTimeField(null=True, blank=True)  # by the user; only a number is left

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(Lower("username"), name="one_user_per_name"),
            models.UniqueConstraint(
                Lower("email"), name="one_user_per_email", condition=~models.Q(email="")
            ),
        ]

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.name_look = look(self.username)
        super().save(*args, **kwargs)


class SignedIn(models.Model):
    """A session of a user, to be listed and ended; the session itself is Django's."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="signed_in")
    session_key = models.CharField(max_length=40, unique=True)
    agent = models.CharField(max_length=160, blank=True)  # what the browser calls itself
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.user} since {self.created_at}"


class TokenQuerySet(models.QuerySet["Token"]):
    def live(self) -> TokenQuerySet:
        return self.unexpired().filter(user__is_active=True, user__is_suspended=False)

    def unexpired(self) -> TokenQuerySet:
        return self.filter(revoked_at=None, expires_at__gt=timezone.now())

    def by_secret(self, secret: str) -> Token | None:
        """The live token of that secret, if any."""
        return self.live().select_related("user").filter(digest=Token.digest_of(secret)).first()


def token_end() -> datetime:
    return timezone.now() + settings.TOKEN_LIFE


class Token(models.Model):
    """An API token. The secret is shown once; only its hash is stored."""

    class Scope(models.TextChoices):
        READ = "read", "read"
        SUBMIT = "submit", "read and submit"
        PUBLISH = "publish", "submit one bot"  # a CI job's, for minutes

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    scope = models.CharField(max_length=10, choices=Scope, default=Scope.READ)
    bot = models.ForeignKey("ladder.Bot", null=True, blank=True, on_delete=models.CASCADE)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(default=token_end)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = TokenQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

    @staticmethod
    def digest_of(secret: str) -> str:
        # A random 256-bit secret needs no slow hash: there is nothing to guess.
        return hashlib.sha256(secret.encode()).hexdigest()

    @classmethod
    def issue(cls, *, user: User, name: str, scope: str) -> tuple[Token, str]:
        """A new token and its secret, which is never seen again."""
        secret = f"ladle_{secrets.token_urlsafe(32)}"
        token = cls.objects.create(
            user=user, name=name, scope=scope, prefix=secret[:12], digest=cls.digest_of(secret)
        )
        return token, secret


class IdempotencyKey(models.Model):
    """The first answer to a POST, given again when the same key comes back."""

    user = models.ForeignKey(User, on_delete=models.CASCADE)
    key = models.CharField(max_length=100)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)  # null while the first is under way
    body = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_per_key")]

    def __str__(self) -> str:
        return self.key


class AuditEntry(models.Model):
    """Who did what to whom, and why: every act of an operator."""

    actor = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    verb = models.CharField(max_length=40)
    target = models.CharField(max_length=120)
    why = models.TextField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.actor} {self.verb} {self.target}"
