from __future__ import annotations

from typing import Any

from django_filters import rest_framework as django_filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api import filters
from ladder.api.v1.shapes import accounts as shapes
from ladder.api.views import DetailView, ListView
from ladder.queries import accounts


class UserFilter(django_filters.FilterSet):
    search = filters.Text(field_name="username", lookup_expr="icontains")


class Users(ListView):
    queryset = accounts.with_bot_count()
    serializer_class = shapes.User
    filter_backends = [filters.Backend]
    filterset_class = UserFilter

    @extend_schema(operation_id="users_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Authors, newest first."""
        return super().get(request, *args, **kwargs)


class UserDetail(DetailView):
    queryset = accounts.with_bot_count()
    serializer_class = shapes.User
    lookup_field = "username__iexact"
    lookup_url_kwarg = "username"

    @extend_schema(operation_id="users_show")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One author; `bots/?owner=` lists their bots."""
        return super().get(request, *args, **kwargs)
