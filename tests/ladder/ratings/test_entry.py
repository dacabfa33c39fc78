from ladder.ratings.elo import Standing
from ladder.ratings.entry import is_provisional, new_bot, new_version, peak


def test_a_new_bot_starts_at_the_median_of_the_established():
    board = [
        Standing(1_400_000, 50.0),
        Standing(1_460_000, 30.0),
        Standing(1_700_000, 80.0),
        Standing(2_000_000, 29.9),
        Standing(2_500_000, 900.0, is_anchor=True),
    ]

    assert new_bot(board) == Standing(1_460_000, 0.0)


def test_the_first_bot_starts_at_1500():
    assert new_bot([]) == Standing(1_500_000, 0.0)


def test_a_new_version_keeps_the_rating_and_at_most_twenty_games():
    assert new_version(Standing(1_620_500, 140.0)) == Standing(1_620_500, 20.0)
    assert new_version(Standing(1_620_500, 7.5)) == Standing(1_620_500, 7.5)


def test_a_version_is_provisional_until_thirty_games_and_an_anchor_never():
    assert is_provisional(Standing(1_500_000, 29.9))
    assert not is_provisional(Standing(1_500_000, 30.0))
    assert not is_provisional(Standing(1_500_000, 0.0, is_anchor=True))


def test_the_peak_ignores_ratings_held_while_provisional():
    history = [Standing(1_900_000, 4.0), Standing(1_550_000, 31.0), Standing(1_540_000, 40.0)]

    assert peak(history) == 1_550_000
    assert peak(history[:1]) is None
