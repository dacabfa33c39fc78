"""The `ladle` command. Nothing here imports Django: the local verbs work without the site."""

from ladder.cli.app import main

__all__ = ["main"]
