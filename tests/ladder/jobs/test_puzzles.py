"""Puzzles: made of stored plays, answered on the site and by the API, rated by the answers."""

from __future__ import annotations

import json
from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from engine.analysis.analyst import Trust, analyst_for
from engine.games import GAMES
from engine.studies.puzzles import CLEAR, GAP, find
from engine.studies.stock import stock_of
from ladder.models import Puzzle, PuzzleAnswer, Solver, User
from ladder.queries.analyses import puzzles as queries
from ladder.ratings.puzzles import Strength, after_answer
from ladder.services.analyses import puzzles as service
from tests.factories import make_user

STOCKED = [game for game in GAMES.values() if stock_of(game)]


@pytest.fixture
def puzzle(db: None) -> Puzzle:
    first = stock_of(STOCKED[0])[0]
    assert service.add(position=first.position, found=first.puzzle)
    assert not service.add(position=first.position, found=first.puzzle)
    return Puzzle.objects.get()


@pytest.fixture
def user(db: None) -> User:
    return make_user()


def choices(puzzle: Puzzle) -> tuple[str, str]:
    """The best action, and another."""
    grades = queries.content(puzzle.pk).grades
    return grades[0][0], grades[-1][0]


def answered(client: Client, puzzle: Puzzle, action: str) -> dict:
    address = reverse("puzzle-answer", args=[puzzle.pk])
    body = json.dumps({"action": action})
    return client.post(address, body, content_type="application/json").json()


@pytest.mark.parametrize("game", STOCKED, ids=lambda game: game.slug)
def test_every_puzzle_of_a_games_stock_has_one_clearly_best_action(game) -> None:
    for one in stock_of(game):
        best, *others = one.puzzle.grades
        assert best.lost == 0
        assert all(grade.lost >= 10_000 * GAP for grade in others)
        assert all(grade.lost > CLEAR * grade.error for grade in others)
        assert one.position.result is None


def test_a_puzzle_is_found_again_in_its_own_position_with_the_same_numbers() -> None:
    """The numbers depend on nothing but the play, so a position can be tried again."""
    one = stock_of(GAMES["potage_sauvage"])[0]
    game = GAMES["potage_sauvage"]
    from engine.analysis.analyst import copied
    from engine.analysis.tape import NoLuck
    from engine.replay import Steps
    from engine.studies.puzzles import puzzle_at

    steps = Steps(game, one.position)
    for _ in steps:
        pass
    state = copied(steps.state, NoLuck())
    found = puzzle_at(analyst_for(game), state, one.puzzle.before, "another seed")

    assert found is not None
    assert found.grades[0] == one.puzzle.grades[0]
    assert {g.action for g in found.grades} == {state.notation(a) for a in state.legal()}


def test_games_without_a_validated_analyst_bring_no_puzzles() -> None:
    for game in GAMES.values():
        if analyst_for(game).trust is not Trust.VALIDATED:
            assert stock_of(game) == []
    assert find is not None


def test_a_first_answer_counts_and_moves_both_ratings(puzzle: Puzzle, user: User) -> None:
    client = Client()
    client.force_login(user)
    best, other = choices(puzzle)

    first = answered(client, puzzle, other)
    again = answered(client, puzzle, best)

    assert not first["is_right"] and first["is_counted"] and first["lost"] >= 20
    assert first["best"] == best and first["change"] < 0
    assert again["is_right"] and not again["is_counted"] and again["rating"] is None
    puzzle.refresh_from_db()
    assert (puzzle.answers, puzzle.solved) == (1, 0)
    assert puzzle.rating > 1500 > Solver.objects.get(user=user).rating
    assert PuzzleAnswer.objects.count() == 1


def test_guests_answer_and_are_not_rated(puzzle: Puzzle) -> None:
    told = answered(Client(), puzzle, choices(puzzle)[0])

    assert told["is_right"] and not told["is_counted"]
    puzzle.refresh_from_db()
    assert puzzle.answers == 0
    refused = answered(Client(), puzzle, "nonsense")
    assert refused == {"problem": "That move is not possible in this position."}
    nested = Client().post(f"/puzzles/{puzzle.pk}/answer/", "[" * 4000, "application/json")
    assert nested.status_code == 409 and nested.json() == refused


def test_the_page_shows_the_table_and_never_the_answer(puzzle: Puzzle) -> None:
    page = Client().get(reverse("puzzle", args=[puzzle.pk])).content.decode()
    setup = json.loads(
        page.split('id="puzzle-setup" type="application/json">')[1].split("</script>")[0]
    )

    assert len(setup["opening"]["asked"]["choices"]) == puzzle.options
    assert "grades" not in page and "lost" not in json.dumps(setup["opening"]["asked"])
    form = Client().post(
        reverse("puzzle-answer", args=[puzzle.pk]), {"action": choices(puzzle)[0]}, follow=True
    )
    assert "Right." in form.content.decode()
    assert Client().get(reverse("puzzle", args=[puzzle.pk + 1])).status_code == 404


def test_the_api_lists_shows_and_judges(puzzle: Puzzle, user: User) -> None:
    client = Client()
    client.force_login(user)
    listed = client.get("/api/v1/puzzles/?game=" + puzzle.game).json()["results"]
    told = client.get(f"/api/v1/puzzles/{puzzle.pk}/").json()

    assert [one["id"] for one in listed] == [puzzle.pk]
    assert {one["action"] for one in told["choices"]} >= set(choices(puzzle))
    assert told["view"] and told["text"]
    assert "grades" not in told


def test_a_day_gets_one_puzzle_and_the_list_is_honest_when_there_is_none(db: None) -> None:
    address = reverse("puzzles")
    assert "There are no puzzles yet." in Client().get(address).content.decode()
    assert queries.of_the_day() is None

    assert service.add_stock() == sum(len(stock_of(game)) for game in GAMES.values())

    assert service.add_stock() == 0
    assert Puzzle.objects.exclude(day=None).count() == 1
    tomorrow = Puzzle.objects.exclude(day=None).get().day + timedelta(days=1)
    assert service.choose_today(tomorrow)
    assert not service.choose_today(tomorrow)
    page = Client().get(address).content.decode()
    assert "Solve the puzzle of the day" in page
    assert isinstance(queries.of_the_day().day, date)


def test_a_strong_puzzle_takes_little_from_a_weak_solver() -> None:
    weak, strong = Strength(1300, 80), Strength(1900, 80)

    lost = after_answer(weak, strong, False)[0].rating - 1300
    won = after_answer(weak, strong, True)[0].rating - 1300

    assert -5 < lost < 0 < 15 < won
