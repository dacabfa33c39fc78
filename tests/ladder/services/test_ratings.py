from datetime import timedelta
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.games import GAMES
from ladder.boards import Board
from ladder.jobs.scheduler import Scheduler
from ladder.models import Entry, Match, Rating, RatingChange, Tick, Version
from ladder.services import demo, fitting, matches, rating_log, ratings, scheduling
from tests.factories import DUEL, make_bot, make_user, make_version
from tests.local_play import play_and_finish, record_of

pytestmark = pytest.mark.django_db

BOARDS = [DUEL, Board("ramen_ramen", 1), Board("ramen_ramen", 4), Board("hot_ramen", 3)]


def make_board(board: Board, bots: int = 4) -> None:
    """A board with a house anchor and some newcomers."""
    house = make_user("house")
    make_bot(house, game=board.game, name="House Random", is_house=True)
    for _ in range(bots):
        make_bot(game=board.game)


def play_tick(board: Board, seed: int = 0) -> Tick:
    tick = scheduling.create_tick(board, Random(seed))
    for match in tick.matches.all():
        assert play_and_finish(match)
    assert ratings.apply(tick)
    return tick


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_ticks_move_newcomers_and_leave_anchors_and_verify_exactly(board):
    make_board(board)

    for seed in range(3):
        play_tick(board, seed)

    assert RatingChange.objects.exclude(delta_milli=0).exists()
    anchor = Rating.objects.on(board).get(is_anchor=True)
    house = board.rules.house_ratings[board.seats]
    assert anchor.milli == anchor.start_milli == 1000 * house["random"]
    assert anchor.is_provisional is False
    assert list(rating_log.verify(board)) == []
    played = Rating.objects.on(board).filter(effective_games__gt=0, is_anchor=False)
    assert played.exists()
    for rating in played:
        assert rating.plays > 0
        assert rating.sets == Entry.objects.filter(version=rating.version).count()


def test_a_changed_rating_is_found_by_verify():
    make_board(DUEL)
    play_tick(DUEL)
    Rating.objects.on(DUEL).filter(is_anchor=False, effective_games__gt=0).update(milli=9)

    assert list(rating_log.verify(DUEL))
    with pytest.raises(CommandError, match="not what the match log gives"):
        call_command("ratings", verify=True)


def test_a_tick_waits_for_all_its_matches_and_for_earlier_ticks():
    make_board(DUEL)
    first, second = (scheduling.create_tick(DUEL, Random(seed)) for seed in range(2))
    for match in second.matches.all():
        play_and_finish(match)
    one, *others = first.matches.all()
    for match in others:
        play_and_finish(match)

    assert ratings.apply_ready_ticks() == []
    matches.void(one, "a test")
    assert len(ratings.apply_ready_ticks()) == 2
    assert ratings.apply_ready_ticks() == []


def test_voiding_a_rated_match_gives_what_would_have_been_without_it():
    make_board(DUEL)
    ticks = [play_tick(DUEL, seed) for seed in range(3)]
    struck = ticks[1].matches.first()

    matches.void(struck, "the author asked")

    assert list(rating_log.verify(DUEL)) == []
    sets = {r.version_id: r.sets for r in Rating.objects.on(DUEL)}
    for entry in struck.entries.all():
        assert sets[entry.version_id] == (
            Entry.objects.filter(version=entry.version, match__status=Match.Status.FINISHED).count()
        )


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_order_and_duplication_of_deliveries_gives_identical_ratings(data, django_db_blocker):
    """The same matches, finished in any order with any task delivered again, rate the same."""
    from django.db import transaction

    order = data.draw(st.permutations(range(4)))
    twice = data.draw(st.sets(st.integers(0, 3)))
    outcomes = []
    for deliveries in (range(4), order):
        with transaction.atomic():
            mark = transaction.savepoint()
            make_board(DUEL, bots=4)
            tick = scheduling.create_tick(DUEL, Random(1))
            for number, match in enumerate(tick.matches.order_by("pk")):
                Match.objects.filter(pk=match.pk).update(seed=number)
            rows = list(tick.matches.order_by("pk"))
            for number in deliveries:
                match = rows[number % len(rows)]
                claimed = Match.everything.filter(pk=match.pk).claim_next("one")
                if claimed is None:
                    continue
                record = record_of(claimed)
                matches.finish(claimed, record)
                if number in twice:
                    matches.finish(claimed, record)
                    assert Match.everything.filter(pk=match.pk).claim_next("two") is None
                ratings.apply_ready_ticks()
            ratings.apply_ready_ticks()
            names = {r.version_id: i for i, r in enumerate(Rating.objects.order_by("pk"))}
            outcomes.append(
                [
                    (names[r.version_id], r.milli, r.effective_games.hex(), r.plays, r.score_sum)
                    for r in Rating.objects.order_by("pk")
                ]
            )
            transaction.savepoint_rollback(mark)
    assert outcomes[0] == outcomes[1]


def test_fitting_stores_values_errors_and_bands():
    make_board(DUEL)
    for seed in range(4):
        play_tick(DUEL, seed)

    fitting.refit(DUEL)

    for rating in Rating.objects.on(DUEL).listed():
        assert rating.fitted is not None
        assert rating.band is not None
        assert (rating.fitted_error == 0) == rating.is_anchor


@pytest.mark.parametrize("board", [DUEL, Board("ramen_ramen", 1)], ids=str)
def test_fitting_reads_many_ticks_with_as_many_queries_as_one(board):
    make_board(board)
    play_tick(board)
    with CaptureQueriesContext(connection) as early:
        first = fitting.refit(board)
    for seed in range(1, 4):
        play_tick(board, seed)

    with CaptureQueriesContext(connection) as late:
        last = fitting.refit(board)

    assert len(late) == len(early)
    played = {r.version_id: r.sets for r in Rating.objects.on(board)}
    if board.is_solo:  # where all seeds of a tick are one result
        assert sum(last.sets.values()) > sum(first.sets.values())
    else:
        assert last.sets == played


def test_a_board_that_was_never_fitted_does_not_wait_for_one_with_more_news(monkeypatch):
    fitted = []
    monkeypatch.setattr(fitting, "refit", fitted.append)
    other = Board("hot_ramen", 3)
    scheduler = Scheduler()
    scheduler._applied = {DUEL: 9, other: 1}
    scheduler._fitted = {DUEL: 5}

    scheduler._refit()
    scheduler._refit()

    assert fitted == [other]
    assert scheduler._fitted == {DUEL: 5, other: 1}


def test_a_board_with_a_long_history_is_fitted_again_after_a_share_of_it(monkeypatch):
    fitted = []
    monkeypatch.setattr(fitting, "refit", fitted.append)
    scheduler = Scheduler()
    scheduler._fitted = {DUEL: 1000}
    for count in (1005, 1019, 1021):
        scheduler._applied = {DUEL: count}
        scheduler._refit()

    assert fitted == [DUEL]
    assert scheduler._fitted == {DUEL: 1021}


def fits_in_history():
    rows = RatingChange.objects.values_list("tick", "rating", "fitted", "fitted_error")
    return {(tick, rating): fit for tick, rating, *fit in rows}


def test_the_history_keeps_what_the_last_fit_before_each_tick_said():
    make_board(DUEL)
    first = play_tick(DUEL, 0)
    fitting.refit(DUEL)
    known = {r.pk: [r.fitted, r.fitted_error] for r in Rating.objects.on(DUEL)}
    second = play_tick(DUEL, 1)
    fitting.refit(DUEL)

    kept = fits_in_history()

    for (tick, rating), fit in kept.items():
        assert fit == ([None, None] if tick == first.pk else known[rating])
    assert {tick for tick, _ in kept} == {first.pk, second.pk}
    assert any(known[r.pk] != [r.fitted, r.fitted_error] for r in Rating.objects.on(DUEL))


def test_a_voided_match_leaves_what_fits_said_at_the_time():
    make_board(DUEL)
    ticks = []
    for seed in range(3):
        ticks.append(play_tick(DUEL, seed))
        fitting.refit(DUEL)
    before = fits_in_history()

    matches.void(ticks[1].matches.first(), "the author asked")

    after = fits_in_history()
    assert list(rating_log.verify(DUEL)) == []
    assert after.items() <= before.items()
    assert {tick for tick, _ in after} == {tick.pk for tick in ticks}


def test_the_length_of_the_history_does_not_change_what_a_tick_costs():
    make_board(DUEL)

    def cost(seed: int) -> int:
        tick = scheduling.create_tick(DUEL, Random(seed))
        for match in tick.matches.all():
            play_and_finish(match)
        rated = {e.version_id for e in Entry.objects.filter(match__tick=tick)}
        with CaptureQueriesContext(connection) as asked:
            assert ratings.apply(tick)
        return len(asked) - len(rated)  # one UPDATE for each that moved

    assert cost(0) == cost(1) == cost(2)


def test_solo_shows_mean_points_with_their_error():
    board = Board("ramen_ramen", 1)
    make_board(board)
    play_tick(board)

    rating = Rating.objects.on(board).filter(is_anchor=False, plays__gt=1).first()
    mean, error = rating.mean_points

    assert 10 < mean < 62
    assert error >= 0


def test_a_new_bot_starts_at_the_median_of_the_established():
    for milli in (1_400_000, 1_600_000, 1_800_000):
        bot = make_bot()
        Rating.objects.on(DUEL).filter(bot=bot).update(
            milli=milli, effective_games=40, is_provisional=False
        )

    newcomer = make_bot()

    assert Rating.objects.on(DUEL).get(bot=newcomer).milli == 1_600_000


def test_every_board_gets_house_bots_and_demo_bots_and_seeding_twice_changes_nothing():
    demo.seat_house_bots()
    demo.seat_demo_bots()
    before = Rating.objects.count(), Match.objects.count()

    demo.seat_house_bots()
    demo.seat_demo_bots()

    assert (Rating.objects.count(), Match.objects.count()) == before
    for game in GAMES.values():
        for seats in game.seats:
            board = Rating.objects.on(Board(game.slug, seats)).listed()
            assert board.filter(is_anchor=True).count() >= 3
            assert board.filter(is_anchor=False).count() >= 3


def test_the_queue_is_filled_for_the_longest_wait_first_and_not_beyond_its_target(settings):
    settings.QUEUE_TARGET = 3
    make_board(DUEL)
    Rating.objects.filter(is_anchor=False).exclude(game=DUEL.game, seats=DUEL.seats).update(
        effective_games=100, is_provisional=False
    )

    scheduling.fill_queue()

    assert {match.board for match in Match.objects.all()} == {DUEL}
    count = Match.objects.count()
    assert count >= 3
    scheduling.fill_queue()
    assert Match.objects.count() == count


def test_no_two_bots_of_one_owner_meet_at_a_rated_table():
    house = make_user("house")
    for name in ("House Random", "House Greedy"):
        make_bot(house, name=name, is_house=True)
    alice = make_user()
    for _ in range(5):
        make_bot(alice)
    make_bot()

    for seed in range(6):
        scheduling.create_tick(DUEL, Random(seed))

    for match in Match.objects.all():
        owners = [e.bot.owner_id for e in match.entries.all() if not e.bot.is_house]
        assert len(set(owners)) == len(owners)
        assert match.why


def test_a_new_version_is_provisional_again_and_the_old_one_leaves_the_list():
    bot = make_bot()
    Rating.objects.on(DUEL).filter(bot=bot).update(
        milli=1_700_000, effective_games=90, is_provisional=False
    )

    make_version(bot)

    listed = Rating.objects.on(DUEL).listed().get(bot=bot)
    assert listed.milli == 1_700_000
    assert listed.is_provisional


def test_a_newcomer_goes_before_bots_that_have_waited_with_fewer_games():
    make_board(DUEL, bots=4)
    earlier = timezone.now() - timedelta(hours=1)
    Version.objects.update(created_at=earlier)
    newcomer = make_bot()
    Rating.objects.filter(bot=newcomer).update(effective_games=8)

    tick = scheduling.create_tick(DUEL, Random(0))

    tables = [{entry.bot for entry in match.entries.all()} for match in tick.matches.all()]
    assert sum(newcomer in table for table in tables) >= 3
    assert "is new and goes first" in tick.matches.order_by("pk").first().why


def test_the_latest_upload_decides_which_board_is_served_first(settings, monkeypatch):
    settings.QUEUE_TARGET = 1
    monkeypatch.setattr(scheduling, "PATIENT_SHARE", 0)
    make_board(DUEL)
    Version.objects.update(created_at=timezone.now() - timedelta(hours=1))
    make_bot(game="hot_ramen", seat_counts=[3])
    make_bot(make_user(), game="hot_ramen", name="House Random", is_house=True)
    make_bot(make_user(), game="hot_ramen", name="House Greedy", is_house=True)

    scheduling.fill_queue()

    assert {match.board for match in Match.objects.all()} == {Board("hot_ramen", 3)}
