"""`ladle runtime`: the read-only world that sandboxed bots live in, built ahead of time."""

from __future__ import annotations

from typing import Annotated

import typer

from ladder.cli.arguments import JsonOption
from ladder.cli.output import notes, show_json
from ladle.errors import Refusal


def runtime(
    clean: Annotated[
        bool, typer.Option("--clean", help="Remove what was built, of every release.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Build the sandbox's files ahead of the first play.

    Makes a read-only folder with the interpreters, their libraries and the rules engine, or
    does nothing when it is up to date. $LADLE_RUNTIME says where; /dev/shm
    otherwise. Exits with 1 where this machine cannot run the sandbox, and says what is missing.
    --clean removes these folders instead, with unpacked bundles and compiled modules: not while
    bots of yours play.

    Examples:

      [cyan]ladle runtime[/cyan]
      [cyan]LADLE_RUNTIME=~/.cache/ladle/runtime ladle runtime[/cyan]
      [cyan]ladle runtime --clean[/cyan]
    """
    from ladder.cli.modes import is_linux, sandbox_problem

    problem = sandbox_problem()
    if not is_linux():  # nor can the runtime be built there
        raise Refusal(f"the sandbox cannot run here: {problem}.")
    if clean:
        _clean(as_json)
        return
    from sandbox.languages import LANGUAGES
    from sandbox.runtime import ready

    with notes().status("building"):
        built = ready()
    languages = [language.name for language in LANGUAGES if built.has(language)]
    if as_json:
        paths = {"base": str(built.base), "code": str(built.code)}
        show_json(paths | {"languages": languages, "missing": problem})
    else:
        typer.echo(f"{built.base}\n{built.code}\nbots in {', '.join(languages)} can play")
    if problem is not None:
        raise Refusal(f"the sandbox cannot run here: {problem}.")


def _clean(as_json: bool) -> None:
    from sandbox.place import place
    from sandbox.runtime import clean

    size = clean()
    if as_json:
        show_json({"removed_bytes": size, "folder": str(place())})
    elif size:
        typer.echo(f"{size / 1e6:,.0f} MB removed; the next play builds the runtime again.")
    else:
        typer.echo(f"Nothing to remove in {place()}.")
