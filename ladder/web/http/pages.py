"""What most pages share: one URL for a page and its fragment, and who may see what."""

from __future__ import annotations

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from engine.errors import BadSetup
from ladder.boards import Board
from ladder.contract.bots import ShownBot
from ladder.queries import bots
from ladder.queries.keyset import BadCursor, Cursor, Order
from ladder.services.accounts import User


class SignedInRequest(HttpRequest):
    """A request behind `login_required`; for annotations."""

    user: User


def page_or_fragment(
    request: HttpRequest, page: str, fragment: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The whole page, or only its live part when htmx asks for it."""
    template = fragment if request.headers.get("HX-Request") == "true" else page
    response = render(request, template, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def board_or_404(slug: str, seats: int) -> Board:
    try:
        return Board.parse(slug, seats)
    except BadSetup as error:
        raise Http404(str(error)) from None


def bot_or_404(request: HttpRequest, pk: int, game: str | None = None) -> ShownBot:
    """A bot that is listed for the visitor."""
    bot = bots.find(pk, request.user, game)
    if bot is None:
        raise Http404
    return bot


def owned_bot_or_404(request: HttpRequest, pk: int) -> ShownBot:
    """A bot of the visitor's own; to strangers, not found."""
    bot = bot_or_404(request, pk)
    if not bot.is_managed_by(request.user):
        raise Http404
    return bot


def cursor_or_none(text: str | None, order: Order) -> Cursor | None:
    """Where a page begins; a text that is no cursor means the first page."""
    try:
        return order.parse(text) if text else None
    except BadCursor:
        return None


def words(text: str | None, most: int) -> str:
    """A text from a request, cut to a length; without NUL, which PostgreSQL cannot take."""
    return (text or "").replace("\0", "").strip()[:most]


def number(text: str | None) -> int | None:
    """A whole number from a query, or None for anything else."""
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 18 else None


def json_object(body: bytes) -> dict[str, Any] | None:
    """The JSON object that a body holds, or None; what is nested beyond reason is none."""
    try:
        given = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) else None
