"""Run in a copy of the project with a game, a language and two formats more; see test_additions.py.

Everything goes through the product's own doors: forms, the API, the worker with its jail.
"""

from __future__ import annotations

import json
import re
import sys
from random import Random
from typing import Any

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from engine.games import GAMES  # noqa: E402
from ladder.boards import Board  # noqa: E402
from ladder.jobs import worker  # noqa: E402
from ladder.models import Match, Rating, Tournament, User, Version  # noqa: E402
from ladder.services import scheduling, tournaments  # noqa: E402
from ladder.services.rating import fitting  # noqa: E402
from ladder.tournaments.record import verify  # noqa: E402
from sandbox.languages import BY_SUFFIX  # noqa: E402

SOURCES = {
    "snake": BY_SUFFIX[".snake"].probe().decode(),
    "py": "def decide(view):\n    return view['legal'][-1]\n",
}
TRIO = Board("toy", 3)
DUEL = Board("ramen_ramen", 2)


class Author:
    """Someone at the site, by form and by API."""

    def __init__(self, name: str) -> None:
        self.row = User.objects.create_user(name, f"{name}@example.org", "a long passphrase 7")
        self.client = Client()
        self.client.force_login(self.row)

    def page(self, path: str) -> str:
        answer = self.client.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.content[:2000])
        return b"".join(answer).decode()

    def ask(self, path: str) -> Any:
        return json.loads(self.page(f"/api/v1/{path}"))

    def post(self, path: str, status: int, **fields: Any) -> Any:
        answer = self.client.post(f"/api/v1/{path}", fields, content_type="application/json")
        assert answer.status_code == status, (path, answer.content)
        return answer.json()

    def bot(self, game: str, seats: list[int], ending: str, name: str) -> int:
        made = self.post("bots/", 201, game=game, name=name, seat_counts=seats)
        source = f"{SOURCES[ending]}NAME = {name!r}\n"
        file = {"filename": f"wok.{ending}", "source": source}
        sent = self.post(f"bots/{made['id']}/versions/", 201, **file)
        assert sent["language"] == ending
        return int(made["id"])


def work() -> None:
    while worker.work_once():
        pass


def play_out(cup: int) -> dict[str, Any]:
    """To the end, as the scheduler and workers do."""
    for _ in range(60):
        tournaments.advance_all()
        if Tournament.objects.get(pk=cup).status in ("finished", "cancelled"):
            break
        work()
    record = tournaments.as_record(Tournament.objects.get(pk=cup))
    return json.loads(json.dumps(record))


def check_gate(authors: dict[str, Author]) -> dict[str, int]:
    """Bots come by the form and by the API, in both languages, and the gate lets them in."""
    alice = authors["a"]
    assert "<code>.snake</code>" in alice.page("/upload/")
    form = {
        **{"name": "By hand", "game": "toy", "seat_counts": [3], "pasted": SOURCES["py"]},
        "language": "py",
    }
    assert alice.client.post("/upload/", form).status_code == 302
    kinds = {"trio": ("toy", [3, 4]), "duel": ("ramen_ramen", [2])}
    made = {
        f"{kind} {letter}": authors[letter].bot(game, seats, ending, f"{kind} {letter}")
        for kind, (game, seats) in kinds.items()
        for letter, ending in (("a", "snake"), ("b", "py"), ("c", "snake"))
    }
    work()
    for version in Version.objects.all():
        assert version.status == "accepted", (version, version.report)
    assert Rating.objects.on(TRIO).listed().count() == 4
    page = alice.page(f"/bots/{made['trio a']}/source/1/")
    assert "Snake" in page and '<span class="k">return</span>' in page, "coloured as Python is"
    return made


def check_ladder(alice: Author, bots: dict[str, int]) -> Match:
    """The ladder plays and rates; pages and API show it."""
    for board in (TRIO, DUEL):
        scheduling.create_tick(board, Random(1))
    work()
    assert {tick.board for tick in fitting.rate_ready_ticks()} == {TRIO, DUEL}
    rows = [
        row["bot"]["name"]
        for part in ("true", "false")
        for row in alice.ask(f"boards/toy/3/ladder/?provisional={part}")["results"]
    ]
    assert {"trio a", "trio b", "trio c", "By hand"} <= set(rows), rows
    board = alice.page("/boards/toy/3/")
    assert "trio a" in board and "trio c" in board
    assert alice.ask("games/toy/")["seats"] == [3, 4, 5, 6, 7, 8]
    for path in ("/", "/games/toy/", "/games/toy/rules/", "/games/toy/starter.snake"):
        alice.page(path)
    table = {"game": "toy", "seats": 3, "bot": bots["trio a"], "seed": 7}
    asked = alice.post("challenges/", 201, **table, opponents=[bots["trio b"], bots["trio c"]])
    work()
    match = Match.objects.get(pk=asked["id"])
    assert match.status == "finished", match.attempts
    assert not any(entry.faults for entry in match.entries.all())
    return match


def check_theatre(alice: Author, match: Match) -> None:
    """A play is shown, refereed, downloaded, and looked at from the inside."""
    stage = f"/matches/{match.pk}/plays/0/"
    assert "Last Dumpling" in alice.page(stage)
    for viewer in ("all", "0", "2"):
        film = json.loads(alice.page(f"{stage}frames.json?view={viewer}"))
        assert film["frames"], viewer
    assert alice.client.get(f"{stage}frames.json?view=3").status_code == 404
    assert "✓ Verified." in alice.page(f"/matches/{match.pk}/verify/")
    assert alice.ask(f"matches/{match.pk}/plays/0/verify/")["ok"]
    assert f"#{match.pk}" in alice.page("/matches/?seats=3")


def check_browser_pages(alice: Author) -> None:
    for path in ("/play/", "/play/toy/", "/play/toy/bot/"):
        alice.page(path)
    workshop = alice.page("/play/toy/bot/?language=snake")
    assert '"runners": {"py": "py", "js": "js", "snake": "py"}' in workshop, workshop


def check_bracket(authors: dict[str, Author], bots: dict[str, int]) -> None:
    """A bracket is offered by the form, filled by page and API, played and drawn."""
    alice = authors["a"]
    form = alice.page("/tournaments/new/")
    assert "Stepladder" in form and "Laps to run; 0 means just one" in form
    sent = {"name": "Ladder Cup", "board": "ramen_ramen/2", "format": "stepladder", "sets": "1"}
    sent |= {"entry": "open", "seeding": "fitted", "max_entrants": "16", "is_public": "on"}
    answer = alice.client.post("/tournaments/new/", sent)
    assert answer.status_code == 302, re.findall(r"errorlist.*", answer.content.decode())
    path = f"tournaments/{answer['Location'].strip('/').split('/')[-1]}/"
    enrolled = alice.client.post(f"/{path}act/", {"act": "enrol", "bot": bots["duel a"]})
    assert enrolled.status_code == 302
    for name in ("duel b", "duel c"):
        authors[name[-1]].post(f"{path}entrants/", 201, bot=bots[name])
    alice.post(f"{path}start/", 200)
    record = play_out(int(path.split("/")[1]))
    answer = alice.ask(path)
    assert (answer["format"], answer["status"]) == ("stepladder", "finished")
    page = alice.page(f"/{path}")
    drawn = page[page.index('<svg class="bracket"') :]
    boxes = re.findall(r'<title>(Rung \d): .*?<rect class="box" x="(\d+)"', drawn, re.DOTALL)
    assert [label for label, _ in boxes[:2]] == ["Rung 2", "Rung 1"]
    across = [int(x) for _, x in boxes[:2]]
    assert across == sorted(set(across)), "each rung stands to the right of the one below"
    verify(record)
    assert verify(alice.ask(f"{path}record/"))


def check_formats(authors: dict[str, Author], bots: dict[str, int]) -> None:
    """A format of another kind by the API, and a tournament of the game of three."""
    alice = authors["a"]
    assert "relay" in [one["name"] for one in alice.ask("boards/ramen_ramen/2/formats/")]
    asked = {"game": "ramen_ramen", "seats": 2, "format": "relay", "name": "Laps"}
    trio = {"game": "toy", "seats": 3, "format": "pods", "name": "Trio"}
    for cup, names in ((asked, ("duel a", "duel b")), (trio, ("trio a", "trio b", "trio c"))):
        path = f"tournaments/{alice.post('tournaments/', 201, **cup)['id']}/"
        for name in names:
            authors[name[-1]].post(f"{path}entrants/", 201, bot=bots[name])
        alice.post(f"{path}start/", 200)
        record = play_out(int(path.split("/")[1]))
        assert alice.ask(path)["status"] == "finished"
        winner = next(one for one in record["entrants"] if one["seed"] == record["champion"])
        assert winner["bot"] in alice.page("/tournaments/")
        verify(record)
        assert all(name in alice.page(f"/{path}") for name in names)


def main() -> None:
    call_command("migrate", verbosity=0)
    assert len(GAMES) == 5
    authors = {name[0]: Author(name) for name in ("alice", "bob", "carol")}
    alice = authors["a"]
    bots = check_gate(authors)
    match = check_ladder(alice, bots)
    check_theatre(alice, match)
    check_browser_pages(alice)
    check_bracket(authors, bots)
    check_formats(authors, bots)
    sys.stdout.write("known everywhere\n")


if __name__ == "__main__":
    main()
