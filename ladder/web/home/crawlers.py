"""What programs ask a site for: its icon, what they may read, and where its pages are."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import cache_control

import ladder
from engine.games import GAMES
from ladder.boards import BOARDS
from ladder.queries import bots, tournaments
from ladder.web.docs.views import names as docs
from ladder.web.docs.views import title

ICON = Path(ladder.__file__).parent / "static/ladder/img/favicon.ico"
PLACES = ["home", "matches", "tournaments", "docs", "about", "calibration", "status", "api-docs"]
PLACES += ["daily", "datasets", "puzzles"]
LARGEST = 5000  # of bots and of tournaments; a sitemap may have 50,000 addresses

# Every other page can be reached in endless ways: by cursors, pairs of bots, forms.
ROBOTS = """User-agent: *
Disallow: /admin/
Disallow: /account/
Disallow: /search/
Disallow: /bots/*/vs/
Disallow: /*?*
Sitemap: {site}{sitemap}
"""

LLMS = """# Ladle

> Tournaments and ladders for bots that play four soup-and-spice tabletop games. A bot is one file
> with a function `decide(view)`; it plays rated matches in a sandbox, and every replay can be
> verified.

To write a bot, begin with [For coding agents]({agents}). `pip install 'ladle[mcp]'` and the command
`ladle mcp` serve the same work as tools of the Model Context Protocol. Programs speak with the site
by its API, whose [schema]({schema}) is OpenAPI. A bot that cannot be uploaded, such as a language
model, plays over the network: [Remote bots]({remote}).

## Guides

{guides}

## Rules of the games

{rules}
"""


@cache_control(public=True, max_age=86_400)
def favicon(request: HttpRequest) -> FileResponse:
    return FileResponse(ICON.open("rb"), content_type="image/x-icon")


@cache_control(public=True, max_age=86_400)
def robots(request: HttpRequest) -> HttpResponse:
    text = ROBOTS.format(site=settings.SITE_URL, sitemap=reverse("sitemap"))
    return HttpResponse(text, content_type="text/plain")


@cache_control(public=True, max_age=86_400)
def llms(request: HttpRequest) -> HttpResponse:
    """What a language model reads first: what this is, and where to find it as plain text."""
    guides = [f"- [{title(name)}]({_full('doc-text', name)})" for name in docs()]
    rules = [f"- [{game.title}]({_full('rules-text', slug)})" for slug, game in GAMES.items()]
    text = LLMS.format(
        agents=_full("doc-text", "agents"),
        remote=_full("doc-text", "remote"),
        schema=_full("api-schema"),
        guides="\n".join(guides),
        rules="\n".join(rules),
    )
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


def _full(name: str, *args: str) -> str:
    return f"{settings.SITE_URL}{reverse(name, args=args)}"


@cache_control(public=True, max_age=3600)
def sitemap(request: HttpRequest) -> HttpResponse:
    """Every page that stays: places, games, boards, guides, bots and public tournaments."""
    paths = [reverse(name) for name in PLACES]
    paths += [reverse(name, args=[slug]) for slug in GAMES for name in ("game", "rules")]
    paths += [reverse("board", args=[board.game, board.seats]) for board in BOARDS]
    paths += [reverse("doc", args=[name]) for name in docs()]
    paths += [reverse("bot", args=[pk]) for pk in bots.public_ids(LARGEST)]
    paths += [reverse("tournament", args=[pk]) for pk in tournaments.public_ids(LARGEST)]
    lines = "".join(f"<url><loc>{settings.SITE_URL}{path}</loc></url>\n" for path in paths)
    return HttpResponse(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}</urlset>\n',
        content_type="application/xml",
    )
