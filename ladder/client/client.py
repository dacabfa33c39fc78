"""A typed client of the API, for scripts and for the `ladle` command. It needs no Django.

    with Client("https://ladle.example.org", token="ladle_…") as ladle:
        bot = ladle.create_bot(game="hot_ramen", name="Wok")
        version = ladle.upload(bot.id, "wok.py", Path("wok.py").read_bytes())

Every POST carries an Idempotency-Key of its own, so it is sent again after a broken connection
without doing anything twice.
"""

from __future__ import annotations

import hashlib
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
import msgspec

from ladder.contract.accounts import Me
from ladder.contract.boards import Ladder
from ladder.contract.bots import Bot, Report, Source, Version
from ladder.contract.datasets import Dataset, DatasetFile
from ladder.contract.events import Event, Mark
from ladder.contract.matches import Log, Match, Play, Verdict
from ladder.contract.publishing import Audience, PublishingToken
from ladder.contract.remote import IssuedRemote
from ladder.contract.tournaments import Entrant, Preview, Tournament, TournamentDetail
from ladder.contract.trials import Trial

TRIES = 4
LONGEST_WAIT_S = 10.0  # a longer Retry-After is for the caller to decide on

# A stream says every 15 seconds that it is still there.
STREAM_TIMEOUT = httpx.Timeout(10, read=40)

T = TypeVar("T")
Query = dict[str, Any]


class ClientError(Exception):
    """Something asked of the server did not work out; the text is a sentence."""


class Unreachable(ClientError):
    """No answer, or none that this client can read."""


class ApiProblem(ClientError):
    """The server refused. `code` is stable; `retry_after_s` is None where waiting is no use."""

    def __init__(
        self, status: int, code: str, detail: str, retry_after_s: float | None = None
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.code = code
        self.retry_after_s = retry_after_s


class _Page(msgspec.Struct):
    next: str | None
    results: list[Any]


class Client:
    """One server, with or without a token."""

    def __init__(self, server: str, token: str = "", *, timeout_s: float = 30) -> None:
        self.server = server.rstrip("/")
        headers = {"User-Agent": "ladle", "Accept": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        self._http = httpx.Client(
            base_url=f"{self.server}/api/v1/", headers=headers, timeout=timeout_s
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()

    def me(self) -> Me:
        return self._get(Me, "me/")

    def bots(self, **filters: Any) -> Iterator[Bot]:
        return self._pages(Bot, "bots/", filters)

    def bot(self, bot: int) -> Bot:
        return self._get(Bot, f"bots/{bot}/")

    def create_bot(self, *, game: str, name: str, **fields: Any) -> Bot:
        return self._post(Bot, "bots/", {"game": game, "name": name, **fields})

    def create_remote(self, *, game: str, name: str, **fields: Any) -> IssuedRemote:
        """A bot that plays over the network; its token is in the answer and never again."""
        return self._post(IssuedRemote, "remote-bots/", {"game": game, "name": name, **fields})

    def renew_remote_token(self, bot: int) -> IssuedRemote:
        return self._post(IssuedRemote, f"bots/{bot}/remote/token/", {})

    def retire(self, bot: int) -> Bot:
        return self._post(Bot, f"bots/{bot}/retire/", {})

    def bring_back(self, bot: int) -> Bot:
        return self._post(Bot, f"bots/{bot}/bring-back/", {})

    def versions(self, bot: int) -> Iterator[Version]:
        return self._pages(Version, f"bots/{bot}/versions/", {})

    def version(self, bot: int, number: int) -> Version:
        return self._get(Version, f"bots/{bot}/versions/{number}/")

    def upload(
        self,
        bot: int,
        filename: str,
        source: bytes,
        *,
        note: str = "",
        authorship: str = "",
        activate: bool = True,
    ) -> Version:
        """Store a script; the version known already when this very script was sent before."""
        form = {"note": note, "activate": "true" if activate else "false"}
        if authorship:
            form["authorship"] = authorship
        answer = self._send(
            "POST", f"bots/{bot}/versions/", data=form, files={"file": (filename, source)}
        )
        return _read(answer, Version)

    def source(self, bot: int, number: int) -> Source | None:
        """A version's file, if its source is public or yours; None where it is not."""
        try:
            return self._get(Source, f"bots/{bot}/versions/{number}/source/")
        except ApiProblem as problem:
            if problem.status == 404:
                return None
            raise

    def report(self, bot: int, number: int) -> Report:
        return self._get(Report, f"bots/{bot}/versions/{number}/report/")

    def activate(self, bot: int, number: int) -> Version:
        return self._post(Version, f"bots/{bot}/versions/{number}/activate/", {})

    def ladder(self, game: str, seats: int, **query: Any) -> Ladder:
        return self._get(Ladder, f"boards/{game}/{seats}/ladder/", query)

    def matches(self, **filters: Any) -> Iterator[Match]:
        return self._pages(Match, "matches/", filters)

    def events(self, *, after: int | None = None, **filters: Any) -> Iterator[Event | Mark]:
        """Public events as they happen; Unreachable when the stream breaks off.

        `after` is the id of the last event seen: what came after it is sent first, or a mark
        `reset` where the server no longer has it. Without it a mark `hello` comes first.
        """
        query = _body({**filters, "format": "ndjson", "after": after})
        try:
            with self._http.stream(
                "GET", "events", params=query, follow_redirects=True, timeout=STREAM_TIMEOUT
            ) as answer:
                if not answer.is_success:
                    answer.read()
                    raise _problem(answer, self.server)
                for line in answer.iter_lines():
                    if line.strip():
                        yield _event_of(line)
        except (httpx.TransportError, msgspec.MsgspecError) as error:
            raise Unreachable(f"the stream of {self.server} broke off: {error}") from None

    def match(self, match: int) -> Match:
        return self._get(Match, f"matches/{match}/")

    def plays(self, match: int) -> list[Play]:
        return self._get(list[Play], f"matches/{match}/plays/")

    def replay(self, match: int, play: int = 0, *, packed: bool = True) -> bytes:
        """The replay's bytes: a `.json.gz` file, or plain JSON."""
        query = {"format": "gzip" if packed else "json"}
        return self._send("GET", f"matches/{match}/plays/{play}/replay/", params=query).content

    def position(self, match: int, play: int, step: int) -> bytes:
        """The play up to a step, as a `.json.gz` file for `ladle play --from`."""
        path = f"matches/{match}/plays/{play}/position/"
        return self._send("GET", path, params={"step": step}).content

    def replays(self, match: int) -> bytes:
        """A zip of all the match's replays."""
        return self._send("GET", f"matches/{match}/replays/").content

    def datasets(self, **filters: Any) -> Iterator[Dataset]:
        return self._pages(Dataset, "datasets/", filters)

    def dataset_file(self, dataset: int, file: DatasetFile, path: Path) -> None:
        """Write a file of a dataset to disk, piece by piece; its SHA-256 is checked."""
        if self._download(f"datasets/{dataset}/files/{file.name}", path) != file.sha256:
            raise Unreachable(f"{file.name} did not arrive as the server lists it: pull again")

    def replay_lines(self, path: Path, **filters: Any) -> None:
        """Write the replays of many matches to a `.jsonl.gz` file, a line for each play."""
        self._download("replays/", path, _body(filters))

    def _download(self, address: str, path: Path, query: Query | None = None) -> str:
        """Write what is there to disk, piece by piece; its SHA-256."""
        total, asked = hashlib.sha256(), {"Accept-Encoding": "identity"}
        try:
            with self._http.stream("GET", address, params=query, headers=asked) as answer:
                if not answer.is_success:
                    answer.read()
                    raise _problem(answer, self.server)
                with path.open("wb") as written:
                    for piece in answer.iter_bytes():
                        total.update(piece)
                        written.write(piece)
        except httpx.TransportError as error:
            path.unlink(missing_ok=True)  # half of it could pass for the whole
            raise Unreachable(f"the download of {path.name} broke off: {error}") from None
        return total.hexdigest()

    def logs(self, match: int) -> list[Log]:
        return self._get(list[Log], f"matches/{match}/logs/")

    def verify(self, replay: bytes) -> Verdict:
        is_packed = replay[:2] == b"\x1f\x8b"
        kind = "application/gzip" if is_packed else "application/json"
        answer = self._send("POST", "verify/", content=replay, headers={"Content-Type": kind})
        return _read(answer, Verdict)

    def challenge(
        self, *, game: str, seats: int, bot: int, opponents: list[int], seed: int | None = None
    ) -> Match:
        body = {"game": game, "seats": seats, "bot": bot, "opponents": opponents, "seed": seed}
        return self._post(Match, "challenges/", body)

    def start_trial(self, *, bot: int, old: int, new: int, **fields: Any) -> Trial:
        return self._post(Trial, "trials/", {"bot": bot, "old": old, "new": new, **fields})

    def publishing_audience(self) -> str:
        """What a CI job asks its token for."""
        return self._get(Audience, "trusted-publishing/").audience

    def publishing_token(self, bot: int, assertion: str) -> str:
        """A CI job's token exchanged for one that may submit a bot, for ten minutes."""
        told = {"bot": bot, "token": assertion}
        return self._post(PublishingToken, "trusted-publishing/", told).token

    def trial(self, trial: int) -> Trial:
        return self._get(Trial, f"trials/{trial}/")

    def tournaments(self, **filters: Any) -> Iterator[Tournament]:
        return self._pages(Tournament, "tournaments/", filters)

    def tournament(self, tournament: int) -> TournamentDetail:
        return self._get(TournamentDetail, f"tournaments/{tournament}/")

    def preview_tournament(self, *, game: str, seats: int, format: str, **setup: Any) -> Preview:
        """What a tournament with this set-up would be; none is made."""
        body = {"game": game, "seats": seats, "format": format, **setup}
        return self._post(Preview, "tournaments/preview/", body)

    def create_tournament(
        self, *, game: str, seats: int, format: str, name: str, **fields: Any
    ) -> TournamentDetail:
        body = {"game": game, "seats": seats, "format": format, "name": name, **fields}
        return self._post(TournamentDetail, "tournaments/", body)

    def start_tournament(self, tournament: int) -> TournamentDetail:
        return self._post(TournamentDetail, f"tournaments/{tournament}/start/", {})

    def tournament_record(self, tournament: int) -> dict[str, Any]:
        return self._get(dict[str, Any], f"tournaments/{tournament}/record/")

    def tournament_results(self, tournament: int) -> str:
        """The standings as CSV."""
        return self._send("GET", f"tournaments/{tournament}/results/").text

    def enrol(self, tournament: int, bot: int) -> Entrant:
        return self._post(Entrant, f"tournaments/{tournament}/entrants/", {"bot": bot})

    def check_in(self, tournament: int, bot: int) -> Entrant:
        return self._post(Entrant, f"tournaments/{tournament}/entrants/{bot}/check-in/", {})

    def withdraw(self, tournament: int, bot: int) -> Entrant:
        return self._post(Entrant, f"tournaments/{tournament}/entrants/{bot}/withdraw/", {})

    def _get(self, kind: type[T], path: str, query: Query | None = None) -> T:
        return _read(self._send("GET", path, params=_body(query or {})), kind)

    def _post(self, kind: type[T], path: str, body: Any) -> T:
        return _read(self._send("POST", path, json=body), kind)

    def _pages(self, kind: type[T], path: str, query: Query) -> Iterator[T]:
        """All rows of a list, page after page as they are asked for."""
        page = self._get(_Page, path, query)
        while True:
            for row in page.results:
                yield msgspec.convert(row, kind)
            if page.next is None:
                return
            page = _read(self._send("GET", page.next), _Page)

    def _send(self, method: str, path: str, **request: Any) -> httpx.Response:
        headers = dict(request.pop("headers", {}))
        if method == "POST":
            headers["Idempotency-Key"] = uuid.uuid4().hex
        for left in reversed(range(TRIES)):
            try:
                answer = self._http.request(method, path, headers=headers, **request)
            except httpx.TransportError as error:
                if left and not isinstance(error, httpx.ConnectError):
                    time.sleep(0.2)
                    continue
                raise Unreachable(f"cannot reach {self.server}: {error}") from None
            except (httpx.InvalidURL, ValueError) as error:
                raise Unreachable(f"{self.server} is not a server's address: {error}") from None
            if answer.is_success:
                return answer
            problem = _problem(answer, self.server)
            waits = problem.code in ("in_progress", "throttled")
            if not (left and waits and (problem.retry_after_s or 0) <= LONGEST_WAIT_S):
                raise problem
            time.sleep(problem.retry_after_s or 1)
        raise AssertionError("the last try returns or raises")


def _event_of(line: str) -> Event | Mark:
    if line.startswith(('{"kind":"hello"', '{"kind":"reset"')):
        return msgspec.json.decode(line, type=Mark)
    return msgspec.json.decode(line, type=Event)


def _body(query: Query) -> Query:
    """Values as the API writes them; what is None is not asked."""
    words = {True: "true", False: "false"}
    return {
        name: words[value] if isinstance(value, bool) else value
        for name, value in query.items()
        if value is not None
    }


def _read(answer: httpx.Response, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(answer.content, type=kind)
    except msgspec.MsgspecError as error:
        raise Unreachable(f"{answer.url.host} did not answer as a Ladle server: {error}") from None


def _problem(answer: httpx.Response, server: str) -> ApiProblem:
    try:
        data = answer.json()
        code, detail = str(data["code"]), str(data["detail"])
    except (ValueError, KeyError, TypeError):
        what = f"answered {answer.status_code} to {answer.url.path}"
        code, detail = "unknown", f"{server} is no Ladle server, or a part of one: it {what}."
        if answer.status_code == 413:
            code, detail = "too_large", "What was sent is larger than the server reads."
    wait = answer.headers.get("Retry-After", "")
    return ApiProblem(answer.status_code, code, detail, float(wait) if wait.isdigit() else None)
