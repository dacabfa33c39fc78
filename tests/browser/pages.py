"""Finding every page: follow the links, and keep one address of each kind."""

from __future__ import annotations

from urllib.parse import urldefrag, urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import Page

FILES = (".gz", ".zip", ".json", ".py", ".csv", ".txt", ".yaml")
MOST = 60  # pages; far more than there are kinds


def kind(path: str) -> str:
    """What two addresses of the same page share; empty when it is no page to visit."""
    if path.endswith(FILES) or path.startswith(("/static/", "/admin/", "/metrics")):
        return ""
    try:
        found = resolve(path)
    except Resolver404:
        return ""
    return found.view_name


def crawl(page: Page, site: str, starts: list[str]) -> list[str]:
    """One path per kind of page that can be reached by links."""
    waiting = list(starts)
    seen: set[str] = set()
    paths = []
    while waiting and len(paths) < MOST:
        path = waiting.pop(0)
        name = kind(path)
        if not name or name in seen:
            continue
        seen.add(name)
        page.goto(site + path)
        if urlsplit(page.url).path != path:
            continue  # a page for others: it asks to sign in
        paths.append(path)
        links = page.locator("a[href]").evaluate_all("all => all.map((a) => a.href)")
        here = [urldefrag(link).url for link in links if link.startswith(site + "/")]
        waiting += [urlsplit(link).path for link in here]
    return paths
