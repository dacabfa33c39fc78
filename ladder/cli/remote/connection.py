"""Talking to a server: which one, with which token, and what to say when it refuses."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.remote import config
from ladle.errors import Refusal

if TYPE_CHECKING:
    from ladder.client import ApiProblem, Client
    from ladder.contract.bots import Bot

LOG_IN = "log in first: `ladle login --server https://HOST`"
ServerOption = Annotated[
    str | None,
    typer.Option(
        "--server",
        metavar="URL",
        help="The Ladle server; else LADLE_SERVER, else what `ladle login` stored.",
    ),
]


LOOKED_THROUGH = 200  # bots among which a name like a wrong one is looked for
DEFAULT_SERVER = "http://localhost:8000"  # a site on the user's machine, by `make run`


def chosen_server(server: str | None) -> str:
    known = server or os.environ.get("LADLE_SERVER") or config.load().server
    return (known or DEFAULT_SERVER).rstrip("/")


def is_guessed(server: str | None) -> bool:
    """Whether nobody ever said which server is meant."""
    return not (server or os.environ.get("LADLE_SERVER") or config.load().server)


@contextmanager
def connected(server: str | None, token: str | None = None) -> Iterator[Client]:
    """A client of the chosen server; every refusal becomes one sentence."""
    from ladder.client import Unreachable

    url = chosen_server(server)
    if token is None:
        token = os.environ.get("LADLE_TOKEN") or config.load().tokens.get(url, "")
    with plain_errors(), _client(url, token) as client:
        try:
            yield client
        except Unreachable:
            if is_guessed(server):
                raise Refusal(f"{LOG_IN} (no server is known, and none runs at {url}).") from None
            raise


@contextmanager
def plain_errors() -> Iterator[None]:
    from ladder.client import ApiProblem, ClientError

    try:
        yield
    except ApiProblem as problem:
        raise Refusal(_sentence(problem)) from None
    except ClientError as error:
        raise Refusal(f"{error}.") from None


def _client(url: str, token: str) -> Client:
    from ladder.client import Client

    if not url.startswith(("http://", "https://")):
        raise Refusal(f"'{url}' is not a server's address: write it as https://host.")
    return Client(url, token)


def _sentence(problem: ApiProblem) -> str:
    if problem.code == "read_only_token":
        return "this token can only read; make one that can submit, and run `ladle login` again."
    if problem.code == "authentication_failed":
        return "the server does not know this token: make one on the site, under your account."
    if problem.status == 401:
        return f"{LOG_IN}, with a valid token: you make one on the site, under your account."
    if problem.status == 429 and problem.retry_after_s is not None:
        sentence = str(problem).rstrip(".")
        if problem.code == "throttled":
            sentence = "too many requests"
        return f"{sentence}; try again in {problem.retry_after_s:.0f} s."
    if problem.status >= 500:
        return f"the server failed ({problem.status}); the fault is its own."
    return str(problem)


def find_bot(client: Client, text: str, **filters: Any) -> Bot:
    """A bot on the server, by its id or its name; names are unique within a game."""
    if text.isascii() and text.isdigit():
        return client.bot(int(text))
    named = [bot for bot in client.bots(search=text, **filters) if bot.name.lower() == text.lower()]
    if not named:
        others = client.bots(search=text) if filters else ()
        there = [bot for bot in others if bot.name.lower() == text.lower()]
        if there and filters.get("mine"):
            raise Refusal(f"'{text}' is {there[0].owner}'s bot, not yours.")
        if there:
            raise Refusal(f"'{text}' plays {there[0].game}, not {filters['game']}.")
        raise Refusal(f"the server has no bot named '{text}'.{_hint(client, text, filters)}")
    if len(named) > 1:
        ids = ", ".join(f"{bot.id} ({bot.game})" for bot in named)
        raise Refusal(f"several bots are named '{text}'; give one of their ids: {ids}.")
    return named[0]


def _hint(client: Client, text: str, filters: dict[str, Any]) -> str:
    """Names like the one that was not found, among those that share its beginning."""
    from difflib import get_close_matches

    near = islice(client.bots(search=text[:2], **filters), LOOKED_THROUGH)
    names = {bot.name.lower(): bot.name for bot in near}
    close = [f"'{names[name]}'" for name in get_close_matches(text.lower(), names, n=2)]
    return f" Did you mean {' or '.join(close)}?" if close else ""


def as_json(value: Any) -> Any:
    """A client's value as JSON."""
    import msgspec

    return msgspec.to_builtins(value)
