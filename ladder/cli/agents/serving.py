"""The tools as a server: how they are described to an agent, and how refusals reach it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from engine.errors import EngineError
from ladder.cli.agents import site, tools
from ladle.errors import Refusal
from sandbox.errors import SandboxError

INSTRUCTIONS = """\
Write bots for Ladle's tabletop games. Order of work: games, rules, new_bot, edit the file, check,
play, arena against random, then greedy and stronger house bots; explain_decision and replay_at show
where a play was lost; submit, wait_for_verdict, standings. Every answer has `next`. Everything is a
file or an id, and calling a tool twice does no harm.
"""
TOOLS: tuple[Callable[..., dict[str, Any]], ...] = (
    tools.games,
    tools.rules,
    tools.new_bot,
    tools.check,
    tools.play,
    tools.arena,
    tools.explain_decision,
    tools.replay_at,
    site.submit,
    site.wait_for_verdict,
    site.standings,
)


def server() -> MCPServer:
    made = MCPServer("ladle", instructions=INSTRUCTIONS, log_level="WARNING")
    for tool in TOOLS:
        made.add_tool(_guarded(tool), structured_output=False)
    return made


def described() -> list[dict[str, str]]:
    """The tools by name, with what they do."""
    return [{"name": tool.__name__, "does": str(tool.__doc__).strip()} for tool in TOOLS]


def _guarded(tool: Callable[..., dict[str, Any]]) -> Callable[..., Any]:
    """What cannot be done is a sentence for the agent."""

    @wraps(tool)
    def guarded(**given: Any) -> dict[str, Any]:
        try:
            return tool(**given)
        except (Refusal, EngineError, SandboxError) as error:
            raise ToolError(str(error)) from None

    return guarded
