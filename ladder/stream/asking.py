"""What a request asks for: which events, in which form, and from where on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from ladder.boards import BOARDS
from ladder.operation.addresses import client_address
from ladder.stream.hub import KINDS, Filter

PARAMETERS = ("kind", "bot", "board", "tournament", "after", "format")
MOST_VALUES = 50


class BadRequest(ValueError):
    """A sentence for whoever asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    filter: Filter
    is_sse: bool
    after: str | None  # as it was sent; None: from now on


def read(scope: dict[str, Any]) -> Asked:
    """The request as values; BadRequest says what is wrong with it."""
    text = scope.get("query_string", b"").decode("latin-1")
    try:
        query = parse_qs(text, keep_blank_values=True, max_num_fields=100)
    except ValueError:
        raise BadRequest("Too many parameters; at most 100 are read.") from None
    unknown = sorted(query.keys() - set(PARAMETERS))
    if unknown:
        allowed = ", ".join(PARAMETERS)
        raise BadRequest(f"Unknown parameter {unknown[0][:40]!r}. Allowed: {allowed}.")
    heads = headers(scope)
    form = query.get("format", [""])[-1]
    if form not in ("", "sse", "ndjson"):
        raise BadRequest(f"Unknown format {form[:20]!r}. Allowed: sse, ndjson.")
    wants_lines = "application/x-ndjson" in heads.get("accept", "")
    return Asked(
        filter=Filter(
            kinds=frozenset(_known("kind", _values(query, "kind"), KINDS)),
            bots=frozenset(_numbers("bot", _values(query, "bot"))),
            boards=frozenset(_known("board", _values(query, "board"), set(map(str, BOARDS)))),
            tournaments=frozenset(_numbers("tournament", _values(query, "tournament"))),
        ),
        is_sse=form == "sse" or (not form and not wants_lines),
        after=heads.get("last-event-id") or query.get("after", [None])[-1],
    )


def headers(scope: dict[str, Any]) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
    }


def address_of(scope: dict[str, Any]) -> str:
    """Who asks, as the site counts it."""
    peer = (scope.get("client") or ("",))[0]
    return client_address(peer, headers(scope).get("x-forwarded-for", ""))


def _values(query: dict[str, list[str]], name: str) -> list[str]:
    found = [value for text in query.get(name, []) for value in text.split(",") if value]
    if len(found) > MOST_VALUES:
        raise BadRequest(f"{name}: at most {MOST_VALUES} values are allowed.")
    return found


def _known(name: str, values: list[str], known: Any) -> list[str]:
    for value in values:
        if value not in known:
            allowed = ", ".join(sorted(known))
            raise BadRequest(f"Unknown {name} {value[:40]!r}. Allowed: {allowed}.")
    return values


def _numbers(name: str, values: list[str]) -> list[int]:
    for value in values:
        if not (value.isascii() and value.isdigit() and len(value) < 17):
            raise BadRequest(f"{name} is {value[:40]!r}; write a number.")
    return [int(value) for value in values]
