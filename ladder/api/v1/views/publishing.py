"""Trusted publishing: what a CI job's token is exchanged for."""

from __future__ import annotations

from django.http import HttpResponse
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.shape import shape
from ladder.api.v1.shapes.asked import Asked
from ladder.api.views import ApiView, encoded, made
from ladder.contract.publishing import Audience, PublishingToken
from ladder.services.publishing import trusted


@extend_schema_serializer(
    examples=[OpenApiExample("a job", {"bot": 12, "token": "eyJhbGciOi…"}, request_only=True)]
)
class Assertion(Asked):
    bot = serializers.IntegerField(min_value=1, max_value=2**53)
    token = serializers.RegexField(
        r"^[A-Za-z0-9_.=-]{1,8000}$",
        max_length=trusted.LONGEST,
        help_text="What the CI system signed for this job.",
    )


class TrustedPublishing(ApiView):
    authentication_classes = ()  # the token in the body says who asks
    permission_classes = ()
    more_problems = (403, 409)

    @extend_schema(
        operation_id="publishing_audience",
        auth=[],
        responses=shape(Audience, "an audience"),
    )
    def get(self, request: Request) -> HttpResponse:
        """The audience that a CI job must request its token for."""
        return encoded(request, Audience(audience=trusted.audience()))

    @extend_schema(
        operation_id="publishing_exchange",
        auth=[],
        request=Assertion,
        responses={201: shape(PublishingToken, "a token")},
    )
    def post(self, request: Request) -> Response:
        """Exchange a CI job's token for one that can submit one bot for ten minutes."""
        asked = Assertion(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        token, secret = trusted.exchange(bot=data["bot"], assertion=data["token"])
        told = PublishingToken(bot=data["bot"], token=secret, expires_at=token.expires_at)
        return made(told, status=201)
