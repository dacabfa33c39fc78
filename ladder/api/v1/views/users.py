from __future__ import annotations

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ladder.api.pagination import cursor_of, page_size_of
from ladder.api.parameters import SEARCH, text_of
from ladder.api.v1.shapes.accounts import User as UserShape
from ladder.api.views import ApiView, PagesView, encoded
from ladder.contract.accounts import Author, User
from ladder.queries import accounts


class Users(PagesView):
    own_parameters = ("search",)

    @extend_schema(operation_id="users_list", responses=UserShape(many=True), parameters=[SEARCH])
    def get(self, request: Request) -> HttpResponse:
        """Authors, newest first."""
        at, size = cursor_of(request, accounts.NEWEST), page_size_of(request)
        page = accounts.authors(at, size, search=text_of(request, "search"))
        return self.answer(page.of(_with_page))


class UserDetail(ApiView):
    @extend_schema(operation_id="users_show", responses=UserShape)
    def get(self, request: Request, username: str) -> HttpResponse:
        """One author; `bots/?owner=` lists their bots."""
        number = accounts.number_of(username)
        if number is None:
            raise Http404
        return encoded(request, _with_page(accounts.author(number)))


def _with_page(author: Author) -> User:
    fields = {name: getattr(author, name) for name in author.__struct_fields__}
    return User(**fields, page=reverse("user", args=[author.username]))
