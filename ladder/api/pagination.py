from typing import Any

from django.core.exceptions import ValidationError as NoValue
from django.db.models import QuerySet
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import Cursor as Position
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request

MAX_PAGE = 200
PAGE_SIZE = {"type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": 50}


class Cursor(CursorPagination):
    """Pages that cost the same however long the list is."""

    page_size = 50
    max_page_size = MAX_PAGE
    page_size_query_param = "page_size"
    ordering = "-id"

    def decode_cursor(self, request: Request) -> Position | None:
        """Where to go on. Anybody can write a cursor, so its position may be anything at all."""
        try:
            found = super().decode_cursor(request)
            if found is not None and found.position is not None:
                if "\0" in found.position:
                    raise NotFound
                self._sorted_by.to_python(found.position)
        except (NotFound, NoValue):
            raise ValidationError({"cursor": ["This is not a cursor of this list."]}) from None
        return found

    def get_page_size(self, request: Request) -> int:
        return page_size_of(request)

    def get_ordering(self, request: Request, queryset: QuerySet, view: Any) -> tuple[str, ...]:
        allowed = getattr(view, "orderings", ())
        chosen = request.query_params.get("ordering", allowed[0] if allowed else self.ordering)
        if allowed and chosen not in allowed:
            raise ValidationError({"ordering": [f"It can be {', '.join(allowed)}."]})
        self._sorted_by = queryset.model._meta.get_field(chosen.lstrip("-"))
        return (chosen,) if chosen.lstrip("-") == "id" else (chosen, "-id")

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        parameters = super().get_schema_operation_parameters(view)
        for parameter in parameters:
            if parameter["name"] == self.page_size_query_param:
                parameter["schema"] = PAGE_SIZE
        if orderings := getattr(view, "orderings", ()):
            schema = {"type": "string", "enum": list(orderings), "default": orderings[0]}
            parameters.append(
                {
                    "name": "ordering",
                    "in": "query",
                    "required": False,
                    "description": "What to sort by; a dash means downwards.",
                    "schema": schema,
                }
            )
        return parameters


def page_size_of(request: Request) -> int:
    """The page size asked for; one that makes no sense is refused rather than guessed."""
    text = request.query_params.get("page_size")
    if text is None:
        return Cursor.page_size
    if not (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= MAX_PAGE):
        raise ValidationError({"page_size": [f"A page has 1 to {MAX_PAGE} rows."]})
    return int(text)
