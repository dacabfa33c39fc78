from __future__ import annotations

import msgspec
from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.pagination import cursor_of, page_size_of
from ladder.api.v1.shapes import accounts as shapes
from ladder.api.views import ApiView, PagesView, UserRequest, encoded
from ladder.contract import accounts as contract
from ladder.queries import accounts as queries
from ladder.services import accounts


class Me(ApiView):
    needs_user = True

    @extend_schema(operation_id="me_show", responses=shapes.Me)
    def get(self, request: UserRequest) -> HttpResponse:
        """The current user and the token's scope."""
        user = request.user
        me = contract.Me(
            id=user.pk,
            username=user.username,
            email=user.email,
            is_staff=user.is_staff,
            scope=getattr(request.auth, "scope", "session"),
            bots=queries.bot_count(user.pk),
            date_joined=user.date_joined,
        )
        return encoded(request, me)


class Tokens(PagesView):
    needs_user = True
    needs_sign_in = ("GET", "HEAD", "POST")  # a token made by a token would outlive it

    @extend_schema(operation_id="tokens_list", responses=shapes.Token(many=True))
    def get(self, request: UserRequest) -> HttpResponse:
        """List your active tokens (with a session, not a token)."""
        at, size = cursor_of(request, queries.NEWEST), page_size_of(request)
        return self.answer(queries.tokens(request.user.pk, at, size))

    @extend_schema(
        operation_id="tokens_create", request=shapes.NewToken, responses={201: shapes.IssuedToken}
    )
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Create a token (with a session). Its secret is shown in this answer only."""
        asked = shapes.NewToken(data=request.data)
        asked.is_valid(raise_exception=True)
        token, secret = accounts.issue_token(user=request.user, **asked.validated_data)
        fields = {name: getattr(token, name) for name in contract.Token.__struct_fields__}
        issued = contract.IssuedToken(**fields, secret=secret)
        headers = {
            "Location": reverse("api-token-detail", args=[token.pk]),
            "Cache-Control": "no-store",
        }
        return Response(msgspec.to_builtins(issued), status=201, headers=headers)


class TokenDetail(ApiView):
    needs_sign_in = ("DELETE",)

    @extend_schema(
        operation_id="tokens_revoke",
        request=None,
        responses={204: OpenApiResponse(description="It no longer works.")},
    )
    def delete(self, request: UserRequest, token: int) -> Response:
        """Revoke one of your tokens at once (with a session, not a token)."""
        if not accounts.revoke_token(user=request.user, pk=token):
            raise Http404
        return Response(status=204)
