"""What an author says about a bot: description, homepage, licence and tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from django.db import transaction

from ladder.errors import Code, LadderError
from ladder.models import Bot, BotTag

FIELDS = ("description", "homepage", "licence", "tags")
MOST_LETTERS, MOST_TAGS = 2000, 8
TAG = r"^[a-z0-9](?:[a-z0-9-]{0,22}[a-z0-9])?$"


def describe(
    *,
    bot: Bot,
    description: str | None = None,
    homepage: str | None = None,
    licence: str | None = None,
    tags: Sequence[str] | None = None,
) -> None:
    """Change what is given and leave the rest as it is."""
    changed = []
    if description is not None:
        bot.description = _text(description, MOST_LETTERS, "description", is_one_line=False)
        changed.append("description")
    if homepage is not None:
        bot.homepage = _address(homepage.strip())
        changed.append("homepage")
    if licence is not None:
        bot.licence = _text(licence, 60, "licence", is_one_line=True)
        changed.append("licence")
    with transaction.atomic():
        if tags is not None:
            bot.tags = _tags(tags)
            changed.append("tags")
            BotTag.objects.filter(bot=bot).delete()
            BotTag.objects.bulk_create([BotTag(bot=bot, tag=tag) for tag in bot.tags])
        bot.save(update_fields=changed)


def _text(text: str, most: int, name: str, *, is_one_line: bool) -> str:
    text = text.replace("\r\n", "\n").strip()
    if len(text) > most:
        raise _refused(f"The {name} has {len(text)} characters; the limit is {most}.")
    allowed = "" if is_one_line else "\n\t"
    if any(not sign.isprintable() and sign not in allowed for sign in text):
        raise _refused(f"The {name} has characters that cannot be shown.")
    return text


def _address(text: str) -> str:
    if not text:
        return ""
    try:
        parts = urlsplit(text)
        is_web = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port  # reading it refuses nonsense
    except ValueError:
        is_web = False
    if not is_web or len(text) > 200 or not text.isprintable() or " " in text or '"' in text:
        raise _refused(
            "The homepage must be an address such as https://example.org/my-bot,"
            " with at most 200 characters."
        )
    if parts.username is not None or parts.password is not None:
        raise _refused("The homepage must not contain a user name or password.")
    return text


def _tags(tags: Sequence[str]) -> list[str]:
    found = sorted({tag.strip().lower() for tag in tags if tag.strip()})
    if len(found) > MOST_TAGS:
        raise _refused(f"{len(found)} tags given; the limit is {MOST_TAGS}.")
    for tag in found:
        if not re.match(TAG, tag):
            raise _refused(
                f"“{tag[:40]}” cannot be a tag. Use 1 to 24 lower-case letters, digits and dashes."
            )
    return found


def _refused(sentence: str) -> LadderError:
    return LadderError(sentence, code=Code.BAD_DESCRIPTION)
