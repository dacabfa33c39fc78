"""Divisions: the house bots of a board, who has beaten them, and who comes next."""

from __future__ import annotations

from collections.abc import Sequence

from ladder.boards import Board
from ladder.contract.boards import LadderRow
from ladder.contract.bots import ShownBot, ShownRating
from ladder.contract.leagues import Boss, Division, League, Rival
from ladder.models import Bot, Duel, Promotion, Version
from ladder.ratings.trial import BOUND, TrialVerdict


def bosses(board: Board) -> list[Boss]:
    """The house bots that were measured on a board, weakest first."""
    measured = board.rules.anchors().get(board.seats, {})
    house = Bot.objects.filter(game=board.game, is_house=True, house_slug__in=list(measured))
    found = [
        Boss(bot=pk, name=name, elo=measured[slug][0])
        for pk, name, slug in house.values_list("pk", "name", "house_slug")
    ]
    return sorted(found, key=lambda boss: (boss.elo, boss.bot))


def of_bot(bot: ShownBot, board: Board, rating: ShownRating | None) -> League | None:
    """A bot's league on a board; None where the house has no measured bots, or for its own."""
    marks = bosses(board)
    if not marks or bot.is_house:
        return None
    won = Promotion.objects.filter(bot=bot.id, seats=board.seats).values_list("boss", flat=True)
    beaten = _with_weaker(marks, set(won))
    ahead = marks[len(beaten) :]
    return League(
        beaten=beaten,
        next=_rival(bot, board, ahead[0], rating) if ahead else None,
        divisions=len(marks),
    )


def divisions(marks: Sequence[Boss], rows: Sequence[LadderRow]) -> list[Division | None]:
    """The division of each row by its rating, a house bot's the one above it; None without any."""
    found: list[Division | None] = []
    for row in rows:
        above = [boss for boss in marks if boss.elo > row.elo and boss.bot != row.bot.id]
        number = len(marks) - len(above) + 1
        division = Division(number=number, below=above[0] if above else None)
        found.append(division if marks else None)
    return found


def best_beaten(board: Board, house: Sequence[Boss], bots: Sequence[int]) -> dict[int, Boss]:
    """By bot, the strongest of these house bots that it has beaten on a board."""
    marks = {boss.bot: boss for boss in house}
    won = Promotion.objects.filter(bot__in=bots, seats=board.seats, boss__in=marks)
    found: dict[int, Boss] = {}
    for bot, boss in won.values_list("bot", "boss"):
        if bot not in found or found[bot].elo < marks[boss].elo:
            found[bot] = marks[boss]
    return found


def _with_weaker(marks: list[Boss], won: set[int]) -> list[Boss]:
    """Who beats a house bot is above all weaker ones, too."""
    last = max((at for at, boss in enumerate(marks) if boss.bot in won), default=-1)
    return marks[: last + 1]


def _rival(bot: ShownBot, board: Board, boss: Boss, rating: ShownRating | None) -> Rival:
    line = _line(bot.playing)
    duel = Duel.objects.filter(
        game=board.game, seats=board.seats, version=line or 0, boss=boss.bot
    ).first()
    llr = duel.llr if duel else 0.0
    return Rival(
        boss=boss,
        distance=boss.elo - rating.elo if rating and rating.sets else None,
        sets=sum(duel.counts) if duel else 0,
        share=min(1.0, max(0.0, llr / BOUND)),
        is_closed=duel is not None
        and duel.verdict not in (TrialVerdict.CONTINUE, TrialVerdict.BETTER),
    )


def _line(version: int | None) -> int | None:
    if version is None:
        return None
    found = Version.objects.filter(pk=version).values_list("same_as_id", "pk").first()
    return None if found is None else found[0] or found[1]
