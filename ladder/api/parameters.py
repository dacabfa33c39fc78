"""Parameters of lists, read from a query: what is not understood is refused, and the schema says
what is."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from engine.games import MAX_SEATS

TEXT: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 60}
ID: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 2**53}
SEATS: Any = OpenApiParameter("seats", {"type": "integer", "minimum": 1, "maximum": MAX_SEATS})
SEARCH = OpenApiParameter("search", TEXT)


def text_of(request: Request, name: str) -> str:
    """A text of 1 to 60 characters; empty when it is left out."""
    text = request.query_params.get(name)
    if text is None:
        return ""
    if not 0 < len(text) <= TEXT["maxLength"] or "\0" in text:
        raise ValidationError({name: ["It has 1 to 60 characters."]})
    return text


def number_of(request: Request, name: str, most: int) -> int | None:
    """A number from 1; None when it is left out."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 17 and 1 <= int(text) <= most):
        raise ValidationError({name: [f"It is a number from 1 to {most}."]})
    return int(text)


def flag_of(request: Request, name: str) -> bool:
    word = request.query_params.get(name, "false")
    if word not in ("true", "false"):
        raise ValidationError({name: ["It is true or false."]})
    return word == "true"
