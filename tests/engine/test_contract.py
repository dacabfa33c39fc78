"""What every game promises, checked for each game that is found, by the same code."""

import json
import os
import re
from collections import Counter
from random import Random

import pytest

from engine.chance import RandomChance, SeededChance
from engine.errors import BadSetup, IllegalAction, UnreadableAction
from engine.frames import frames, seat_names
from engine.game import Game, State
from engine.games import GAMES
from engine.golden import difference
from engine.match import Answer, Fault, Question, play
from engine.replay import Steps, from_json, verify

TABLES = [
    pytest.param(game, seats, id=f"{game.slug}-{seats}")
    for game in GAMES.values()
    for seats in game.seats
]
PLAYS = int(os.environ.get("LADLE_RANDOM_PLAYS", "500"))
CHOICES = 3000  # positions of a game with two or more moves, whose sentences are compared
MALFORMED = [None, -1, 10**9, "x", (), (0,) * 99, ("a", "b"), [1], 1.5, {}, (None, None)]
UNREADABLE = ["", " ", "?", "x" * 5000, "\x00", "🍜", "-", "0" * 400, ">", "nonsense nonsense"]


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_has_the_name_of_its_folder(slug):
    assert GAMES[slug].slug == slug


class RandomPlayer:
    """Plays a random offered action."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)

    def start(self, **_: object) -> None: ...

    def decide(self, question: Question) -> Answer | Fault:
        return Answer(self.rng.choice(question.legal or question.suggestions or []))

    def end(self, result: object) -> None: ...


class FaultyPlayer(RandomPlayer):
    """Plays a few random actions, then answers nonsense."""

    def __init__(self, seed: int, answers: int) -> None:
        super().__init__(seed)
        self.left = answers

    def decide(self, question: Question) -> Answer | Fault:
        self.left -= 1
        return super().decide(question) if self.left >= 0 else Answer("nonsense nonsense")


def picture(state: State) -> str:
    """Everything there is to see of a state."""
    return json.dumps([state.observe(None), state.to_act, str(state.result())], sort_keys=True)


def some_states(game: Game, seats: int, seed: int, stride: int = 9) -> list[State]:
    """States met on the way of a random play, and the last one."""
    rng = Random(seed)
    state = game.start(seats, SeededChance(seed))
    found = []
    for step in range(100_000):
        if state.to_act is None or step % stride == 0:
            found.append(state.copy())
        if state.to_act is None:
            return found
        state.apply(state.sample(rng))
    raise AssertionError("the play does not end")


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_different_moves_have_different_words(game, seats):
    """Else a person could not choose between them; throws, which are countless, apart."""
    seen = seed = 0
    while seen < CHOICES // len(game.seats):  # thousands for a game, over its seat counts
        for state in some_states(game, seats, seed, stride=1):
            legal = state.legal() if state.to_act is not None else None
            if legal is None:
                continue
            words = Counter(state.words(action) for action in legal)
            alike = [text for text, count in words.items() if count > 1]
            assert not alike, f"{alike} at a {state.kind}"
            seen += len(legal) > 1
        seed += 1
        assert seen > seed, "plays without a choice"


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_random_plays_end_with_a_result_and_break_no_invariant(game, seats):
    for seed in range(PLAYS):
        rng = Random(seed)
        state = game.start(seats, RandomChance(rng))
        audited = seed % 10 == 0 or PLAYS > 500  # every step; all others at their end
        while state.to_act is not None:
            state.apply(state.sample(rng))
            if audited:
                state.audit()
        state.audit()
        result = state.result()
        assert result is not None
        assert len(result.places) == len(result.points) == seats
        assert min(result.places) == 1


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_team_mates_share_their_place(game, seats):
    sides = game.sides(seats)
    last = some_states(game, seats, 3)[-1]

    places = last.result().places

    assert len({(side, place) for side, place in zip(sides, places, strict=True)}) == len(
        set(sides)
    )


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_replay_plays_again_to_the_same_state_and_survives_json(game, seats):
    played = play(game, [RandomPlayer(s) for s in range(seats)], seed=11)

    replay = from_json(json.loads(json.dumps(played.replay.to_json())))

    verify(game, replay)
    steps = Steps(game, replay)
    for _ in steps:
        pass
    assert steps.result() == played.replay.result
    assert replay.digest() == played.replay.digest()


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_same_seed_and_answers_give_the_same_replay(game, seats):
    first, second = (
        play(game, [RandomPlayer(s) for s in range(seats)], seed=5).replay.to_gzip()
        for _ in range(2)
    )

    assert first == second


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_malformed_and_illegal_actions_are_refused_and_change_nothing(game, seats):
    for state in some_states(game, seats, 1, stride=23):
        before = picture(state)
        for action in MALFORMED:
            if state.to_act is not None and not state.ranges() and action in state.legal():
                continue
            with pytest.raises(IllegalAction):
                state.apply(action)
            assert picture(state) == before


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_unreadable_texts_are_refused(game, seats):
    for state in some_states(game, seats, 1, stride=23)[:-1]:
        for text in UNREADABLE:
            with pytest.raises((UnreadableAction, IllegalAction)):
                state.apply(state.parse(text))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_offered_action_is_legal_and_has_one_text(game, seats):
    for state in some_states(game, seats, 2, stride=13)[:-1]:
        offered = list(state.suggestions())
        texts = [state.notation(action) for action in offered]

        assert offered
        assert len(set(texts)) == len(texts)
        assert [state.parse(text) for text in texts] == offered
        assert all(state.is_legal(action) for action in offered[:40])
        assert state.is_legal(state.autopilot())
        assert state.is_legal(state.sample(Random(1)))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_legal_is_exactly_what_apply_accepts(game, seats):
    *states, over = some_states(game, seats, 4, stride=17)
    elsewhere = {action for state in states for action in list(state.suggestions())[:20]}
    refused = 0
    for state in [*states, over]:
        own = list(state.suggestions())[:60] if state is not over else []
        for action in [*own, *elsewhere]:
            try:
                state.copy().apply(action)
            except IllegalAction:
                assert not state.is_legal(action), state.notation(action)
                refused += 1
            else:
                assert state.is_legal(action), state.notation(action)
    assert refused >= len(elsewhere)  # none is legal when the play is over


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_views_are_json_with_the_common_fields(game, seats):
    for state in some_states(game, seats, 3):
        for seat in [None, *range(seats)]:
            view = state.observe(seat)
            assert json.loads(json.dumps(view)) == view
            assert view["game"] == game.slug
            assert view["seats"] == seats
            assert view["seat"] == seat
            assert view["to_act"] == state.to_act
            assert view["kind"] == state.kind
            assert len(view["points"]) == seats
            assert view["options"] == dict(state.options)
            assert game.text(view, seat_names(seats)).strip()


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_view_does_not_change_with_what_the_seat_may_not_know(game, seats):
    rng = Random(0)
    differed = False
    for state in some_states(game, seats, 6):
        for seat in range(seats):
            twin = state.hidden_twin(seat, rng)
            twin.audit()
            differed |= picture(twin) != picture(state)
            assert twin.observe(seat) == state.observe(seat)
            if state.to_act == seat:
                assert list(twin.suggestions()) == list(state.suggestions())
    assert differed or not game.has_secrets


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_determinize_gives_a_sound_state_with_the_same_view(game, seats):
    rng = Random(0)
    for state in some_states(game, seats, 7)[:-1]:
        for seat in range(seats):
            view = json.loads(json.dumps(state.observe(seat)))
            guess = game.determinize(view, rng)
            assert guess.observe(seat) == state.observe(seat)
            guess.audit()
            if state.to_act == seat:
                assert list(guess.suggestions()) == list(state.suggestions())
        while guess.to_act is not None:
            guess.apply(guess.sample(rng))
        assert guess.result() is not None


@pytest.mark.parametrize("game", [pytest.param(g, id=g.slug) for g in GAMES.values()])
def test_odd_ways_to_set_up_are_refused_with_a_sentence(game):
    seats = game.seats[-1]
    for count in (1.5, float(seats), True, "2", None, seats + 1):
        with pytest.raises(BadSetup, match="seats, not"):
            game.start(count, SeededChance(1))
    for seed in (1.5, True, -1, "7", None):
        with pytest.raises(BadSetup, match="whole number"):
            game.start(seats, SeededChance(seed))
    for name, option in game.options.items():
        for value in (1.5, "1", None, 1.0, True):
            if (type(value), value) not in [(type(one), one) for one in option.choices]:
                with pytest.raises(BadSetup, match=f"option {name} is"):
                    game.start(seats, SeededChance(1), {name: value})
    with pytest.raises(BadSetup, match="sees everything"):
        game.determinize(game.start(seats, SeededChance(1)).observe(None), Random(1))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_copy_is_independent_and_meets_the_same_luck(game, seats):
    for state in some_states(game, seats, 9, stride=29)[:-1]:
        before = picture(state)
        first, second = state.copy(), state.copy()
        ends = []
        for one in (first, second):
            rng = Random(1)
            while one.to_act is not None:
                one.apply(one.sample(rng))
            ends.append(picture(one))
        assert picture(state) == before
        assert ends[0] == ends[1]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_seat_at_fault_is_placed_last_and_the_replay_verifies(game, seats):
    players = [FaultyPlayer(0, 3)] + [RandomPlayer(s) for s in range(1, seats)]

    played = play(game, players, seed=3)

    assert played.faults[0].kind == "illegal"
    assert played.replay.result.places[0] == max(played.replay.result.places)
    if len(set(game.sides(seats))) > 2:
        assert any(entry.get("auto") for entry in played.replay.log)
    verify(game, from_json(played.replay.to_json()))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_step_can_be_drawn_for_everyone(game, seats):
    replay = play(game, [RandomPlayer(s) for s in range(seats)], seed=2).replay
    for viewer in (None, seats - 1):
        drawn = list(frames(game, replay, viewer))
        decided = [entry for entry in replay.log if "chance" not in entry]
        if viewer is not None:  # what only some are asked is no step for the others
            private = game.private_kinds
            decided = [
                one for one in decided if one["seat"] == viewer or one["kind"] not in private
            ]
        assert len(drawn) == 1 + len(decided)
        json.dumps(drawn)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_position_in_the_middle_can_be_played_on(game, seats):
    replay = play(game, [RandomPlayer(s) for s in range(seats)], seed=4).replay
    decisions = [i for i, entry in enumerate(replay.log) if "action" in entry]
    middle = decisions[len(decisions) // 3]
    position = from_json(replay.cut(middle).to_json())

    again = play(game, [RandomPlayer(9) for _ in range(seats)], seed=4, position=position).replay

    assert again.log[:middle] == replay.log[:middle]
    assert again.result is not None
    verify(game, again)


# What leaks from notation: "R:P3", "nori3>A", "FH", "t50 u0", "curry+mint"; and counting from zero.
CODES = re.compile(
    r"[A-Z]:[A-Z\d-]|>|\b[IVFT](\d|[RH]\b)|\bt\d0 |[a-z]\d|\w\+[a-z]|_|\b[Ss]eat 0\b"
)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_move_and_what_follows_is_told_in_short_sentences_without_code(game, seats):
    replay = play(game, [RandomPlayer(seat) for seat in range(seats)], seed=3).replay

    for frame in list(frames(game, replay))[1:]:
        move, said = frame["move"], frame["said"]
        assert move not in ("", frame["entry"]["action"])
        assert 1 <= len(said) <= 6, said
        assert all(0 < len(sentence) <= 130 for sentence in said), said
        assert not CODES.search(" ".join([move, *said])), (move, said)


@pytest.mark.parametrize(
    "game", [pytest.param(g, id=g.slug) for g in GAMES.values() if g.has_secrets]
)
def test_a_seat_hears_of_a_secret_decision_only_what_the_table_saw(game):
    seats = min(seats for seats in game.seats if seats > 1)
    replay = play(game, [RandomPlayer(seat) for seat in range(seats)], seed=3).replay
    names = seat_names(seats)

    for frame in list(frames(game, replay, 0))[1:]:
        if frame["entry"]["seat"] == 1:
            assert frame["move"] == ""
            heard = game.story(frame["events"], names, "")  # events are public, and so is the end
            assert frame["said"][: len(heard)] == heard
            assert len(frame["said"]) <= len(heard) + (frame["view"]["to_act"] is None)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_move_is_put_to_you_and_told_of_another(game, seats):
    rng, state = Random(5), game.start(seats, SeededChance(5))
    while state.to_act is not None:
        for action in state.suggestions():
            told, put = state.words(action), state.order(action)
            assert put[0].isupper() and put != told.capitalize() and put.lower() != told, (
                told,
                put,
            )
            assert not set("<|>") & set(told + put), state.phrase(action)
        state.apply(state.sample(rng))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_kept_playthrough_is_what_the_rules_give(game, seats):
    assert difference(game, seats) == ""


@pytest.mark.parametrize("game", [pytest.param(g, id=g.slug) for g in GAMES.values()])
def test_a_game_brings_rules_three_house_bots_and_a_drawing(game):
    assert {"random", "greedy"} < set(game.house_bots())
    assert len(game.house_bots()) >= 3
    assert (game.folder / "RULES.md").read_text(encoding="utf-8").startswith("# ")
    assert (game.folder / "static" / "board.js").is_file()
