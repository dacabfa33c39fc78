"""The verbs put together, and the one place where a mistake becomes a sentence and an exit code."""

from __future__ import annotations

import io
import os
import sys
from typing import Annotated

import typer

from engine.errors import EngineError
from ladder.cli import (
    arena,
    check,
    games,
    new,
    play,
    runtime,
    verify,
    view,
)
from ladder.cli.output import Refusal, complain
from ladder.cli.remote import contests, login, reading, submit
from sandbox.errors import SandboxError

HELP = """Write, try and check bots for Ladle's tabletop games.

All but the last group works offline, on your own machine, by the rules the ladder plays.

A first bot in four commands:

  [cyan]ladle games[/cyan]                                  what can be played
  [cyan]ladle new ramen_ramen my_bot.py[/cyan]              write a bot to start from
  [cyan]ladle play ramen_ramen my_bot.py greedy[/cyan]      play it once, see what happened
  [cyan]ladle arena ramen_ramen my_bot.py greedy[/cyan]     play many times, see who is better

[bold]ladle VERB --help[/bold] explains a verb, with examples."""

app = typer.Typer(
    help=HELP,
    add_completion=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

PLAYING = "Play"
AUTHORING = "Write and check a bot"
REPLAYS = "Replays"
SERVER = "On a server"

app.command("games", rich_help_panel=PLAYING)(games.games)
app.command("play", rich_help_panel=PLAYING)(play.play)
app.command("arena", rich_help_panel=PLAYING)(arena.arena)
app.command("new", rich_help_panel=AUTHORING)(new.new)
app.command("check", rich_help_panel=AUTHORING)(check.check)
app.command("runtime", rich_help_panel=AUTHORING)(runtime.runtime)
app.command("verify", rich_help_panel=REPLAYS)(verify.verify)
app.command("view", rich_help_panel=REPLAYS)(view.view)
app.command("login", rich_help_panel=SERVER)(login.login)
app.command("submit", rich_help_panel=SERVER)(submit.submit)
app.command("ladder", rich_help_panel=SERVER)(reading.ladder)
app.command("bots", rich_help_panel=SERVER)(reading.bots)
app.command("matches", rich_help_panel=SERVER)(reading.matches)
app.command("replay", rich_help_panel=SERVER)(reading.replay)
app.command("logs", rich_help_panel=SERVER)(reading.logs)
app.command("challenge", rich_help_panel=SERVER)(contests.challenge)
app.command("trial", rich_help_panel=SERVER)(contests.trial)
app.add_typer(contests.tournament, name="tournament", rich_help_panel=SERVER)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"ladle {version('ladle')}")
        except PackageNotFoundError:
            typer.echo("ladle, run from its source folder")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        context.get_help()


def main() -> None:
    """Run the command. Bad input ends it with one sentence on stderr, never a traceback."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a file's name may be no valid text
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code = app(prog_name="ladle", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:  # a missing argument, an unknown option
        complain(f"{error.format_message().rstrip('.')}; try --help.")
        code = 2
    except (EngineError, SandboxError, Refusal) as error:
        complain(str(error))
        code = 1
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:  # `ladle games | true`: nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
