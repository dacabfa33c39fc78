"""`ladle login`: remember a server and its token."""

from __future__ import annotations

from typing import Annotated

import typer

from ladder.cli.arguments import JsonOption
from ladder.cli.output import show_json
from ladder.cli.remote import config
from ladder.cli.remote.connection import ServerOption, chosen_server, plain_errors
from ladle.errors import Refusal


def login(
    server: ServerOption = None,
    token: Annotated[
        str | None,
        typer.Option("--token", metavar="TOKEN", help="The token; asked for if not given."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Save your API token on this machine.

    Make a token on the site, under your account. It is saved in a file that only you can read.

    Examples:

      [cyan]ladle login --server https://ladle.example.org[/cyan]
    """
    from ladder.client import Client

    url = chosen_server(server)
    if not url.startswith(("http://", "https://")):
        raise Refusal(f"'{url}' is not a server's address: write it as https://host.")
    secret = (token or typer.prompt(f"Token for {url}", hide_input=True, err=True)).strip()
    if not secret.isascii() or not secret.isprintable() or " " in secret:
        raise Refusal("that is not a token: a token begins with ladle_.")
    with plain_errors(), Client(url, secret) as client:
        me = client.me()
    known = config.load()
    known.server = url
    known.tokens[url] = secret
    path = config.save(known)
    if as_json:
        show_json({"server": url, "username": me.username, "scope": me.scope, "file": str(path)})
        return
    may = "read and submit" if me.scope == "submit" else "read"
    typer.echo(f"Signed in as {me.username} at {url}; this token can {may}. Saved in {path}.")
