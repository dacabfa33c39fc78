"""A coding agent, scripted, goes over real stdio from nothing to a ranked bot."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

from tests import servers
from tests.servers import PYTHON, ROOT, Server, free_port, manage, product_environment

pytestmark = [pytest.mark.jail, pytest.mark.services]

ACCOUNT = """
from ladder.models import Bot, Token
from tests.factories import make_user
# One board alone, so that its few bots soon know each other.
Bot.objects.exclude(game="ramen_ramen").update(status="retired")
Bot.objects.update(seat_counts=[2])
print(Token.issue(user=make_user("robin"), name="agent", scope=Token.Scope.SUBMIT)[1])
"""
# What an agent would write after reading the rules: a house bot with weights of its own.
GREEDY = (ROOT / "engine/games/ramen_ramen/bots/greedy_bot.py").read_text()
BOT = GREEDY.replace("0.05 * total", "0.08 * total")


@pytest.fixture
def site(tmp_path: Path) -> Iterator[dict[str, str]]:
    """Web, worker and scheduler of a site, and the environment of an agent with a token."""
    port, log = free_port(), tmp_path / "site.log"
    environment = product_environment(tmp_path / "var")
    manage(environment, "prepare", "--no-demo")
    token = manage(environment, "shell", "-v0", "-c", ACCOUNT).splitlines()[-1]
    argv = [PYTHON, "-m", "gunicorn", "ladder.wsgi", "--bind", f"127.0.0.1:{port}"]
    web = Server([*argv, "--threads", "4"], port=port, environment=environment, log=log)
    player, scheduler = servers.worker(environment, log), servers.scheduler(environment, log)
    with servers.private_redis(environment):
        started = []
        try:
            for server in (web, player, scheduler):
                server.start()
                started.append(server)
            yield {"LADLE_SERVER": f"http://127.0.0.1:{port}", "LADLE_TOKEN": token}
        finally:
            for server in reversed(started):
                server.stop()


class Agent:
    """Calls tools one after the other; a refusal is a sentence."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def __call__(self, tool: str, **given: Any) -> dict[str, Any]:
        answer = await self._client.call_tool(tool, given)
        assert not answer.is_error, answer.content
        told = json.loads(answer.content[0].text)  # type: ignore[union-attr]
        assert isinstance(told, dict) and len(json.dumps(told)) < 10_000
        return told

    async def refused(self, tool: str, **given: Any) -> str:
        answer = await self._client.call_tool(tool, given)
        assert answer.is_error
        return str(answer.content[0].text)  # type: ignore[union-attr]


def in_a_thread(work: Callable[[], Awaitable[None]]) -> None:
    """Playwright leaves a running loop in the tests' own thread: no second one starts there."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(anyio.run, work).result()


def agent_at(folder: Path, environment: dict[str, str]) -> StdioServerParameters:
    path = {"PYTHONPATH": f"{ROOT}:{ROOT / 'ladder/kit'}"}
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "ladder.cli", "mcp"],
        cwd=folder,
        env={**os.environ, **environment, **path},
    )


def test_a_scripted_agent_gets_a_bot_ranked(site: dict[str, str], tmp_path: Path) -> None:
    async def work() -> None:
        async with Client(agent_at(tmp_path, site)) as client:
            ask = Agent(client)
            assert len((await client.list_tools()).tools) == 11
            games = (await ask("games"))["games"]
            assert "ramen_ramen" in [one["game"] for one in games]
            parts = (await ask("rules", game="ramen_ramen"))["parts"]
            assert (await ask("rules", game="ramen_ramen", part=parts[-1]))["text"]
            assert "Parts:" in await ask.refused("rules", game="ramen_ramen", part="nonsense")
            assert (await ask("new_bot", game="ramen_ramen", file="bot.py"))["written"]
            assert not (await ask("new_bot", game="ramen_ramen", file="bot.py"))["written"]
            (tmp_path / "bot.py").write_text("def decide(view):\n    return view['nothing']\n")
            failed = await ask("check", game="ramen_ramen", file="bot.py", seats=2)
            assert not failed["ok"] and "KeyError" in failed["failed"] + failed["detail"]
            (tmp_path / "bot.py").write_text(BOT)
            assert (await ask("check", game="ramen_ramen", file="bot.py", seats=2))["ok"]
            played = await ask("play", game="ramen_ramen", bots=["bot.py", "random"])
            worst = (await ask("explain_decision", replay=played["replay"]))["worst"][0]
            seen = await ask("replay_at", replay=played["replay"], step=worst["step"], seat=0)
            assert "Bowl" in seen["table"]
            decided = await ask("arena", game="ramen_ramen", bot="bot.py", opponent="random")
            assert decided["sets"] > 1 and decided["next"]

            mine = {"game": "ramen_ramen", "file": "bot.py", "name": "Agent Soup", "seats": [2]}
            sent = await ask("submit", **mine)
            again = await ask("submit", **mine)
            assert (again["bot"], again["version"]) == (sent["bot"], 1)
            for _ in range(5):
                verdict = await ask("wait_for_verdict", bot=sent["bot"], version=1, seconds=60)
                if verdict["status"] != "checking":
                    break
            assert verdict["status"] == "accepted"
            ranks: list[Any] = []
            for _ in range(240):
                told = await ask("standings", game="ramen_ramen", seats=2, bot="Agent Soup")
                ranks = [row["rank"] for row in told["found"]]
                if any(ranks):
                    break
                await anyio.sleep(1)
            assert any(ranks), "the bot is ranked"

    in_a_thread(work)


def test_what_an_agent_gives_is_never_an_option(tmp_path: Path) -> None:
    """Somebody else's bot that an agent is to try must not talk it out of the sandbox."""
    (tmp_path / "bot.py").write_text(BOT)

    async def work() -> None:
        async with Client(agent_at(tmp_path, {})) as client:
            ask = Agent(client)
            bots = ["bot.py", "random", "--no-sandbox"]
            assert "no-sandbox" in await ask.refused("play", game="ramen_ramen", bots=bots)
            assert await ask.refused("check", game="ramen_ramen", file="--help")
            played = await ask("play", game="ramen_ramen", bots=["bot.py", "random"])
            assert (tmp_path / played["replay"]).exists()

    in_a_thread(work)


def test_a_tool_that_needs_a_server_says_what_to_do(tmp_path: Path) -> None:
    async def work() -> None:
        nowhere = {"LADLE_SERVER": f"http://127.0.0.1:{free_port()}", "LADLE_TOKEN": "ladle_x"}
        async with Client(agent_at(tmp_path, nowhere)) as client:
            words = await Agent(client).refused("standings", game="ramen_ramen", seats=2)
            assert "cannot reach" in words

    in_a_thread(work)
