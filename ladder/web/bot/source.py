"""A version's source, and what changed since another, for readers allowed to see it."""

from __future__ import annotations

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ladder.contract.bots import ShownVersion
from ladder.errors import Code, LadderError
from ladder.queries import versions
from ladder.web.bot import texts
from ladder.web.http.pages import number
from sandbox.program import Program

COMPARED = 100  # other versions offered to compare with
KEPT_SECONDS = 600  # colouring and comparing cost more than reading


def source(request: HttpRequest, pk: int, version: int) -> HttpResponse:
    """The files of a version; or with `against`, on to what changed since that one."""
    found = _readable(request, pk, version)
    others = versions.other_numbers(found, COMPARED)
    if (against := number(request.GET.get("against"))) in others:
        return redirect("bot-changes", pk, against, version)
    program = _program(found)
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
    key = f"source:{found.id}"
    context = {
        "bot": found.of,
        "version": found,
        "others": others,
        "files": cache.get_or_set(key, lambda: texts.files(program), KEPT_SECONDS),
    }
    return render(request, "ladder/bot/source.html", context)


def changes(request: HttpRequest, pk: int, old: int, new: int) -> HttpResponse:
    """What differs between two versions of a bot."""
    before, after = _readable(request, pk, old), _readable(request, pk, new)
    key = f"changes:{before.id}:{after.id}"
    programs = [_program(version) for version in (before, after)]
    found = cache.get_or_set(key, lambda: texts.changes(*programs), KEPT_SECONDS)
    context = {
        "bot": after.of,
        "old": before,
        "version": after,
        "others": versions.other_numbers(after, COMPARED),
        "changes": found,
    }
    return render(request, "ladder/bot/changes.html", context)


def _program(version: ShownVersion) -> Program:
    found = versions.program(version.id)
    if found is None:
        raise LadderError("A remote bot has no program here.", code=Code.NOT_FOUND)
    return found


def _readable(request: HttpRequest, pk: int, version: int) -> ShownVersion:
    """A version whose source is public or the reader's own; otherwise not found."""
    found = versions.find(pk, version)
    if found is None or not found.of.shows_source_to(request.user):
        raise Http404
    return found
