import socket
import threading

import httpx
import pytest

from engine.replay import read
from ladder.client import ApiProblem, Client, Unreachable
from ladder.client import client as module
from ladder.models import Bot, Version

SOURCE = b"def decide(view):\n    return view['legal'][0]\n"


@pytest.fixture
def client(served, token, live_server):
    with Client(live_server.url, token) as made:
        yield made


def test_a_bot_is_made_and_a_script_uploaded(client):
    bot = client.create_bot(game="safranito", name="Spice")

    version = client.upload(bot.id, "spice.py", SOURCE, note="first")
    again = client.upload(bot.id, "spice.py", SOURCE)

    assert (version.number, version.status, version.note) == (1, "checking", "first")
    assert again == version
    assert [one.number for one in client.versions(bot.id)] == [1]


def test_lists_are_followed_over_all_pages(client):
    for number in range(5):
        client.create_bot(game="safranito", name=f"Spice {number}")

    names = [bot.name for bot in client.bots(page_size=2, game="safranito", mine=True)]

    assert names == [f"Spice {number}" for number in reversed(range(5))]


def test_a_replay_is_downloaded_verified_and_the_same_in_both_forms(client, served):
    packed = client.replay(served.match.pk)
    plain = client.replay(served.match.pk, packed=False)

    assert read(packed).digest() == read(plain).digest() == client.plays(served.match.pk)[0].digest
    assert client.verify(packed).ok
    assert not client.verify(plain.replace(b'"round":0', b'"round":1')).ok


def test_a_position_of_a_play_is_downloaded(client, served):
    position = read(client.position(served.match.pk, 0, 5))

    assert len(position.log) >= 5 and position.result is None


def test_a_refusal_has_the_servers_code_and_sentence(client, served):
    with pytest.raises(ApiProblem) as refused:
        client.create_bot(game="ramen_ramen", name="Wok")

    assert (refused.value.status, refused.value.code) == (409, "name_taken")
    assert "Wok" in str(refused.value)


def test_a_post_is_sent_again_after_a_broken_connection_and_has_one_effect(
    served, token, live_server
):
    with _Relay(live_server.thread.port) as relay, Client(relay.url, token) as client:
        bot = client.create_bot(game="safranito", name="Spice")

    assert relay.connections >= 2
    assert Bot.objects.filter(name="Spice").count() == 1
    assert Bot.objects.get(name="Spice").pk == bot.id


def test_a_throttled_request_waits_as_long_as_it_is_told(client, monkeypatch):
    waits = []
    answers = [ApiProblem(429, "throttled", "slow down", 3.0)]
    monkeypatch.setattr(module.time, "sleep", waits.append)
    monkeypatch.setattr(module, "_problem", lambda answer, server: answers[0])

    with pytest.raises(ApiProblem):
        client.bot(999_999)

    assert waits == [3.0] * (module.TRIES - 1)


def test_a_server_that_is_not_there_is_unreachable():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}"
        with Client(url) as client, pytest.raises(Unreachable):
            client.me()


def test_tournaments_can_be_entered_and_left(client, served):
    entrant = client.enrol(served.tournament.pk, served.spare.pk)
    gone = client.withdraw(served.tournament.pk, served.spare.pk)

    assert (entrant.status, gone.status) == ("enrolled", "withdrawn")
    assert client.tournament(served.tournament.pk).name == "Spring Soup"
    assert client.tournament_record(served.tournament.pk)["id"] == served.tournament.pk
    assert client.tournament_results(served.tournament.pk).startswith("place,seed,bot")


def test_half_of_a_download_is_not_left_behind(tmp_path):
    def half():
        yield b"half"
        raise httpx.ReadError("reset")

    path, answer = tmp_path / "r.jsonl.gz", httpx.Response(200, content=half())
    with Client("http://ladle.example") as client:
        client._http = httpx.Client(
            base_url="http://ladle.example", transport=httpx.MockTransport(lambda asked: answer)
        )
        with pytest.raises(Unreachable, match="broke off"):
            client.replay_lines(path)

    assert not path.exists()


def test_the_client_imports_no_django():
    import subprocess
    import sys

    told = subprocess.run(
        [sys.executable, "-c", "import sys, ladder.client; print('django' in sys.modules)"],
        capture_output=True,
        text=True,
    )

    assert told.stdout == "False\n", told.stderr


def test_private_things_are_not_found_by_a_stranger(served, live_server):
    with Client(live_server.url) as stranger, pytest.raises(ApiProblem) as refused:
        stranger.report(served.bot.pk, Version.objects.filter(bot=served.bot).first().number)

    assert refused.value.status == 404


class _Relay:
    """Passes requests on, but cuts the first connection before its answer comes back."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self.connections = 0
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> "_Relay":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
        self._thread.join(5)

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._socket.accept()
            except OSError:
                return
            self.connections += 1
            with near, socket.create_connection(("127.0.0.1", self._port)) as far:
                far.sendall(self._request(near))
                answer = b"".join(iter(lambda: far.recv(65536), b""))
                if self.connections > 1:
                    near.sendall(answer)

    def _request(self, near: socket.socket) -> bytes:
        data = near.recv(65536)
        head, _, body = data.partition(b"\r\n\r\n")
        for line in head.lower().split(b"\r\n"):
            name, _, value = line.partition(b":")
            while name == b"content-length" and len(body) < int(value):
                body += near.recv(65536)
        head = b"\r\n".join(
            line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection")
        )
        return head + b"\r\nConnection: close\r\n\r\n" + body
