"""Parameters of lists, read from a query: what is not understood is refused, and the schema says
what is."""

from __future__ import annotations

from datetime import date
from typing import Any, TypeVar, get_args, get_type_hints

import msgspec
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from engine.games import MAX_SEATS
from ladder.contract import Filter

TEXT: dict[str, Any] = {"type": "string", "minLength": 1, "maxLength": 60}
ID: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 2**53}
YEARS = range(1970, 2200)  # others leave what databases and calendars can count
SEATS: Any = OpenApiParameter("seats", {"type": "integer", "minimum": 1, "maximum": MAX_SEATS})
F = TypeVar("F", bound=Filter)
SEARCH = OpenApiParameter("search", TEXT)


def text_of(request: Request, name: str) -> str:
    """A text of 1 to 60 characters; empty when it is left out."""
    text = request.query_params.get(name)
    if text is None:
        return ""
    if not 0 < len(text) <= TEXT["maxLength"] or "\0" in text:
        raise ValidationError({name: ["Must have 1 to 60 characters."]})
    return text


def number_of(request: Request, name: str, most: int) -> int | None:
    """A number from 1; None when it is left out."""
    text = request.query_params.get(name)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 17 and 1 <= int(text) <= most):
        raise ValidationError({name: [f"Must be a number from 1 to {most}."]})
    return int(text)


def flag_of(request: Request, name: str) -> bool:
    word = request.query_params.get(name, "false")
    if word not in ("true", "false"):
        raise ValidationError({name: ["Must be true or false."]})
    return word == "true"


class FilterParameters:
    """The filter of a list, for the schema."""

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        schemas = {name: _schema(kind) for name, kind in kinds(view.filter_by).items()}
        return [
            {
                "in": "query",
                "name": name,
                "schema": schema,
                **({"description": schema.pop("description")} if "description" in schema else {}),
            }
            for name, schema in schemas.items()
        ]


def kinds(filter_by: type[Filter]) -> dict[str, Any]:
    """The type of each parameter of a filter."""
    hints = get_type_hints(filter_by, include_extras=True)
    return {name: get_args(hints[name])[0] for name in filter_by.__struct_fields__}


def filter_of(request: Request, filter_by: type[F]) -> F:
    """The filter that a query holds; one that makes no sense is refused."""
    query = request.query_params
    return filter_by(
        **{
            name: _value(name, query[name], kind)
            for name, kind in kinds(filter_by).items()
            if name in query
        }
    )


def _value(name: str, text: str, kind: Any) -> Any:
    schema = _schema(kind)
    value: Any = text
    if schema["type"] == "boolean":
        value = {"true": True, "false": False}.get(text)
    elif schema["type"] == "integer":
        value = int(text) if text.isascii() and text.isdigit() and len(text) < 17 else None
    try:
        if "\0" in text or text not in schema.get("enum", [text]):
            value = None
        found = msgspec.convert(value, kind)
        if isinstance(found, date) and found.year not in YEARS:
            raise msgspec.ValidationError
        return found
    except msgspec.ValidationError:
        raise ValidationError({name: [_expected(schema)]}) from None


def _schema(kind: Any) -> dict[str, Any]:
    return {"type": "string", **msgspec.json.schema(kind)}


def _expected(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return f"Allowed: {', '.join(schema['enum'])}."
    if schema["type"] == "integer":
        return f"Must be a number from {schema['minimum']} to {schema['maximum']}."
    if schema["type"] == "boolean":
        return "Must be true or false."
    if "format" in schema:
        moment = "2026-11-17T00:00:00Z"
        is_day = schema["format"] == "date"
        return (
            f"It is a {'day' if is_day else 'moment'} such as {moment[:10] if is_day else moment}."
        )
    if "pattern" in schema:
        return str(schema["description"])
    return f"It has {schema['minLength']} to {schema['maxLength']} characters."
