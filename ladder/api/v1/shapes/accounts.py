from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ladder.api.v1.shapes.asked import Asked
from ladder.models import Token as TokenRow
from ladder.models import User as UserRow

ME = {
    "id": 3,
    "username": "alice",
    "email": "alice@example.org",
    "is_staff": False,
    "scope": "submit",
    "bots": 2,
    "date_joined": "2026-01-01T08:00:00Z",
}


@extend_schema_serializer(examples=[OpenApiExample("me", ME, response_only=True)])
class Me(serializers.ModelSerializer):
    scope = serializers.CharField(help_text="Of the token used; `session` for a signed-in page.")
    bots = serializers.IntegerField(source="bot_count")

    class Meta:
        model = UserRow
        fields = list(ME)


USER = {
    "username": "alice",
    "bots": 2,
    "date_joined": "2026-01-01T08:00:00Z",
    "page": "/users/alice/",
}


@extend_schema_serializer(examples=[OpenApiExample("an author", USER)])
class User(serializers.ModelSerializer):
    """What everyone may know of an author."""

    bots = serializers.IntegerField(source="bot_count")
    page = serializers.SerializerMethodField()

    class Meta:
        model = UserRow
        fields = list(USER)

    def get_page(self, user: UserRow) -> str:
        return reverse("user", args=[user.username])


TOKEN = {
    "id": 8,
    "name": "laptop",
    "scope": "submit",
    "prefix": "ladle_x9Qk2w",
    "created_at": "2026-03-01T12:00:00Z",
    "last_used_at": None,
    "expires_at": "2027-11-02T10:00:00Z",
}


@extend_schema_serializer(examples=[OpenApiExample("a token", TOKEN, response_only=True)])
class Token(serializers.ModelSerializer):
    scope = serializers.ChoiceField(choices=TokenRow.Scope.values)

    class Meta:
        model = TokenRow
        fields = list(TOKEN)


@extend_schema_serializer(
    examples=[
        OpenApiExample("a new token", TOKEN | {"secret": "ladle_x9Qk2w…"}, response_only=True)
    ]
)
class IssuedToken(Token):
    secret = serializers.CharField(
        allow_null=True,
        help_text="Shown once; null when a retry with an Idempotency-Key is answered again.",
    )

    class Meta:
        model = TokenRow
        fields = [*TOKEN, "secret"]


@extend_schema_serializer(
    examples=[OpenApiExample("ask", {"name": "laptop", "scope": "submit"}, request_only=True)]
)
class NewToken(Asked):
    name = serializers.RegexField(r"\S", max_length=60)
    scope = serializers.ChoiceField(choices=TokenRow.Scope.values, default=TokenRow.Scope.READ)
