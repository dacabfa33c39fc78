from engine.arena import Entry, run
from engine.games import GAMES
from engine.local import ScriptPlayer
from tests.docs.pages import DOCS, blocks


def written(page: str, name: str) -> str:
    return next(block.text for block in blocks(DOCS / page) if block.file == name)


def wins_against_random(source: str, sets: int) -> float:
    game = GAMES["ramen_ramen"]
    rival = game.house_bots()["random"]

    def entries() -> list[Entry]:
        return [Entry([ScriptPlayer(source)]), Entry([ScriptPlayer.from_file(rival)])]

    return run(game, 2, entries, sets=sets)[0].win_rate()[0]


def test_the_search_bot_of_its_page_beats_the_random_one():
    assert wins_against_random(written("search-bot.md", "search_bot.py"), sets=2) > 0.5


def test_the_bot_for_larger_tables_beats_two_random_ones():
    source = written("search-bot.md", "table_bot.py")
    game = GAMES["potage_sauvage"]
    rival = game.house_bots()["random"]

    def entries() -> list[Entry]:
        others = [Entry([ScriptPlayer.from_file(rival)]) for _ in range(2)]
        return [Entry([ScriptPlayer(source)]), *others]

    assert run(game, 3, entries, sets=1)[0].win_rate()[0] > 0.5


def test_the_better_bot_of_the_first_page_beats_the_random_one():
    assert wins_against_random(written("first-bot.md", "better_bot.py"), sets=10) > 0.75
