"""`ladle verify`: referee a replay again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.output import Refusal, complain


def verify(
    replays: Annotated[list[Path], typer.Argument(metavar="REPLAY", help="Replay files.")],
) -> None:
    """Play replays again by the rules and say whether they are true.

    Every decision must be legal, every chance outcome must be what the seed gives, and the
    result must be what the play gives. The first wrong step of a false replay is named, and
    the exit code is 1.

    Examples:

      [cyan]ladle verify r.json.gz[/cyan]
      [cyan]ladle verify replays/*.json.gz[/cyan]
    """
    failed = False
    for path in replays:
        try:
            line = _verified(path)
        except Refusal as error:
            complain(str(error))
            failed = True
        else:
            typer.echo(f"{path}: {line}")
    if failed:
        raise typer.Exit(1)


def _verified(path: Path) -> str:
    from engine import games
    from engine.errors import EngineError
    from engine.replay import ChangedReplay
    from engine.replay import verify as referee
    from ladder.cli.files import read_replay

    changed = ""
    try:
        replay = read_replay(path)
    except ChangedReplay as error:
        # The digest only says that something was changed; the rules can say what.
        changed, replay = f"{path}: {error}", error.replay
    try:
        referee(games.get(replay.game), replay)
    except EngineError as error:
        raise Refusal(f"{path}: {error}.") from None
    if changed:
        raise Refusal(f"{changed}, though the play in it is by the rules.")
    luck = "no seed given" if replay.seed is None else f"seed {replay.seed} proven"
    what = "ok" if replay.result is not None else "ok so far (the play is not over)"
    return f"{what}, {len(replay.log)} steps, {luck}, digest {replay.digest()}"
