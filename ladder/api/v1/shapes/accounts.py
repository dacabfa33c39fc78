from __future__ import annotations

from typing import get_args

from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from rest_framework import serializers

from ladder.api.shape import shape
from ladder.api.v1.shapes.asked import Asked
from ladder.contract import accounts

Me = shape(accounts.Me, "me")
User = shape(accounts.User, "an author")
Token = shape(accounts.Token, "a token")
IssuedToken = shape(accounts.IssuedToken, "a new token")


@extend_schema_serializer(
    examples=[OpenApiExample("ask", {"name": "laptop", "scope": "submit"}, request_only=True)]
)
class NewToken(Asked):
    name = serializers.RegexField(r"\S", max_length=60)
    scope = serializers.ChoiceField(choices=get_args(accounts.Scope), default="read")
