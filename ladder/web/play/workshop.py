"""The workshop: a page to write a bot on and try it, in the visitor's own tab."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.urls import reverse
from django.views.decorators.http import require_safe

from ladder.contract.bots import TAB_LANGUAGES, ShownVersion
from ladder.queries import drafts, versions
from ladder.services.drafts import MOST_FILES
from ladder.web.game.views import game_or_404
from ladder.web.play.explained import explained_view
from ladder.web.play.origin import origin
from ladder.web.play.views import chosen_version, guest, tab_page, table_setup
from sandbox.languages import BY_SUFFIX
from sandbox.program.starter import first_bot

OWN, PUBLIC = 30, 100  # versions offered as opponents


@require_safe
def workshop(request: HttpRequest, slug: str) -> HttpResponse:
    """A place to write a bot and try it.

    `?version=` opens a source one may read, and `?shared=` a draft that somebody shared, as a
    start; `?language=` the author's own draft. `origin` is a position to try the bot in.
    """
    game = game_or_404(slug)
    version = chosen_version(request, slug)
    fork = guest(version) if version else _shared(request, slug)
    asked = request.GET.get("language", "")
    setup = table_setup(game) | {
        "starters": {one: first_bot(slug, f".{one}") for one in TAB_LANGUAGES},
        "languages": [[one, BY_SUFFIX[f".{one}"].name] for one in TAB_LANGUAGES],
        "runners": {one: BY_SUFFIX[f".{one}"].tab for one in TAB_LANGUAGES},
        "language": asked if asked in TAB_LANGUAGES else TAB_LANGUAGES[0],
        "most_files": min(game.limits.bundle_files, MOST_FILES),
        "upload": f"{reverse('upload')}?{urlencode({'game': slug})}",
        "sign_in": f"{reverse('sign-in')}?{urlencode({'next': request.get_full_path()})}",
        "view": explained_view(game),
        "fork": fork,
        "from": origin(request, slug),
        "account": _account(request, slug),
    }
    setup["bots"] = [bot | {"group": "house"} for bot in setup["bots"]] + _rivals(request, slug)
    return tab_page(request, "ladder/play/workshop.html", game, setup)


def _shared(request: HttpRequest, slug: str) -> dict[str, Any] | None:
    token = request.GET.get("shared")
    if token is None:
        return None
    draft = drafts.shared(token)
    if draft is None or draft.game != slug:
        raise Http404
    return {
        "short": f"shared-{draft.token}",
        "label": f"a draft that {draft.owner} shared",
        "language": draft.language,
        "files": draft.files,
    }


def _account(request: HttpRequest, slug: str) -> dict[str, str] | None:
    """Where the drafts of someone signed in are saved."""
    if not request.user.is_authenticated:
        return None
    share = reverse("share-draft", args=[slug])
    return {
        "address": share.removesuffix("share/"),
        "token": get_token(request),
        "page": reverse("drafts"),
    }


def _rivals(request: HttpRequest, slug: str) -> list[dict[str, Any]]:
    """Bots beside the house's that a tab can run and whose source this visitor may read."""
    own: list[ShownVersion] = []
    if request.user.is_authenticated:
        own = versions.own_in_a_tab(request.user.pk, slug, OWN)
    mine = {version.bot for version in own}
    public = [one for one in versions.public_in_a_tab(slug, PUBLIC) if one.bot not in mine]
    return [
        *(_rival(one, "own", f"{one.of.name} v{one.number}") for one in own),
        *(_rival(one, "public", f"{one.of.name}, by {one.of.owner}") for one in public),
    ]


def _rival(version: ShownVersion, group: str, name: str) -> dict[str, Any]:
    described = guest(version)
    kept = {key: described[key] for key in ("short", "language", "runner", "source")}
    return kept | {"name": name, "group": group}
