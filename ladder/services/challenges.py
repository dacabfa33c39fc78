"""Unrated matches that an author asks for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db import transaction

from engine.chance import MAX_SEED
from engine.errors import BadSetup
from ladder.boards import Board
from ladder.contract.remote import LANGUAGE
from ladder.errors import Code, LadderError
from ladder.models import Bot, Match, RemoteBot, User, Version
from ladder.queries import limits
from ladder.queries import remote as queries
from ladder.services import matches, quotas
from ladder.services.remote import pairing, seats, tables


def challenge(
    *,
    by: User,
    board: Board,
    own: Bot,
    others: Sequence[Bot],
    seed: int | None = None,
) -> Match:
    """An unrated match of the user's bot against chosen ones."""
    bots = [own, *others]
    if own.owner_id != by.pk:
        raise LadderError("Challenge with a bot of your own.", code=Code.NOT_YOURS)
    if board.is_solo:
        if others:
            raise LadderError("A solo board takes no opponents.", code=Code.BAD_TABLE)
    elif len(bots) != board.sides:
        raise LadderError(
            f"{board.title} needs {board.sides - 1} opponents, not {len(others)}.",
            code=Code.BAD_TABLE,
        )
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise LadderError(f"The seed must be a number from 0 to {MAX_SEED}.", code=Code.BAD_SEED)
    why = f"{by.username} challenged with {own.name}."
    with transaction.atomic():
        quotas.check(by.pk, limits.challenges(by.pk))
        ready = seats.hold([bot.pk for bot in bots])
        versions = [_seatable_version(bot, board, ready) for bot in bots]
        if any(version.language == LANGUAGE for version in versions):
            if seed is not None:
                raise LadderError(
                    "A match with a remote bot has no chosen seed: the bot would know the luck.",
                    code=Code.BAD_SEED,
                )
            quotas.check(by.pk, limits.open_remote_matches(by.pk))
            if any(bot.is_remote and bot.owner_id == by.pk for bot in bots):
                quotas.check(by.pk, limits.remote_matches_of_owner(by.pk))
            pairing.check(bots)
            return tables.queue(
                game=board.game, seats=board.seats, versions=versions, why=why, created_by=by
            )
        return matches.queue(
            kind=Match.Kind.CHALLENGE,
            game=board.game,
            seats=board.seats,
            versions=versions,
            seed=seed,
            why=why,
            created_by=by,
        )


def _seatable_version(bot: Bot, board: Board, ready: Collection[int]) -> Version:
    """The version that plays for a bot on a board, or LadderError.

    `ready` are the remote bots that take a new play.
    """
    try:
        Board.parse(board.game, board.seats)
    except BadSetup as error:
        raise LadderError(str(error), code=Code.UNKNOWN_BOARD) from None
    if bot.game != board.game or board.seats not in bot.seat_counts:
        raise LadderError(f"{bot.name} does not play {board.title}.", code=Code.BAD_TABLE)
    remote = RemoteBot.objects.select_related("version").filter(pk=bot.pk).first()
    if remote is not None and bot.status == Bot.Status.ACTIVE:
        if bot.pk not in ready:
            is_leaving = queries.is_online(bot.pk)
            raise LadderError(
                f"{bot.name} is finishing its plays before it disconnects."
                if is_leaving
                else f"{bot.name} is not connected. Start it with `ladle connect`.",
                code=Code.NOT_CONNECTED,
            )
        return remote.version
    if bot.status != Bot.Status.ACTIVE or bot.active_version is None:
        raise LadderError(f"{bot.name} has no version that plays now.", code=Code.BOT_NOT_ACTIVE)
    return bot.active_version
