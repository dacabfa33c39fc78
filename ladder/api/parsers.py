"""Reading request bodies without trusting them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser


def _no_constant(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


class StrictJSON(BaseParser):
    """JSON as the standard has it; what is nested beyond reason is refused, not a crash."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            return json.loads(stream.read(), parse_constant=_no_constant)
        except (ValueError, RecursionError) as error:
            raise ParseError(f"The body is not JSON: {error}") from None


class GzipFile(BaseParser):
    """A `.json.gz` file as it is; whoever reads it unpacks it with a bound."""

    media_type = "application/gzip"

    def parse(  # type: ignore[override]
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return stream.read()
