"""Open-class tournaments, the clocks of a play under way, and the notes that are shown after it."""

from __future__ import annotations

import re
import secrets
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from engine.arena import SetPlay
from ladder.boards import Board
from ladder.contract.remote import Holder
from ladder.errors import LadderError
from ladder.models import Line, Match, Presence, RemoteBot, Sitting
from ladder.services import challenges, matches, tournaments
from ladder.services.matches import Record, Usage
from ladder.services.remote import seats
from ladle import play
from tests.factories import make_bot, make_user
from tests.ladder.remote.test_limits import connected

pytestmark = pytest.mark.django_db
BOARD = Board("ramen_ramen", 2)


def challenged() -> Match:
    """A match of a remote bot against the house, claimed by a keeper."""
    author = make_user()
    far, house = connected(author, "Far"), make_bot(is_house=True, name="House Greedy")
    made = challenges.challenge(by=author, board=BOARD, own=far, others=[house])
    match = Match.all_objects.claim_next("a keeper", {Match.PRIORITY[Match.Kind.REMOTE]})
    assert match is not None and match.pk == made.pk
    return match


def asked(match: Match, number: int, **fields: Any) -> Line:
    far = RemoteBot.objects.get()
    return Line.objects.create(
        id=secrets.token_hex(8),
        sitting_id=match.pk,
        number=number,
        remote=far,
        seat=0,
        type=Line.Type.DECIDE,
        opened_at=timezone.now(),
        **fields,
    )


def test_a_match_under_way_shows_its_clocks(client: Client) -> None:
    match = challenged()
    Sitting.objects.update(clocks={"0": [12_000, 3_000], "1": [12_000, 3_000]})
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert "12 of 600 s" in page and "3 of 120 s" in page
    Presence.objects.update(gone_at=timezone.now())
    assert "away</span>" in client.get(f"/matches/{match.pk}/").content.decode()


def test_a_bots_page_shows_its_connection_round_trip_and_absences(client: Client) -> None:
    far = connected(make_user(), "Far")
    seats.arrive(holder=Holder(far.pk), stream="one", process="here")

    def page() -> str:
        text = client.get(f"/bots/{far.pk}/").content.decode()
        section = text.split('id="remote">')[1].split("</section>")[0]
        return " ".join(re.sub(r"<[^>]+>", " ", section).split())

    assert "Remote bot online" in page() and "last round trip: none yet" in page()
    assert "absences: 0" in page()
    seats.drain(bot=far.pk)
    assert "Remote bot online, takes no new plays" in page()
    Presence.objects.filter(pk=far.pk).update(round_trip_ms=83)
    seats.leave(holder=Holder(far.pk), stream="one")
    told = page()
    assert "Remote bot offline" in told and "last round trip: 83 ms" in told
    assert "absences: 1" in told and "last seen" in told


def test_notes_are_read_beside_the_decisions_they_belong_to(client: Client) -> None:
    match = challenged()
    played = play(BOARD.game, ["random", "random"], seed=3)
    decisions = [at for at, entry in enumerate(played.replay.log, 1) if "action" in entry]
    asked(match, 0, state=Line.State.TAKEN, note="I like nori.")
    asked(match, 2, state=Line.State.TAKEN, note="<b>bold</b>")
    asked(match, 4, state=Line.State.TAKEN)
    address = f"/matches/{match.pk}/plays/0/"
    assert client.get(f"{address}notes.json").status_code == 404, "not before it is over"
    record = Record([SetPlay((0, 1), played)], [Usage(), Usage()], match.seated())
    assert matches.finish(match, record)
    told = client.get(f"{address}notes.json").json()
    assert told == {str(decisions[0]): "I like nori.", str(decisions[2]): "<b>bold</b>"}
    assert "notes.json" in client.get(address).content.decode()


def test_remote_bots_take_part_in_tournaments_of_the_open_class() -> None:
    organiser, author = make_user(), make_user()
    far, gone = connected(author, "Far"), connected(make_user(), "Gone")
    house = make_bot(is_house=True, name="House Greedy")
    closed = tournaments.create(by=organiser, board=BOARD, name="Closed", format="round_robin")
    with pytest.raises(LadderError, match="tournaments of the open class"):
        tournaments.enrol(tournament=closed, bot=far, by=author)
    cup = tournaments.create(
        by=organiser, board=BOARD, name="Open", format="round_robin", is_open_class=True
    )
    tournaments.enrol(tournament=cup, bot=far, by=author)
    tournaments.enrol(tournament=cup, bot=gone, by=gone.owner)
    tournaments.enrol(tournament=cup, bot=house, by=organiser)
    Presence.objects.filter(pk=gone.pk).update(gone_at=timezone.now())
    tournaments.start(tournament=cup, by=organiser)
    match = Match.objects.get()
    assert (match.kind, match.pairing.tournament, match.sitting.is_rated) == ("remote", cup, False)
    assert {entry.bot_id for entry in match.entries.all()} == {far.pk, house.pk}
    claimed = Match.all_objects.claim_next("a keeper", {Match.PRIORITY[Match.Kind.REMOTE]})
    assert claimed is not None
    played = play(BOARD.game, ["greedy", "random"], seed=3)
    record = Record([SetPlay((0, 1), played)], [Usage(), Usage()], claimed.seated())
    assert matches.finish(claimed, record)
    tournaments.advance_all()
    cup.refresh_from_db()
    assert cup.status == "finished"
