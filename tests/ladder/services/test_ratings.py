from collections import Counter
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
from ladder.errors import LadderError
from ladder.models import BoardFit, Bot, Entry, Match, Rating, RatingChange, Tick
from ladder.queries.bots import ratings_by_bot
from ladder.ratings.fit import Rated
from ladder.ratings.intervals import interval_in_words
from ladder.services import bots, demo, matches, scheduling
from ladder.services.rating import fitting, rating_log, ratings
from tests.factories import DUEL, make_bot, make_user, make_version
from tests.local_play import play_and_finish, record_of

pytestmark = pytest.mark.django_db

BOARDS = [DUEL, Board("ramen_ramen", 1), Board("ramen_ramen", 4), Board("hot_ramen", 3)]


RANKS = [(True, 150, False), (True, 160, True), (False, 160, False), (False, 181, True)]


def make_board(board: Board, bots: int = 4) -> None:
    """A board with a house anchor and some newcomers."""
    house = make_user("house")
    make_bot(house, game=board.game, name="House Random", house_slug="random")
    for _ in range(bots):
        make_bot(game=board.game)


def play_tick(board: Board, seed: int = 0) -> Tick:
    tick = scheduling.create_tick(board, Random(seed))
    for match in tick.matches.all():
        assert play_and_finish(match)
    assert tick in fitting.rate_ready_ticks()
    return tick


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_ticks_rate_newcomers_and_hold_on_to_the_house_and_verify(board):
    make_board(board)

    for seed in range(3):
        play_tick(board, seed)

    house, error = board.rules.anchors()[board.seats]["random"]
    anchor = Rating.objects.on(board).get(is_anchor=True)
    assert abs(anchor.elo - house) < 3 * error
    assert anchor.is_provisional is False
    assert list(rating_log.verify(board)) == []
    played = Rating.objects.on(board).filter(sets__gt=0, is_anchor=False)
    assert played.exists()
    for rating in played:
        assert rating.low_milli < rating.milli < rating.high_milli
        assert rating.plays > 0
        assert rating.sets == Entry.objects.filter(version=rating.version).count()


@pytest.mark.parametrize(
    ("tampered", "with_sets"),
    [
        ({"milli": 2_000_000}, True),
        ({"low_milli": 1_499_000, "high_milli": 1_501_000}, True),
        ({"sets": 400}, True),
        ({"milli": 1_900_000}, False),  # where it starts from
    ],
)
def test_verify_finds_what_was_changed_by_hand_starts_included(tampered, with_sets):
    make_board(DUEL)
    play_tick(DUEL)
    make_bot()
    chosen = Rating.objects.on(DUEL).filter(is_anchor=False, sets__gt=0)
    chosen = chosen if with_sets else Rating.objects.on(DUEL).filter(sets=0)
    assert list(rating_log.verify(DUEL)) == []

    assert chosen.update(**tampered)

    assert list(rating_log.verify(DUEL))
    with pytest.raises(CommandError, match="differ from those computed from the match log"):
        call_command("ratings", verify=True)


def test_verify_finds_a_house_bot_that_was_moved():
    make_board(DUEL)
    play_tick(DUEL)

    Rating.objects.on(DUEL).filter(is_anchor=True).update(milli=1_300_000)

    assert list(rating_log.verify(DUEL))


def test_verify_finds_a_step_of_the_history_that_was_taken_out():
    make_board(DUEL)
    play_tick(DUEL)

    RatingChange.objects.first().delete()

    assert list(rating_log.verify(DUEL))


def test_a_tick_waits_for_all_its_matches_but_not_for_another_tick():
    make_board(DUEL)
    first, second = (scheduling.create_tick(DUEL, Random(seed)) for seed in range(2))
    for match in second.matches.all():
        play_and_finish(match)
    one, *others = first.matches.all()
    for match in others:
        play_and_finish(match)

    assert fitting.rate_ready_ticks() == [second]
    matches.void(one, "a test")
    assert fitting.rate_ready_ticks() == [first]
    assert fitting.rate_ready_ticks() == []
    assert list(rating_log.verify(DUEL)) == []


def test_voiding_a_rated_match_gives_what_would_have_been_without_it():
    make_board(DUEL)
    ticks = [play_tick(DUEL, seed) for seed in range(3)]
    struck = ticks[1].matches.first()

    matches.void(struck, "the author asked")
    fitting.rate_ready_ticks()

    assert list(rating_log.verify(DUEL)) == []
    sets = {r.version_id: r.sets for r in Rating.objects.on(DUEL)}
    for entry in struck.entries.all():
        assert sets[entry.version_id] == (
            Entry.objects.filter(version=entry.version, match__status=Match.Status.FINISHED).count()
        )


def test_a_bot_that_does_not_move_is_recounted_when_its_match_is_struck(monkeypatch):
    """House bots stand fixed where they were measured, and their counters change all the same."""
    make_board(DUEL)
    monkeypatch.setattr(fitting, "_move", lambda row, rated, *, played: None)
    for seed in range(6):
        play_tick(DUEL, seed)
    house = Rating.objects.on(DUEL).get(is_anchor=True)
    struck = list(Match.objects.filter(entries__bot=house.bot_id))
    assert house.sets == len(struck) > 0

    for match in struck:
        matches.void(match, "a test")
    fitting.rate_ready_ticks()

    house.refresh_from_db()
    assert house.sets == 0


def test_voiding_costs_the_same_however_long_the_history_is():
    make_board(DUEL)
    costs = []
    for seed in range(3):
        tick = play_tick(DUEL, seed)
        with CaptureQueriesContext(connection) as asked:
            matches.void(tick.matches.first(), "a test")
        costs.append(len(asked))
        fitting.rate_ready_ticks()

    assert costs[0] == costs[1] == costs[2]


def test_a_match_that_was_called_off_and_is_played_after_all_counts():
    make_board(DUEL)
    tick = scheduling.create_tick(DUEL, Random(0))
    one, *others = tick.matches.all()
    for match in others:
        play_and_finish(match)
    matches.cancel(one, "a test")
    fitting.rate_ready_ticks()
    before = sum(Rating.objects.on(DUEL).values_list("sets", flat=True))

    matches.requeue(one)
    play_and_finish(one)
    fitting.rate_ready_ticks()

    assert sum(Rating.objects.on(DUEL).values_list("sets", flat=True)) == before + 2
    assert list(rating_log.verify(DUEL)) == []


def test_a_rated_match_that_was_struck_stays_so():
    make_board(DUEL)
    struck = play_tick(DUEL).matches.first()
    matches.void(struck, "a test")

    with pytest.raises(LadderError, match="cannot be queued again"):
        matches.requeue(struck)


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
                Match.all_objects.filter(pk=match.pk).update(seed=number)
            rows = list(tick.matches.order_by("pk"))
            for number in deliveries:
                match = rows[number % len(rows)]
                claimed = Match.all_objects.filter(pk=match.pk).claim_next("one")
                if claimed is None:
                    continue
                record = record_of(claimed)
                matches.finish(claimed, record)
                if number in twice:
                    matches.finish(claimed, record)
                    assert Match.all_objects.filter(pk=match.pk).claim_next("two") is None
                fitting.rate_ready_ticks()
            fitting.rate_ready_ticks()
            names = {r.version_id: i for i, r in enumerate(Rating.objects.order_by("pk"))}
            outcomes.append(
                [
                    (names[r.version_id], r.milli, r.low_milli, r.high_milli, r.plays)
                    for r in Rating.objects.order_by("pk")
                ]
            )
            transaction.savepoint_rollback(mark)
    assert outcomes[0] == outcomes[1]


def test_what_was_kept_in_memory_and_what_is_read_anew_give_the_same_ratings():
    make_board(DUEL)
    for seed in range(4):
        play_tick(DUEL, seed)
    kept = list(Rating.objects.on(DUEL).order_by("pk").values_list("milli", "low_milli"))

    fitting.rate(DUEL, from_scratch=True)

    anew = list(Rating.objects.on(DUEL).order_by("pk").values_list("milli", "low_milli"))
    for one, other in zip(kept, anew, strict=True):
        assert one == pytest.approx(other, abs=fitting.SAME_MILLI)


def test_another_process_that_rated_in_between_is_noticed():
    make_board(DUEL)
    play_tick(DUEL, 0)
    kept = dict(fitting._kept)
    fitting._kept.clear()  # as in another process
    play_tick(DUEL, 1)
    fitting._kept.update(kept)

    play_tick(DUEL, 2)

    assert list(rating_log.verify(DUEL)) == []


def test_a_tick_that_could_not_be_rated_leaves_nothing_behind(monkeypatch):
    make_board(DUEL)
    play_tick(DUEL, 0)
    tick = scheduling.create_tick(DUEL, Random(1))
    for match in tick.matches.all():
        play_and_finish(match)

    with monkeypatch.context() as broken:
        broken.setattr(fitting, "_write_bands", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            fitting.rate_ready_ticks()
    tick.refresh_from_db()
    assert tick.applied_at is None
    assert list(rating_log.verify(DUEL)) == []

    fitting.rate_ready_ticks()
    assert list(rating_log.verify(DUEL)) == []


def test_bands_are_of_ranked_listed_versions_and_follow_the_rank():
    make_board(DUEL)
    for seed in range(30):
        play_tick(DUEL, seed)

    ladder = list(Rating.objects.on(DUEL).ranked().by_rank())
    bands = [rating.band for rating in ladder]

    assert len(ladder) > 1
    assert bands[0] == 1
    assert bands == sorted(bands)
    assert not Rating.objects.on(DUEL).provisional().exclude(band=None).exists()


def test_a_history_keeps_what_was_known_after_each_tick():
    make_board(DUEL)
    first = play_tick(DUEL, 0)
    known = {r.pk: (r.milli, r.low_milli, r.high_milli) for r in Rating.objects.on(DUEL)}
    play_tick(DUEL, 1)

    for change in first.changes.all():
        assert (change.milli, change.low_milli, change.high_milli) == known[change.rating_id]


def test_the_length_of_the_history_does_not_change_what_a_tick_costs():
    make_board(DUEL)

    def cost(seed: int) -> int:
        tick = scheduling.create_tick(DUEL, Random(seed))
        for match in tick.matches.all():
            play_and_finish(match)
        with CaptureQueriesContext(connection) as asked:
            fitting.rate_ready_ticks()
        return len(asked)

    cost(0)
    costs = [cost(seed) for seed in (1, 2, 3)]

    # Where a house bot sat, leagues ask one question and write one statement.
    assert max(costs) - min(costs) in (0, 2)


def test_ratings_of_an_older_kind_are_computed_anew_by_the_scheduler_or_by_command():
    make_board(DUEL)
    play_tick(DUEL)
    right = list(Rating.objects.on(DUEL).order_by("pk").values_list("milli", flat=True))
    for recompute in (fitting.rate_unfitted, lambda: call_command("ratings", refit=True)):
        Rating.objects.on(DUEL).update(milli=1_234_000, low_milli=0, high_milli=2_000_000)
        BoardFit.objects.all().delete()

        recompute()

        found = Rating.objects.on(DUEL).order_by("pk").values_list("milli", flat=True)
        assert list(found) == pytest.approx(right, abs=fitting.SAME_MILLI)


def test_anchors_of_an_older_kind_are_set_anew_where_nothing_was_played():
    make_board(DUEL, bots=0)
    Rating.objects.on(DUEL).update(milli=1_234_000)
    assert list(rating_log.verify(DUEL)) != []

    assert DUEL in fitting.rate_unfitted()

    assert list(rating_log.verify(DUEL)) == []
    # A board of the house alone rests for ever.
    BoardFit.objects.update(fitted_at=timezone.now() - 2 * scheduling.REST)
    assert scheduling.fill_queue() == 0


def test_solo_shows_mean_points_with_their_error():
    board = Board("ramen_ramen", 1)
    make_board(board)
    play_tick(board)

    played = Rating.objects.on(board).filter(is_anchor=False, plays__gt=1).first()
    rating = ratings_by_bot([played.bot_id])[played.bot_id][0]  # of the fewest seats
    mean, error = rating.mean_points

    assert 10 < mean < 62
    assert error >= 0


def test_a_new_bot_starts_at_1500_and_knows_nothing():
    rating = Rating.objects.on(DUEL).get(bot=make_bot())

    assert rating.milli == 1_500_000
    assert interval_in_words(rating.elo, rating.low, rating.high) == "anything yet"
    assert rating.is_provisional


@pytest.mark.parametrize(("was_provisional", "width", "is_provisional"), RANKS)
def test_a_rank_is_gained_at_150_and_lost_at_180(was_provisional, width, is_provisional):
    row = Rating(is_provisional=was_provisional)

    fitting._move(row, Rated(1500, 1500 - width, 1500 + width, 20, 1.0), played=True)

    assert row.is_provisional is is_provisional


def test_every_board_gets_house_bots_and_demo_bots_and_seeding_twice_changes_nothing():
    demo.seat_house_bots()
    demo.seat_demo_bots()
    before = Rating.objects.count(), Match.all_objects.count()

    demo.seat_house_bots()
    demo.seat_demo_bots()

    assert (Rating.objects.count(), Match.all_objects.count()) == before
    for game in GAMES.values():
        for seats in game.seats:
            board = Rating.objects.on(Board(game.slug, seats)).listed()
            assert board.filter(is_anchor=True).count() >= 3
            assert board.filter(is_anchor=False).count() >= 3


def test_the_queue_is_filled_for_the_longest_wait_first_and_not_beyond_its_target(settings):
    settings.QUEUE_TARGET = 3
    make_board(DUEL)
    Rating.objects.filter(is_anchor=False).exclude(game=DUEL.game, seats=DUEL.seats).update(
        sets=100, is_provisional=False
    )

    scheduling.fill_queue()

    assert Tick.objects.order_by("pk")[0].board == DUEL
    count = Match.all_objects.count()
    assert count >= 3
    scheduling.fill_queue()
    assert Match.all_objects.count() == count


def test_no_two_bots_of_one_owner_meet_at_a_rated_table():
    house = make_user("house")
    for slug in ("random", "greedy"):
        make_bot(house, house_slug=slug)
    alice = make_user()
    for _ in range(5):
        make_bot(alice)
    make_bot()

    for seed in range(6):
        scheduling.create_tick(DUEL, Random(seed))

    tables = Match.all_objects.all()
    assert any(entry.bot.owner_id == alice.pk for match in tables for entry in match.entries.all())
    for match in tables:
        owners = [e.bot.owner_id for e in match.entries.all() if not e.bot.is_house]
        assert len(set(owners)) == len(owners)
        assert match.why


def test_a_new_version_starts_at_its_parent_without_a_rank_and_the_old_one_leaves_the_list():
    bot = make_bot()
    Rating.objects.on(DUEL).filter(bot=bot).update(milli=1_700_000, sets=90, is_provisional=False)

    make_version(bot)

    listed = Rating.objects.on(DUEL).listed().get(bot=bot)
    assert listed.milli == pytest.approx(1_700_000, abs=10)
    assert listed.is_provisional


def test_who_has_no_rank_and_the_most_sets_goes_first():
    make_board(DUEL, bots=4)
    Rating.objects.on(DUEL).filter(is_anchor=False).update(sets=9)
    newcomer = make_bot()
    Rating.objects.filter(bot=newcomer).update(sets=12)

    tick = scheduling.create_tick(DUEL, Random(0))

    tables = [{entry.bot for entry in match.entries.all()} for match in tick.matches.all()]
    assert sum(newcomer in table for table in tables) >= 3
    assert "has no rank yet after 12 sets" in tick.matches.order_by("pk").first().why


def test_a_tick_with_newcomers_ends_when_each_of_them_is_seated():
    make_board(DUEL, bots=1)

    assert scheduling.create_tick(DUEL, Random(0)).matches.count() == 1


def test_the_board_with_the_neediest_newcomer_is_served_first(settings):
    settings.QUEUE_TARGET = 1
    make_board(DUEL)
    Rating.objects.filter(is_anchor=False).update(sets=3)
    make_bot(game="hot_ramen", seat_counts=[3])
    make_bot(make_user(), game="hot_ramen", name="House Random", house_slug="random")
    make_bot(make_user(), game="hot_ramen", name="House Greedy", house_slug="greedy")

    scheduling.fill_queue()

    assert {match.board for match in Match.all_objects.all()} == {Board("hot_ramen", 3)}


def test_a_settled_board_rests_and_is_looked_at_again_after_a_while():
    make_board(DUEL)
    play_tick(DUEL)
    Rating.objects.filter(is_anchor=False).update(is_settled=True, is_provisional=False)

    assert scheduling.fill_queue() == 0

    BoardFit.objects.update(fitted_at=timezone.now() - scheduling.REST - timedelta(minutes=1))
    assert scheduling.fill_queue() == 1


def test_settled_bots_still_serve_as_opponents():
    make_board(DUEL, bots=1)
    Rating.objects.filter(is_anchor=False).update(is_settled=True, is_provisional=False)
    make_bot()

    tick = scheduling.create_tick(DUEL, Random(0))

    assert tick.matches.count() >= 1


def test_a_large_board_seats_the_neediest_with_neighbours_or_strangers(monkeypatch):
    monkeypatch.setattr(scheduling, "WHOLE_BOARD", 10)
    monkeypatch.setattr(scheduling, "NEIGHBOURS", 2)
    make_board(DUEL, bots=20)
    for number, rating in enumerate(Rating.objects.on(DUEL).filter(is_anchor=False)):
        rating.milli, rating.sets, rating.is_provisional = 1_000_000 + 50_000 * number, 50, False
        rating.variance = 900
        rating.save()
    newcomer = make_bot()
    Rating.objects.on(DUEL).filter(bot=newcomer).update(milli=1_500_000, sets=1, variance=900)

    met = Counter()
    for seed in range(40):
        tick = scheduling.create_tick(DUEL, Random(seed))
        tick.matches.update(kind=Match.Kind.CHALLENGE)  # forget it, so that each tick draws alike
        assert newcomer.pk in {e.bot_id for e in tick.matches.order_by("pk").first().entries.all()}
        own = Entry.objects.filter(bot=newcomer, match__tick=tick).values("match")
        for entry in Entry.objects.filter(match__in=own).exclude(bot=newcomer):
            met[entry.version.ratings.get(seats=2).milli] += 1

    close = sum(count for milli, count in met.items() if abs(milli - 1_500_000) <= 150_000)
    # Seven of 21 are close: evenly drawn 0.33. By weight they are 0.74 of four draws in five and
    # 0.33 of the fifth, 0.66 in all, a little less as nobody is drawn twice in a tick as readily.
    # Half is three standard errors from either.
    assert sum(met.values()) >= 110
    assert close > 0.5 * sum(met.values())


def test_seats_remember_the_rating_of_ranked_bots_only():
    make_board(DUEL, bots=2)
    ranked = Rating.objects.on(DUEL).filter(is_anchor=False).first()
    Rating.objects.filter(pk=ranked.pk).update(is_provisional=False, milli=1_612_000)

    scheduling.create_tick(DUEL, Random(0))
    scheduling.create_tick(DUEL, Random(1))

    seated = Entry.objects.filter(bot__is_house=False)
    of_ranked = seated.filter(version=ranked.version_id).values_list("rating_milli", flat=True)
    of_others = seated.exclude(version=ranked.version_id).values_list("rating_milli", flat=True)
    assert set(of_ranked) == {1_612_000}
    assert set(of_others) == {None}


@pytest.mark.parametrize("name", ["House Ramen Master", "House Slow Random"])
def test_a_renamed_house_bot_keeps_its_anchor_and_its_place_among_the_lots(name):
    make_board(DUEL)
    bot = Rating.objects.on(DUEL).get(is_anchor=True).bot
    before = ratings.anchor_of(DUEL, bot)
    assert before is not None

    bots.rename(bot=bot, name=name)

    assert ratings.anchor_of(DUEL, bot) == before
    assert scheduling._house_bots(DUEL) == [bot.pk]
    play_tick(DUEL)
    assert list(rating_log.verify(DUEL)) == []


def test_a_house_bot_is_anchored_by_its_slug_whatever_it_is_called():
    greedy = make_bot(name="House Slow Greedy", house_slug="slow_greedy")

    assert ratings.anchor_of(DUEL, greedy) is None


def test_the_house_is_seated_once_also_after_a_bot_of_it_was_renamed():
    demo.seat_house_bots()
    count = Bot.objects.count()
    bots.rename(bot=Bot.objects.get(game=DUEL.game, house_slug="greedy"), name="House Soup")

    demo.seat_house_bots()

    assert Bot.objects.count() == count
    assert {bot.name for bot in Bot.objects.exclude(house_slug="greedy")} >= {"House Random"}
