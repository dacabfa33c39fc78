"""A bot's rank and rating in a few words."""

from __future__ import annotations

from ladder.boards import Board
from ladder.contract.badges import Badge
from ladder.models import Bot, Rating
from ladder.queries import ladders


def badge(bot: int, seats: int | None) -> Badge | None:
    """A public bot on one of its boards, the first if none is named; None if there is no such."""
    found = Bot.objects.visible_to(None).filter(pk=bot)
    row = found.values_list("name", "game", "seat_counts", "active_version").first()
    if row is None:
        return None
    name, game, seat_counts, version = row
    chosen = seat_counts[0] if seats is None else seats
    if chosen not in seat_counts:
        return None
    board = Board(game, chosen)
    listed = Rating.objects.on(board).filter(version=version or 0, is_listed=True)
    rating = listed.values_list("milli", "is_provisional", "version_id").first()
    rank = None
    if rating is not None and not rating[1]:
        rank = ladders.rank(board, rating[0], rating[2])
    elo = None if rating is None else rating[0] / 1000
    return Badge(name=name, board=board.title, rank=rank, elo=elo)
