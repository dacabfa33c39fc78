"""The stream sends every public event once and in order, across kills and absences."""

from __future__ import annotations

import json
import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests import servers
from tests.ladder.events.streaming import (
    Reader,
    site_with_stream,
    stream_server,
    write_events,
)
from tests.servers import Server, wait_until

Site = tuple[dict[str, str], Server]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with site_with_stream(
        tmp_path_factory.mktemp("stream"),
        LADLE_STREAM_MOST_PER_ADDRESS="80",
        LADLE_STREAM_UNREAD_SECONDS="3",
    ) as site:
        yield site


@pytest.fixture
def address(site: Site) -> str:
    return f"http://127.0.0.1:{site[1].port}/api/v1/events"


def lines(address: str, count: int, **query: object) -> list[dict[str, object]]:
    """So many lines of the stream as JSON."""
    found: list[dict[str, object]] = []
    with httpx.stream("GET", address, params={"format": "ndjson", **query}, timeout=10) as answer:
        assert answer.status_code == 200
        for line in answer.iter_lines():
            if line.strip():
                found.append(json.loads(line))
            if len(found) >= count:
                break
    return found


def newest(address: str) -> int:
    return int(str(lines(address, 1)[0]["id"]))


def test_a_reader_gets_what_happens_and_nothing_private(site: Site) -> None:
    reader = Reader(site[1].port)
    reader.start()
    wait_until(lambda: reader.lines, 10, "the stream says hello")
    write_events(site[0], 100, 2, "owner")
    write_events(site[0], 200, 2)
    write_events(site[0], 300, 1, "operators")
    write_events(site[0], 400, 1)
    wait_until(lambda: len(reader.events) == 3, 10, lambda: f"3 events of {reader.events}")
    reader.stop()

    assert [event["rank"] for event in reader.events] == [200, 201, 400]
    assert reader.lines[0]["kind"] == "hello"
    assert reader.events[0]["text"] == "Bot 200 is now ranked: place 200, Elo 0."


def test_filters_choose_by_kind_bot_and_board(site: Site, address: str) -> None:
    start = newest(address)
    write_events(site[0], 0, 6)
    after = {"after": start}
    assert [e["rank"] for e in lines(address, 2, bot="1", **after)] == [1, 4]
    assert [e["rank"] for e in lines(address, 3, board="ramen_ramen/3", **after)] == [1, 3, 5]
    assert [e["rank"] for e in lines(address, 1, bot="1,2", board="ramen_ramen/2", **after)] == [2]
    assert [e["rank"] for e in lines(address, 6, kind="bot.ranked", **after)] == [*range(6)]


def test_server_sent_events_have_ids_and_resume(site: Site, address: str) -> None:
    start = newest(address)
    write_events(site[0], 50, 2)
    with httpx.stream("GET", address, headers={"Last-Event-ID": str(start)}, timeout=10) as answer:
        assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "set-cookie" not in answer.headers
        read = answer.iter_lines()
        text = [next(read) for _ in range(8)]
    assert text[0] == "retry: 2000"
    ids = [int(line[4:]) for line in text if line.startswith("id: ")]
    data = [json.loads(line[6:]) for line in text if line.startswith("data: ")]
    assert [one["rank"] for one in data] == [50, 51]
    assert ids == [one["id"] for one in data]


@pytest.mark.parametrize("last", ["999999999", "-1", "soup", "9" * 40, "1e3"])
def test_an_unknown_last_event_id_is_answered_with_reset(address: str, last: str) -> None:
    assert lines(address, 1, after=last)[0]["kind"] == "reset"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("kind=soup", "Unknown kind 'soup'. Allowed: "),
        ("board=ramen_ramen/99", "Unknown board"),
        ("bot=x", "bot is 'x'; write a number."),
        ("colour=red", "Unknown parameter 'colour'. Allowed: kind, bot"),
        ("format=xml", "Unknown format 'xml'. Allowed: sse, ndjson."),
        (f"bot={','.join(map(str, range(60)))}", "bot: at most 50 values are allowed."),
    ],
)
def test_a_bad_request_is_answered_in_a_sentence(address: str, query: str, said: str) -> None:
    answer = httpx.get(f"{address}?{query}")
    assert answer.status_code == 400
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"].startswith(said)


def test_other_addresses_and_methods_are_refused(address: str) -> None:
    assert httpx.post(address).status_code == 405
    assert httpx.get(address.replace("events", "other")).status_code == 404
    assert httpx.options(address).status_code == 204
    assert httpx.get(address.replace("/api/v1/events", "/healthz")).text == "ok\n"


def test_one_address_has_a_limit_of_streams(site: Site, address: str) -> None:
    readers = [Reader(site[1].port) for _ in range(80)]
    for reader in readers:
        reader.start()
    for reader in readers:
        assert reader.is_open.wait(10)
    answer = httpx.get(address)
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert answer.headers["retry-after"] == "30"
    for reader in readers:
        reader.stop()
    wait_until(lambda: httpx.head(address).status_code == 200, 10, "there is room again")


def test_a_reader_that_never_reads_is_dropped_and_the_others_go_on(site: Site) -> None:
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(("127.0.0.1", site[1].port))
        deaf.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        reader = Reader(site[1].port)
        reader.start()
        wait_until(lambda: reader.lines, 10, "the stream says hello")
        assert holds(site[1], deaf.getsockname()[1])
        write_events(site[0], 0, 3000, each=100)
        wait_until(lambda: len(reader.events) == 3000, 20, lambda: f"{len(reader.events)} of 3000")
        reader.stop()
        # On a busy machine a burst may cut it off as well; then it resumes where it was.
        assert [event["rank"] for event in reader.events] == list(range(3000))
        own_port = deaf.getsockname()[1]
        wait_until(lambda: not holds(site[1], own_port), 60, "the deaf one is cut off")


def holds(server: Server, port: int) -> bool:
    """Whether the server still has a connection with that port of ours, as the kernel knows.

    One that is given up while its window is closed gets no word of it.
    """
    wanted = (f"{server.port:04X}", f"{port:04X}")
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    established = [row for row in rows if row[3] == "01"]
    return any((row[1][-4:], row[2][-4:]) == wanted for row in established)


def storm(environment: dict[str, str], server: Server, log: Path) -> None:
    """Readers across kill -9 of the stream, some leaving at will; then what each has read."""
    rng = random.Random(7)
    first = Reader(server.port)
    first.start()
    wait_until(lambda: first.lines, 20, "the stream says hello")
    start = first.lines[0]["id"]
    readers = [Reader(server.port, after=start) for _ in range(20)]
    for reader in readers:
        reader.start()
    number = 0
    for _ in range(4):
        write_events(environment, number, 150)
        server.kill_group()
        write_events(environment, number + 150, 100, each=7)
        for reader in rng.sample(readers, 6):
            reader.break_off()
        server.start()
        number += 250
    wait_until(
        lambda: all(len(reader.events) >= number for reader in readers),
        30,
        lambda: f"{number} events each, but {[len(reader.events) for reader in readers]}",
    )
    for reader in [first, *readers]:
        reader.stop()
        ids = [event["id"] for event in reader.events]
        assert [event["rank"] for event in reader.events] == list(range(number))
        assert ids == sorted(set(ids)), "in order, none twice"
        assert reader.breaks >= 4


def test_nothing_is_missed_or_doubled_when_the_stream_is_killed(tmp_path: Path) -> None:
    with site_with_stream(tmp_path) as (environment, server):
        storm(environment, server, tmp_path)


@pytest.mark.services
def test_nor_on_postgresql(tmp_path: Path) -> None:
    with servers.postgres(tmp_path / "pg") as postgres:
        url = f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        with site_with_stream(tmp_path, DATABASE_URL=url) as (environment, server):
            storm(environment, server, tmp_path)


def test_the_stream_waits_for_a_database_that_is_away(tmp_path: Path) -> None:
    environment = servers.product_environment(tmp_path / "var")
    server = stream_server(environment, tmp_path / "log")
    server.start()
    try:
        address = f"http://127.0.0.1:{server.port}"
        assert httpx.get(f"{address}/healthz", timeout=20).status_code == 503
        servers.manage(environment, "migrate", "-v0")
        wait_until(
            lambda: httpx.get(f"{address}/healthz", timeout=20).status_code == 200, 20, "it is back"
        )
        began = time.monotonic()
        assert lines(f"{address}/api/v1/events", 1)[0]["kind"] == "hello"
        assert time.monotonic() - began < 5
    finally:
        server.stop()


def test_the_client_and_ladle_watch_follow_the_stream(site: Site, address: str) -> None:
    """The client reads marks and events, and a watcher waits for them instead of polling."""
    from ladder.cli.remote.watch import _News
    from ladder.client import Client
    from ladder.contract.events import Event, Mark

    with Client(address.removesuffix("/api/v1/events")) as client:
        events = client.events(bot=1)
        first = next(events)
        assert isinstance(first, Mark) and first.kind == "hello"
        write_events(site[0], 0, 3)
        second = next(events)
        assert isinstance(second, Event) and second.rank == 1
        news = _News(client, 1)
        began = time.monotonic()
        news.wait()  # the stream's beginning: look once more
        assert time.monotonic() - began < 4, "it did not wait as where no stream is"
