"""The verbs put together, and the one place where a mistake becomes a sentence and an exit code."""

from __future__ import annotations

import inspect
import io
import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from ladder.cli.output import complain
from ladle.errors import Refusal

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter

HELP = """\
Usage: ladle VERB ...

Write, try and check bots for Ladle's tabletop games. All but the last group works offline, on
your own machine, with the ladder's rules engine. A first bot in four commands:

  ladle games                                  what can be played
  ladle new ramen_ramen my_bot.py              write a bot to start from
  ladle play ramen_ramen my_bot.py greedy      play it once, see what happened
  ladle arena ramen_ramen my_bot.py greedy     play many times, see who is better

Play:
  games        list the games, their seat counts, options and house bots
  play         play a game once and show the result
  arena        play bots against each other many times and compare them
  climb        beat the house bots one after the other, then public bots of the server
  league       keep versions of your bots in a file, rate them, and say what to play next

Write and check a bot:
  new          write a starter bot, which plays at random and explains what it sees
  tune         tune the numbers in a bot by self-play
  check        put a bot through the gate that every upload must pass
  conformance  print random plays for testing another implementation of the rules
  runtime      build the sandbox's files ahead of the first play

Replays:
  verify       replay games with the rules engine and check every step
  reproduce    run a bot again on a replay and check that it makes the recorded moves
  view         write a replay as one HTML file to watch in a browser, offline
  analyse      judge every decision of a replay, and separate luck from skill
  cases        test a bot on positions where an analysis found a better move

On a server:
  login        save your API token on this machine
  submit       upload a bot, or a new version of one, and wait for the gate's verdict
  ladder       show a ladder
  bots         list your bots or someone else's
  matches      list matches, newest first
  watch        follow a bot, match after match
  replay       download a replay
  replays      download the replays of many matches in one file
  dataset      list, download and verify datasets of what was played
  logs         show what your bots printed in a match, and the evidence of their faults
  remote       make a bot that plays over the network, or a new token for one
  connect      let a program on this machine play as a remote bot
  challenge    let a bot of yours play an unrated match against bots of your choice
  trial        find out whether a new version of your bot is better than an old one
  mcp          serve these tools to a coding agent, over the Model Context Protocol
  tournament   create, start and follow tournaments, enrol, check in, withdraw; run one of your own

`ladle VERB --help` explains a verb, with examples, and every verb has --json. `ladle --version`
prints the version, `ladle --completion bash` prints a completion script (also for zsh, fish
and powershell). Exit codes: 0 success, 1 refused or check failed, 2 wrong usage, 3 one of your
bots failed, 130 interrupted.
"""

# Where each verb is: a module below ladder.cli, and its function or group. It is imported only
# when it is wanted, as most need something that is slow to import.
VERBS = {
    "games": "games:games",
    "play": "play:play",
    "arena": "arena:arena",
    "climb": "climb:climb",
    "league": "league:league",
    "new": "new:new",
    "tune": "tune:tune",
    "check": "check:check",
    "conformance": "conformance:conformance",
    "runtime": "runtime:runtime",
    "verify": "verify:verify",
    "reproduce": "reproduce:reproduce",
    "view": "view:view",
    "analyse": "analyse:analyse",
    "cases": "cases:cases",
    "login": "remote.login:login",
    "submit": "remote.submit:submit",
    "ladder": "remote.reading:ladder",
    "bots": "remote.reading:bots",
    "matches": "remote.reading:matches",
    "watch": "remote.watch:watch",
    "replay": "remote.reading:replay",
    "replays": "remote.replays:replays",
    "dataset": "remote.datasets:dataset",
    "logs": "remote.reading:logs",
    "remote": "remote.seat:remote",
    "connect": "remote.seat:connect",
    "challenge": "remote.contests:challenge",
    "trial": "remote.contests:trial",
    "mcp": "agents:mcp",
    "tournament": "tournament:tournament",
}


class _Commands(Mapping[str, "Command"]):
    """The verbs by name, each loaded when it is asked for."""

    def __getitem__(self, name: str) -> Command:
        module, _, what = VERBS[name].partition(":")
        verb: Any = getattr(import_module(f"ladder.cli.{module}"), what)
        command: Command
        if isinstance(verb, typer.Typer):
            command = typer.main.get_group(verb)
        else:
            alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
            alone.command(name, context_settings={"help_option_names": ["-h", "--help"]})(verb)
            command = typer.main.get_command(alone)
        command.name = name
        _unwrap_help(command)
        return command

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


def _unwrap_help(command: Command) -> None:
    """Make each paragraph of a help text one line, which the terminal's width then wraps."""
    paragraphs = inspect.cleandoc(command.help or "").split("\n\n")
    command.help = "\n\n".join(
        # Examples keep their lines. Typer strips blanks before the markup, but none within it.
        text.replace("  [cyan]", "[cyan]  ") if text.startswith(" ") else text.replace("\n", " ")
        for text in paragraphs
    )
    if isinstance(command, TyperGroup):
        for verb in command.commands.values():
            _unwrap_help(verb)


class Verbs(TyperGroup):
    """The command itself. Its help is plain text: it takes no longer than Python needs to start."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _Commands()  # type: ignore[assignment]

    def list_commands(self, ctx: Context) -> list[str]:
        return list(self.commands)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        formatter.write(HELP)


app = typer.Typer(
    cls=Verbs,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"ladle {version('ladle')}")
        except PackageNotFoundError:
            typer.echo("ladle, run from its source folder")
        raise typer.Exit


SHELLS = ("bash", "zsh", "fish", "powershell")


def _show_completion(shell: str | None) -> None:
    if shell is not None:
        from typer._completion_shared import get_completion_script

        if shell not in SHELLS:
            raise Refusal(f"completion is for {', '.join(SHELLS)}, not for '{shell}'.")
        typer.echo(
            get_completion_script(prog_name="ladle", complete_var="_LADLE_COMPLETE", shell=shell)
        )
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    completion: Annotated[
        str | None,
        typer.Option(callback=_show_completion, is_eager=True, help="Print a shell's completion."),
    ] = None,
) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command. Bad input ends it with one sentence on stderr, never a traceback."""
    from engine.errors import EngineError
    from sandbox.errors import SandboxError

    if isinstance(sys.stdout, io.TextIOWrapper):  # a file's name may be no valid text
        sys.stdout.reconfigure(errors="backslashreplace")
    if "_LADLE_COMPLETE" in os.environ:  # a shell asks what a word may become
        from typer._completion_classes import completion_init

        completion_init()
    try:
        code = app(prog_name="ladle", standalone_mode=False)
        sys.stdout.flush()
    except typer.TyperException as error:  # a missing argument, an unknown option
        code = 2
        if words := error.format_message().rstrip("."):  # none where a group's help was printed
            complain(f"{words}; try --help.")
    except (EngineError, SandboxError, Refusal) as error:
        complain(str(error))
        code = 1
    except (typer.Abort, KeyboardInterrupt):
        code = 130
    except BrokenPipeError:  # `ladle games | true`: nobody is left to tell
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 1
    sys.exit(code)
