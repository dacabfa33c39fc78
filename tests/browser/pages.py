"""Finding every page: follow the links, and keep one address of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urldefrag, urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import Page

from sandbox.languages import STARTERS

FILES = (".gz", ".zip", ".json", ".csv", ".txt", ".yaml", *STARTERS)
MOST = 60  # pages; far more than there are kinds


def kind(path: str) -> str:
    """What two addresses of the same page share; empty when it is no page to visit."""
    if path.endswith(FILES) or path.startswith(("/static/", "/admin/")):
        return ""
    if path.startswith("/api/") and not path.endswith("/docs/"):
        return ""
    try:
        found = resolve(path)
    except Resolver404:
        return ""
    return found.view_name


def crawl(page: Page, site: str, starts: list[str]) -> Iterator[str]:
    """Visit one page of each kind that can be reached by links; the path of each, once there."""
    waiting = list(starts)
    seen: set[str] = set()
    while waiting and len(seen) < MOST:
        path = waiting.pop(0)
        name = kind(path)
        if not name or name in seen:
            continue
        seen.add(name)
        answer = page.goto(site + path)
        assert answer is not None
        assert answer.status == 200, path
        if urlsplit(page.url).path != path:
            continue  # a page for others: it asks to sign in
        # Not a.href, which is no text where the link is a part of a drawing.
        links = page.locator("a[href]").evaluate_all(
            "all => all.map((a) => new URL(a.getAttribute('href'), document.baseURI).href)"
        )
        here = [urldefrag(link).url for link in links if link.startswith(site + "/")]
        waiting += [urlsplit(link).path for link in here]
        yield path
