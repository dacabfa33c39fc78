import re
from collections.abc import Iterable

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request


class AlwaysJSON(BaseContentNegotiation):
    """JSON wherever a view does not ask `wants`; a 406 would help nobody."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        content_type = (request.content_type or "").partition(";")[0].strip().lower()
        for parser in parsers:
            if parser.media_type == content_type:
                return parser
        return None

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


def wants(request: Request, media_type: str) -> bool:
    """Whether `Accept` names this very type; wildcards mean JSON, as everywhere."""
    named = request.headers.get("Accept", "").lower().split(",")
    return any(
        one.partition(";")[0].strip() == media_type and not re.search(r";\s*q=0(\.0*)?\s*$", one)
        for one in named
    )
