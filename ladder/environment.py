"""Settings from the environment: helpers that refuse nonsense instead of guessing."""

import os
import sys
from typing import Any

import dj_database_url
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

CANNOT_START = 3  # gunicorn takes this for a reason not to try again


def load() -> None:
    """Read all settings now, whatever program this is; one that is wrong ends it in a sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "ladder.settings")
    try:
        _ = settings.DEBUG  # the first question reads them all
    except ImproperlyConfigured as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(CANNOT_START)


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def flag(name: str, default: bool) -> bool:
    value = os.environ.get(name, "").lower()
    if value in ("", "1", "true", "yes", "0", "false", "no"):
        return default if value == "" else value in ("1", "true", "yes")
    raise ImproperlyConfigured(f"{name} is {value!r}; write 1 or 0")


def number(name: str, default: int, *, least: int = 0) -> int:
    value = os.environ.get(name, "")
    try:
        found = int(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} is {value!r}; write a whole number") from None
    if found < least:
        raise ImproperlyConfigured(f"{name} is {found}; the least is {least}")
    return found


def database(address: str) -> Any:
    """The database at an address, as Django's settings have it."""
    try:
        found = dj_database_url.parse(address, conn_max_age=60)
        if found["ENGINE"].rpartition(".")[2] in ("sqlite3", "postgresql"):
            return found
    except ValueError:  # it may name the password
        pass
    raise ImproperlyConfigured(
        "DATABASE_URL is not a database address that Ladle supports; write one such as"
        " postgresql://ladle:PASSWORD@HOST:5432/ladle"
    )


def choice(name: str, default: str, known: list[str]) -> str:
    value = os.environ.get(name, "") or default
    if value not in known:
        raise ImproperlyConfigured(f"{name} is {value!r}; write one of {', '.join(known)}")
    return value


def names(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in os.environ.get(name, default).split(",") if part.strip()]


def secret(name: str, *, debug: bool, development: str) -> str:
    """A secret has no default in production."""
    value = os.environ.get(name, "")
    if value:
        return value
    if debug:
        return development
    raise ImproperlyConfigured(f"{name} must be set when DEBUG is off")
