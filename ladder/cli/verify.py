"""`ladle verify`: referee a replay again, or follow a tournament from its first step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.arguments import JsonOption
from ladder.cli.output import complain, show_json
from ladle.errors import Refusal


def verify(
    replays: Annotated[
        list[Path] | None, typer.Argument(metavar="REPLAY", help="Replay files.")
    ] = None,
    tournament: Annotated[
        Path | None,
        typer.Option("--tournament", metavar="FILE", help="A tournament's results as JSON."),
    ] = None,
    digest: Annotated[
        str | None,
        typer.Option("--digest", metavar="HEX", help="The expected digest, from the match's page."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Replay games with the rules engine and check every step.

    Every decision must be legal, every chance outcome must be what the seed gives, and the
    result must be what the play gives. For an invalid replay the command names the first
    wrong step and exits with 1.

    A tournament is followed step by step: its seeds must come from the secret committed to,
    its tables must be those that its format draws, and its standings must follow from the
    results.

    Examples:

      [cyan]ladle verify r.json.gz[/cyan]
      [cyan]ladle verify replays/*.json.gz[/cyan]
      [cyan]ladle verify replays.jsonl.gz[/cyan]
      [cyan]ladle verify r.json.gz --digest 3f0c...[/cyan]
      [cyan]ladle verify --tournament tournament-7.json[/cyan]
    """
    if not replays and tournament is None:
        raise Refusal("name the replay files to verify, or a tournament with --tournament FILE.")
    if digest is not None and len(replays or ()) != 1:
        raise Refusal("--digest is the digest of one replay: name one file.")
    checks: list[tuple[Path, Callable[[Path], str]]] = [
        (path, _all_verified if ".jsonl" in path.name else partial(_verified, digest=digest))
        for path in replays or ()
    ]
    if tournament is not None:
        checks.append((tournament, _followed))
    found = []
    for path, check in checks:
        try:
            line, is_true = check(path), True
        except Refusal as error:
            line, is_true = str(error), False
        found.append({"file": str(path), "ok": is_true, "sentence": line})
        if as_json:
            continue
        if is_true:
            typer.echo(f"{path}: {line}")
        else:
            complain(line)
    if as_json:
        show_json(found)
    if not all(one["ok"] for one in found):
        raise typer.Exit(1)


def _verified(path: Path, digest: str | None) -> str:
    from engine import games
    from engine.errors import EngineError
    from engine.replay import ChangedReplay
    from engine.replay import verify as referee
    from ladle.files import read_replay

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
        raise Refusal(f"{changed}, though its moves follow the rules.")
    if digest is not None and digest.strip().lower() != replay.digest():
        raise Refusal(f"{path}: a valid replay of another play: its digest is {replay.digest()}.")
    luck = "no seed given" if replay.seed is None else f"seed {replay.seed} proven"
    what = "ok" if replay.result is not None else "ok so far (the play is not over)"
    return f"{what}, {len(replay.log)} steps, {luck}, digest {replay.digest()}"


def _all_verified(path: Path) -> str:
    """Every line of a file of `ladle replays`; the first false one is named."""
    from engine import games
    from engine.errors import EngineError
    from engine.replay import from_json
    from engine.replay import verify as referee
    from ladle.files import lines

    plays = 0
    for plays, told in enumerate(lines(path), start=1):
        where = f"{path}, line {plays}"
        if not isinstance(told, dict) or "replay" not in told:
            raise Refusal(f"{where}: not a line that `ladle replays` writes.")
        try:
            replay = from_json(told["replay"])
            referee(games.get(replay.game), replay)
        except EngineError as error:
            raise Refusal(f"{where}, match {told.get('match')}: {error}.") from None
    return f"ok, {plays:,} plays"


def _followed(path: Path) -> str:
    import json

    from ladder.tournaments.record import BadRecord
    from ladder.tournaments.record import verify as follow
    from ladle.files import read_bytes
    from ladle.tournament import MAX_RECORD_BYTES

    try:
        return f"ok, {follow(json.loads(read_bytes(path, MAX_RECORD_BYTES)))}"
    except (ValueError, RecursionError) as error:
        raise Refusal(f"{path} is not JSON: {error}.") from None
    except BadRecord as error:
        raise Refusal(f"{path}: {error}.") from None
