"""Filters that refuse what they do not understand, and say so in the schema."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.views import APIView

from engine.games import GAMES, MAX_SEATS


class Backend(filters.DjangoFilterBackend):
    """An empty value is a mistake, not a filter that is left out."""

    def filter_queryset(self, request: Request, queryset: QuerySet, view: APIView) -> QuerySet:
        names = getattr(view, "filterset_class", None)
        for name in names.base_filters if names else ():
            if request.query_params.get(name) == "":
                raise ValidationError({name: ["This filter is empty."]})
        return super().filter_queryset(request, queryset, view)


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": 2**53})
class Id(filters.NumberFilter):
    field_class = forms.IntegerField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, min_value=1, max_value=2**53, **kwargs)

    def get_max_validator(self) -> None:
        return None


@extend_schema_field({"type": "integer", "minimum": 1, "maximum": MAX_SEATS})
class Seats(filters.NumberFilter):
    field_class = forms.IntegerField

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, min_value=1, max_value=MAX_SEATS, **kwargs)

    def get_max_validator(self) -> None:
        return None


@extend_schema_field({"type": "boolean"})
class Flag(filters.TypedChoiceFilter):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        words = [("true", "true"), ("false", "false")]
        super().__init__(*args, choices=words, coerce=lambda word: word == "true", **kwargs)


@extend_schema_field({"type": "string", "minLength": 1, "maxLength": 60})
class Text(filters.CharFilter):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, max_length=60, strip=False, **kwargs)


@extend_schema_field({"type": "string", "enum": list(GAMES)})
class Game(filters.ChoiceFilter):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, choices=[(slug, slug) for slug in GAMES], **kwargs)


def one_of(words: list[str], **options: Any) -> filters.ChoiceFilter:
    found = filters.ChoiceFilter(choices=[(word, word) for word in words], **options)
    return extend_schema_field({"type": "string", "enum": words})(found)
