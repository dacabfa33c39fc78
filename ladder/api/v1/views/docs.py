"""The schema, for machines and as a page to read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from ladder.api.views import ApiView, tagged

METHODS = ("get", "post", "put", "patch", "delete")


@cache
def schema() -> dict[str, Any]:
    """The description of this version, the same for everybody; made once, as it takes a while."""
    generator: Any = SchemaGenerator
    found: dict[str, Any] = generator(api_version=None).get_schema(request=None, public=True)
    return found


@cache
def _schema_bytes() -> bytes:
    return json.dumps(schema()).encode()


class Schema(ApiView):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        content_type = "application/vnd.oai.openapi+json"
        return tagged(request, HttpResponse(_schema_bytes(), content_type=content_type))


@dataclass(frozen=True)
class Field:
    """Something that a request may bring."""

    name: str
    kind: str
    is_required: bool
    description: str


@dataclass(frozen=True)
class Operation:
    """One address with its method, as the page shows it."""

    name: str
    method: str
    path: str
    summary: str
    description: str
    needs_token: bool
    asked: list[Field]
    headers: list[Field]
    sent: list[Field]
    example: str
    errors: list[tuple[str, str]]


def docs(request: HttpRequest) -> HttpResponse:
    """All addresses on one page of the site: no script, nothing from outside."""
    return render(request, "ladder/docs/api.html", {"groups": groups()})


@cache
def groups() -> dict[str, list[Operation]]:
    """The operations, by what they are about."""
    found: dict[str, list[Operation]] = {}
    for path, item in schema()["paths"].items():
        for method in METHODS:
            if method in item:
                found.setdefault(item[method]["tags"][0], []).append(
                    _operation(method, path, item[method])
                )
    return found


def _operation(method: str, path: str, data: dict[str, Any]) -> Operation:
    answers = data["responses"]
    summary, description = data.get("summary", ""), data.get("description", "")
    return Operation(
        name=data["operationId"],
        method=method.upper(),
        path=path,
        summary=summary,
        description=description.removeprefix(summary).strip(),
        needs_token={} not in data.get("security", [{}]),
        asked=_parameters(data, "path", "query"),
        headers=_parameters(data, "header"),
        sent=_sent(data.get("requestBody", {}).get("content", {})),
        example=_example(answers),
        errors=[(code, one["description"]) for code, one in answers.items() if code >= "4"],
    )


def _parameters(data: dict[str, Any], *places: str) -> list[Field]:
    return [
        Field(one["name"], _kind(one["schema"]), one.get("required", False), _words(one))
        for one in data.get("parameters", [])
        if one["in"] in places
    ]


def _sent(content: dict[str, Any]) -> list[Field]:
    for part in content.values():
        shape = _resolved(part["schema"])
        required = shape.get("required", [])
        return [
            Field(name, _kind(one), name in required, _words(one))
            for name, one in shape.get("properties", {}).items()
        ]
    return []


def _example(answers: dict[str, Any]) -> str:
    for code, answer in answers.items():
        for part in answer.get("content", {}).values() if code < "3" else ():
            for example in part.get("examples", {}).values():
                return json.dumps(example["value"], indent=2, ensure_ascii=False)
    return ""


def _kind(shape: dict[str, Any]) -> str:
    """A value's type in a word or two."""
    shape = _resolved(shape)
    if "enum" in shape:
        return " | ".join(str(one) for one in shape["enum"])
    if "type" not in shape:
        parts = shape.get("oneOf", shape.get("anyOf", shape.get("allOf", [])))
        return " | ".join(dict.fromkeys(_kind(part) for part in parts)) or "any"
    kinds = shape["type"] if isinstance(shape["type"], list) else [shape["type"]]
    if kinds[0] == "array":
        return f"list of {_kind(shape.get('items', {}))}"
    return " | ".join(kinds) + (f" ({shape['format']})" if "format" in shape else "")


def _words(data: dict[str, Any]) -> str:
    return str(data.get("description", ""))


def _resolved(shape: dict[str, Any]) -> dict[str, Any]:
    name = shape.get("$ref", "").rpartition("/")[2]
    return schema()["components"]["schemas"][name] if name else shape
