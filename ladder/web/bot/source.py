"""A version's source, and what changed since another, for who may see it."""

from __future__ import annotations

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from ladder.models import Version
from ladder.queries import versions
from ladder.web.bot import texts
from ladder.web.http.pages import number

KEPT_SECONDS = 600  # colouring and comparing cost more than reading


def source(request: HttpRequest, pk: int, version: int) -> HttpResponse:
    """The files of a version; or with `against`, on to what changed since that one."""
    found = _readable(request, pk, version)
    others = _other_numbers(found)
    if (against := number(request.GET.get("against"))) in others:
        return redirect("bot-changes", pk, against, version)
    program = found.program()
    if "download" in request.GET:
        return HttpResponse(
            program.content,
            content_type="text/plain; charset=utf-8"
            if program.is_text
            else "application/octet-stream",
            headers={
                "Content-Disposition": f'attachment; filename="{found.filename}"',
                "X-Content-Type-Options": "nosniff",
            },
        )
    key = f"source:{found.pk}"
    context = {
        "bot": found.bot,
        "version": found,
        "others": others,
        "files": cache.get_or_set(key, lambda: texts.files(program), KEPT_SECONDS),
    }
    return render(request, "ladder/bot/source.html", context)


def changes(request: HttpRequest, pk: int, old: int, new: int) -> HttpResponse:
    """What differs between two versions of a bot."""
    before, after = _readable(request, pk, old), _readable(request, pk, new)
    key = f"changes:{before.pk}:{after.pk}"
    found = cache.get_or_set(
        key, lambda: texts.changes(before.program(), after.program()), KEPT_SECONDS
    )
    context = {
        "bot": after.bot,
        "old": before,
        "version": after,
        "others": _other_numbers(after),
        "changes": found,
    }
    return render(request, "ladder/bot/changes.html", context)


def _readable(request: HttpRequest, pk: int, version: int) -> Version:
    """A version whose source is public or one's own; otherwise there is nothing here."""
    found = get_object_or_404(versions.versions(), bot=pk, number=version)
    if not found.bot.is_source_public and not found.bot.is_managed_by(request.user):
        raise Http404
    return found


def _other_numbers(version: Version) -> list[int]:
    """Of the bot's versions, those to compare with; newest first."""
    return versions.other_numbers(version, 100)
