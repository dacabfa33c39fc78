"""Run by test_fifth_game.py in a copy of the project whose toy game has three to eight seats."""

from __future__ import annotations

import pytest
from django.test import Client

from engine.chance import SeededChance
from engine.games import GAMES
from ladder.boards import Board
from ladder.models import Match
from ladder.services import scheduling, tournaments
from ladder.services.rating import fitting
from ladder.tournaments.record import verify
from tests.factories import make_bot, make_user
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db(transaction=True)


def test_pages_show_a_game_without_a_two_seat_board(client: Client) -> None:
    for path in ("/", "/games/toy/", "/games/toy/rules/", "/play/toy/", "/play/toy/bot/"):
        assert client.get(path).status_code == 200, path
    assert client.get("/api/v1/games/toy/").json()["seats"] == [3, 4, 5, 6, 7, 8]


def test_the_game_says_itself_what_you_do_and_what_another_does() -> None:
    state = GAMES["toy"].start(3, SeededChance(0))

    assert state.order(1) == "Go and take one dumpling"
    assert state.words(2) == "goes and takes 2 dumplings"


def test_a_ladder_match_is_played_at_three_seats(client: Client) -> None:
    for _ in range(3):
        make_bot(game="toy", seat_counts=[3])
    scheduling.fill_queue()
    for match in Match.objects.waiting():
        assert play_and_finish(match)

    assert {tick.board for tick in fitting.rate_ready_ticks()} == {Board("toy", 3)}
    assert client.get("/api/v1/boards/toy/3/ladder/?provisional=true").json()["results"]


@pytest.mark.parametrize("entrants", [4, 7])
def test_a_tournament_is_played_to_its_end_although_most_withdraw(entrants: int) -> None:
    alice = make_user("alice")
    cup = tournaments.create(by=alice, board=Board("toy", 3), name="Trio", format="pods")
    bots = [make_bot(alice, game="toy") for _ in range(entrants)]
    for bot in bots:
        tournaments.enrol(tournament=cup, bot=bot, by=alice)
    tournaments.start(tournament=cup, by=alice)
    for bot in bots[2:]:
        tournaments.withdraw(tournament=cup, bot=bot, by=alice)

    for _ in range(20):
        tournaments.advance_all()
        for match in Match.objects.waiting():
            assert match.seats in GAMES["toy"].seats
            assert play_and_finish(match)

    cup.refresh_from_db()
    assert cup.status == "finished"
    assert verify(tournaments.as_record(cup))
