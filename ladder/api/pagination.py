"""Lists in pages: the cursors and page sizes that requests carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request

from ladder.queries.keyset import BadCursor, Cursor, Order

MAX_PAGE = 200
DEFAULT_PAGE = 50
PAGE_SIZE = {"type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": DEFAULT_PAGE}
LINK = {"type": "string", "nullable": True, "format": "uri"}
EXAMPLE = "https://ladle.example.org/api/v1/...?cursor="


class Pages(BasePagination):
    """Pages that cost the same however long the list is, but for a search in all names."""

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["results"],
            "properties": {
                "next": {**LINK, "example": f"{EXAMPLE}after.7"},
                "previous": {**LINK, "example": f"{EXAMPLE}before.9"},
                "results": schema,
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        parameters = [
            _parameter("cursor", "From `next` or `previous`.", {"type": "string"}),
            _parameter("page_size", "Number of results to return per page.", PAGE_SIZE),
        ]
        if orderings := getattr(view, "orderings", ()):
            schema = {"type": "string", "enum": list(orderings), "default": orderings[0]}
            text = "What to sort by; a dash means downwards."
            parameters.append(_parameter("ordering", text, schema))
        return parameters


def cursor_of(request: Request, order: Order) -> Cursor | None:
    """Where the page asked for begins. Anybody can write a cursor, so it may be anything at all."""
    text = request.query_params.get("cursor")
    try:
        return None if text is None else order.parse(text)
    except BadCursor:
        raise ValidationError(
            {"cursor": ["Not a cursor of this list. Leave it out to start at the first page."]}
        ) from None


def link(request: Request, cursor: Cursor | None) -> str | None:
    """The address of a neighbouring page."""
    if cursor is None:
        return None
    query = request.query_params.copy()
    query["cursor"] = str(cursor)
    return request.build_absolute_uri(f"?{query.urlencode()}")


def page_size_of(request: Request) -> int:
    """The page size asked for; one that makes no sense is refused rather than guessed."""
    text = request.query_params.get("page_size")
    if text is None:
        return DEFAULT_PAGE
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= MAX_PAGE):
        raise ValidationError({"page_size": [f"Must be a number from 1 to {MAX_PAGE}."]})
    return int(text)


def order_of(request: Request, allowed: Sequence[str]) -> Order:
    """The ordering asked for."""
    chosen = request.query_params.get("ordering", allowed[0])
    if chosen not in allowed:
        raise ValidationError({"ordering": [f"Allowed: {', '.join(allowed)}."]})
    if chosen.lstrip("-") == "created_at":  # rows are made in the order of their ids
        chosen = chosen.replace("created_at", "id")
    return Order("", chosen) if chosen.lstrip("-") == "id" else Order(chosen)


def _parameter(name: str, text: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": False,
        "description": text,
        "schema": schema,
    }
