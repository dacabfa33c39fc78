from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.v1.shapes import accounts as shapes
from ladder.api.views import ApiView, ListView, UserRequest
from ladder.models import Token
from ladder.queries import accounts as queries
from ladder.services import accounts


class Me(ApiView):
    needs_user = True

    @extend_schema(operation_id="me_show", responses=shapes.Me)
    def get(self, request: UserRequest) -> Response:
        """Who one is to the server, and what the token may do."""
        return Response(_body(request))


class Tokens(ListView):
    request: UserRequest
    needs_user = True
    needs_sign_in = ("GET", "HEAD", "POST")  # a token made by a token would outlive it
    serializer_class = shapes.Token
    filter_backends = ()

    @extend_schema(operation_id="tokens_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One's tokens that work; signed in on the site, not by a token."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Token]:
        return queries.valid_tokens(self.request.user)

    @extend_schema(
        operation_id="tokens_create", request=shapes.NewToken, responses={201: shapes.IssuedToken}
    )
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Make a token, signed in on the site. Its secret is in this answer and never again."""
        asked = shapes.NewToken(data=request.data)
        asked.is_valid(raise_exception=True)
        token, secret = accounts.issue_token(user=request.user, **asked.validated_data)
        data = shapes.Token(token).data | {"secret": secret}
        headers = {
            "Location": reverse("api-token-detail", args=[token.pk]),
            "Cache-Control": "no-store",
        }
        return Response(data, status=201, headers=headers)


class TokenDetail(ApiView):
    needs_sign_in = ("DELETE",)

    @extend_schema(
        operation_id="tokens_revoke",
        request=None,
        responses={204: OpenApiResponse(description="It no longer works.")},
    )
    def delete(self, request: UserRequest, token: int) -> Response:
        """Revoke one of one's tokens, at once and for good; signed in, not by a token."""
        if not accounts.revoke_token(user=request.user, pk=token):
            raise Http404
        return Response(status=204)


def _body(request: UserRequest) -> dict[str, Any]:
    user: Any = request.user
    user.scope = request.auth.scope if isinstance(request.auth, Token) else "session"
    user.bot_count = queries.bot_count(user)
    return shapes.Me(user).data
