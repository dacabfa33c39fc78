"""`ladle mcp`: the kit as tools of a coding agent, over the Model Context Protocol."""

from __future__ import annotations

from typing import Annotated

import typer

from ladder.cli.output import show_json
from ladle.errors import Refusal

MISSING = "`ladle mcp` needs the package mcp: pip install 'ladle[mcp]'."


def mcp(
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the tools as JSON instead of serving them.")
    ] = False,
) -> None:
    """Serve Ladle's tools to a coding agent, over stdio.

    The agent starts this command by itself and speaks the Model Context Protocol with it. Every
    tool is stateless: bots and replays are files, and names of the server are ids. Tools for a
    server need LADLE_SERVER and LADLE_TOKEN, or `ladle login` before.

    Examples:

      [cyan]claude mcp add ladle -- ladle mcp[/cyan]
    """
    try:
        from ladder.cli.agents.serving import described, server
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("mcp"):
            raise
        raise Refusal(MISSING) from None
    if as_json:
        show_json(described())
        return
    server().run("stdio")
