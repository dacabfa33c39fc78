"""Plays of remote bots while the database, a keeper or a deployment takes our side away."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from ladder.jobs.seat_clock import LONGEST_STEP_MS
from ladle.remote import Line
from tests import servers
from tests.ladder.remote.proxy import Proxy
from tests.ladder.remote.site import Bot, RemoteSite, fresh_name, legal, remote_site
from tests.ladder.remote.test_connect import connect
from tests.ladder.remote.test_programs import NEW, SLOW, until, written
from tests.nginx import nginx
from tests.servers import PYTHON, Server, wait_until

pytestmark = [pytest.mark.jail, pytest.mark.services]

STATUS = """
import json
from ladder.models import Match
match = Match.objects.get(pk={match})
print(json.dumps([match.status, match.attempt, match.attempts, match.worker]))
"""
SPINNING = """
import threading

def spin():
    while True:
        pass

threading.Thread(target=spin, daemon=True).start()

def decide(view):
    return view["legal"][0]
"""
SPINNER = """
import json
from tests.factories import make_bot, make_user
from ladder.models import Bot, User
from ladder.boards import Board
from ladder.services import challenges
own = Bot.objects.get(name={name!r})
other = make_bot(own.owner, name="Spinner", source={source!r})
made = challenges.challenge(by=own.owner, board=Board(own.game, 2), own=own, others=[other])
print(json.dumps(made.pk))
"""


class Site(RemoteSite):
    """A site whose database can be cut off."""

    database: Proxy


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("outages")
    with servers.postgres(folder / "postgres") as postgres, Proxy(postgres.port) as database:
        url = f"postgresql://ladle@127.0.0.1:{database.port}/postgres"
        settings = {"LADLE_MAX_OPEN_REMOTE_PER_USER": "100", "LADLE_MAX_OPEN_CLASS_PER_DAY": "0"}
        with remote_site(folder, DATABASE_URL=url, **settings) as made:
            made.make_bots(("Unused", "ramen_ramen", "normal"))
            made.__class__ = Site
            made.database = database
            yield made


class Thinker(Bot):
    """Thinks about its second decision until it is let go."""

    def __init__(self, site: RemoteSite, name: str) -> None:
        self.may_go = False
        super().__init__(site.url, site.shell(NEW.format(name=name)), self._think)

    def _think(self, line: Line) -> str:
        while len(self.decisions) == 2 and not self.may_go:
            time.sleep(0.05)
        return legal(line)

    @property
    def is_thinking(self) -> bool:
        return len(self.decisions) == 2


@pytest.fixture
def thinker(site: Site) -> Iterator[tuple[str, Thinker]]:
    """A connected bot that thinks."""
    name = fresh_name()
    bot = Thinker(site, name)
    bot.start()
    assert bot.is_connected.wait(30), bot.error
    yield name, bot
    bot.may_go = True
    bot.stop()


def finished(site: Site, match: int, bot: Bot) -> dict[str, Any]:
    """The match once it is over: nothing was lost, and nobody was charged for our absence."""
    wait_until(lambda: site.shell(STATUS.format(match=match))[0] == "finished", 90, site.log)
    wait_until(lambda: bot.ends, 20, "the bot is told of the end")
    [row] = [row for row in site.census() if row["match"] == match]
    assert (row["faults"], row["verified"]) == ([], 1)
    assert row["lines"]["taken"] == sum(one.is_taken for one in bot.outcomes.values())
    [[charged_ms, away_ms]] = row["clocks"].values()
    assert charged_ms <= 1000 * bot.thought_s + LONGEST_STEP_MS
    assert away_ms == 0
    return row


def test_an_answer_while_the_database_is_away_gets_503_and_is_sent_again(
    site: Site, thinker: tuple[str, Thinker]
) -> None:
    name, bot = thinker
    [match] = site.challenge((name, ["greedy"]))
    wait_until(lambda: bot.is_thinking, 40, site.log)
    site.database.cut_off()
    try:
        line = bot.decisions[-1]["id"]
        answer = httpx.post(
            f"{site.url}/api/v1/decisions/{line}/answer",
            json={"action": "x"},
            headers=bot.headers,
            timeout=30,
        )
        assert (answer.status_code, "Send this again" in answer.json()["detail"]) == (503, True)
        assert int(answer.headers["Retry-After"]) > 0
        bot.may_go = True
        time.sleep(1)
        assert line not in bot.outcomes, "the client goes on trying"
    finally:
        site.database.plug_in()
    finished(site, match, bot)


def test_a_keeper_that_is_asked_to_stop_gives_its_tables_back_at_once(
    site: Site, thinker: tuple[str, Thinker]
) -> None:
    name, bot = thinker
    [match] = site.challenge((name, ["greedy"]))
    wait_until(lambda: bot.is_thinking, 40, site.log)
    assert site.shell(STATUS.format(match=match))[:3] == ["running", 1, []]
    site.keeper.stop()
    status, attempt, failed, _ = site.shell(STATUS.format(match=match))
    assert (status, attempt, failed) == ("queued", 1, [])
    bot.may_go = True
    site.keeper.start()
    assert finished(site, match, bot)["attempt"] == 2


def test_a_slow_bot_plays_on_through_one_deployment_after_the_other(site: Site) -> None:
    """Stream and keeper end as a deployment ends them, and new processes take over."""

    def thinking(line: Line) -> str:
        time.sleep(0.3)
        return legal(line)

    name = fresh_name()
    bot = Bot(site.url, site.shell(NEW.format(name=name)), thinking)
    bot.start()
    assert bot.is_connected.wait(30), bot.error
    [match] = site.challenge((name, ["greedy"]))
    for number in range(4):
        seen = len(bot.decisions)
        wait_until(lambda seen=seen: len(bot.decisions) > seen + 2, 60, site.log)
        assert not bot.ends, "it is still under way"
        replaced = (site.keeper, site.stream) if number % 2 else (site.stream, site.keeper)
        for server in replaced:
            server.stop()
        for server in replaced:
            server.start()
    row = finished(site, match, bot)
    bot.stop()
    assert row["attempt"] == 5
    assert bot.seat.breaks >= 4


def test_a_keeper_that_was_cut_off_loses_its_tables_to_another(
    site: Site, thinker: tuple[str, Thinker]
) -> None:
    name, bot = thinker
    [match] = site.challenge((name, ["greedy"]))
    wait_until(lambda: bot.is_thinking, 40, site.log)
    *_, first = site.shell(STATUS.format(match=match))
    second = Server(
        [PYTHON, "manage.py", "keeper"],
        environment=site.environment,
        log=site.folder / "second-keeper.log",
    )
    site.keeper.send_group(signal.SIGSTOP)
    try:
        second.start()
        # Its lease lapses, and the other one sets the table up again.
        wait_until(lambda: site.shell(STATUS.format(match=match))[1] == 2, 60, site.log)
        *_, holder = site.shell(STATUS.format(match=match))
        assert holder != first
        site.keeper.send_group(signal.SIGCONT)
        lost = "remote match is no longer ours"
        wait_until(lambda: lost in (site.folder / "keeper.log").read_text(), 30, site.log)
        bot.may_go = True
        assert finished(site, match, bot)["attempt"] == 2
    finally:
        site.keeper.send_group(signal.SIGCONT)
        second.stop()


def descendants(pid: int) -> list[tuple[int, str, int]]:
    """Processes below one: id, state, and ticks of CPU time."""
    found, below = [], {pid}
    for stat in sorted(Path("/proc").glob("[0-9]*/stat"), key=lambda path: int(path.parent.name)):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(words[1]) in below:
            below.add(int(stat.parent.name))
            found.append((int(stat.parent.name), words[0], int(words[11]) + int(words[12])))
    return found


def test_a_sandboxed_bot_stands_still_while_a_remote_one_thinks(
    site: Site, thinker: tuple[str, Thinker]
) -> None:
    """One that spins in a thread of its own would use up its time otherwise."""
    name, bot = thinker
    match = site.shell(SPINNER.format(name=name, source=SPINNING))
    wait_until(lambda: bot.is_thinking, 40, site.log)
    assert site.keeper.process is not None
    keeper = site.keeper.process.pid

    def stopped() -> dict[int, int]:
        return {pid: ticks for pid, state, ticks in descendants(keeper) if state == "T"}

    wait_until(stopped, 20, lambda: f"a process stands still: {descendants(keeper)}")
    before = stopped()
    time.sleep(2)
    after = stopped()
    assert after == before and max(before.values()) > 0, "not a tick of CPU time, but for earlier"
    bot.may_go = True
    finished(site, match, bot)


def test_connect_plays_on_through_a_restarting_nginx(site: Site, tmp_path: Path) -> None:
    """By TLS, with the configuration that docker-compose.yml mounts."""
    name = fresh_name()
    token = site.shell(NEW.format(name=name))
    proxy = nginx(tmp_path / "nginx", host="localhost", web_port=9, stream_port=site.stream.port)
    site.environment["SSL_CERT_FILE"] = str(tmp_path / "nginx" / "fullchain.pem")
    proxy.start()
    words = (name, "--json", "--", "python3", written(tmp_path, SLOW))
    try:
        with connect(site, token, *words, server=f"https://localhost:{proxy.port}") as process:
            until(process, "hello")
            [match] = site.challenge((name, ["greedy"]))
            for _ in range(3):
                until(process, "answered")
                proxy.stop(signal.SIGTERM)
                proxy.start()
                until(process, "hello")
            assert until(process, "end")[-1]["fault"] is None
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 0
    finally:
        proxy.stop(signal.SIGTERM)
        del site.environment["SSL_CERT_FILE"]
    [row] = [row for row in site.census() if row["match"] == match]
    assert (row["faults"], row["verified"]) == ([], 1)
