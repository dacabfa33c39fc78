"""Where `ladle login` keeps the server and its token: a file that only its owner can read."""

from __future__ import annotations

import json
import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from ladle.errors import Refusal


@dataclass(slots=True)
class Config:
    server: str = ""  # none yet
    tokens: dict[str, str] = field(default_factory=dict)  # by server: one is never sent to another


def config_path() -> Path:
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "ladle" / "config.toml"


def load() -> Config:
    path = config_path()
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        tokens = data.get("tokens", {})
        if not isinstance(tokens, dict):
            raise ValueError("tokens is not a table")
        server = str(data.get("server", ""))
        return Config(server, {str(name): str(token) for name, token in tokens.items()})
    except FileNotFoundError:
        return Config()
    except (OSError, ValueError) as error:
        raise Refusal(f"{path} cannot be read: {error}.") from None


def save(config: Config) -> Path:
    # A JSON string is a TOML string.
    lines = [f"server = {json.dumps(config.server)}", "", "[tokens]"]
    lines += [f"{json.dumps(name)} = {json.dumps(token)}" for name, token in config.tokens.items()]
    path = config_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = path.with_suffix(".new")
        new.unlink(missing_ok=True)
        # Created unreadable for others, rather than made so afterwards.
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write("\n".join(lines) + "\n")
        new.replace(path)
    except OSError as error:
        raise Refusal(f"{path} cannot be written: {error.strerror}.") from None
    return path
