"""Pages to read: how ratings work, the docs folder, the style guide."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from django.conf import settings
from django.core.cache import cache as kept
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from engine.games import MAX_SEATS
from ladder.contract.bots import Share
from ladder.queries import fairness
from ladder.queries.calibration import dispersions, first_intervals, predictions
from ladder.templatetags.prose import render as render_markdown
from ladder.web.svg import Point, Segment, rating_chart, spark

FOLDER = Path(settings.BASE_DIR) / "docs"
CALIBRATION_SECONDS = 300


def docs(request: HttpRequest) -> HttpResponse:
    pages = [(name, title(name)) for name in names()]
    return render(request, "ladder/docs/docs.html", {"pages": pages})


def doc(request: HttpRequest, name: str) -> HttpResponse:
    if name not in names():  # the folder's own listing: no path reaches the disk
        raise Http404
    html, headings = _rendered(name)
    context = {"title": title(name), "html": html, "headings": headings, "name": name}
    return render(request, "ladder/docs/doc.html", context)


def doc_text(request: HttpRequest, name: str) -> HttpResponse:
    """The page as it is written, for programs that read."""
    if name not in names():
        raise Http404
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    return HttpResponse(text, content_type="text/markdown; charset=utf-8")


def doc_drawing(request: HttpRequest, name: str) -> HttpResponse:
    """A drawing of the pages."""
    if name not in {path.stem for path in FOLDER.glob("*.svg")}:
        raise Http404
    return HttpResponse((FOLDER / f"{name}.svg").read_bytes(), content_type="image/svg+xml")


def calibration(request: HttpRequest) -> HttpResponse:
    context = kept.get_or_set(
        "calibration",
        lambda: {
            "bins": predictions(),
            "held": first_intervals(),
            "dispersions": dispersions(),
            "memory": fairness.memory(),
        },
        CALIBRATION_SECONDS,
    )
    return render(request, "ladder/docs/calibration.html", context)


def about(request: HttpRequest) -> HttpResponse:
    return render(request, "ladder/docs/about.html", {"has_doc": "ratings" in names()})


READ_FIRST = [
    "first-bot",
    "games",
    "wire",
    "languages",
    "search-bot",
    "kit",
    "agents",
    "ratings",
    "tournaments",
    "replays",
    "datasets",
    "analysis",
    "remote",
]


@cache
def names() -> list[str]:
    """The pages there are: those for authors in reading order, then the rest."""
    found = {path.stem for path in FOLDER.glob("*.md")}
    return [*(n for n in READ_FIRST if n in found), *sorted(found.difference(READ_FIRST))]


@cache
def _rendered(name: str) -> tuple[str, list[tuple[int, str, str]]]:
    return render_markdown((FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def title(name: str) -> str:
    headings = _rendered(name)[1]
    return headings[0][2] if headings else name.replace("-", " ").capitalize()


def styleguide(request: HttpRequest) -> HttpResponse:
    old = [1500, 1520, 1512, 1541, 1560, 1555, 1571, 1590]
    new = [1590, 1602, 1631, 1625, 1648, 1660, 1655, 1671]
    path, way = spark(old + new)
    versions = [
        Segment(
            f"v{number}", [Point(v, (v - 90 + 7 * i, v + 90 - 7 * i)) for i, v in enumerate(values)]
        )
        for number, values in enumerate((old, new), 1)
    ]
    context = {
        "colours": COLOURS,
        "chart": rating_chart(versions),
        "share": Share(share=0.6, low=0.502, high=0.691),
        "spark": {"trend": path, "way": way},
        "seats": range(MAX_SEATS),
        "badges": [
            "active",
            "queued",
            "running",
            "finished",
            "void",
            "rejected",
            "house",
            "retired",
        ],
    }
    return render(request, "ladder/docs/styleguide.html", context)


COLOURS = ["paper", "paper-2", "card", "ink", "ink-2", "line", "accent", "good", "bad", "broth"]
