"""Markdown as HTML: our own rules and docs, and what users wrote."""

from __future__ import annotations

import re
from itertools import pairwise

import nh3
from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

register = template.Library()

# Raw HTML is shown as text, and the renderer refuses script addresses by itself.
READER = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
TEXT = ("text", "code_inline")
DOC_LINK = re.compile(r"^(?:\./)?([a-z0-9_-]+)\.md(#.*)?$", re.IGNORECASE)
DRAWING = re.compile(r"^([a-z0-9_-]+)\.svg$")
RULES_LINK = re.compile(r"^\.\./engine/games/([a-z0-9_]+)/RULES\.md$")


def _link_docs(tokens: list[Token]) -> None:
    """Links from one docs file to another, or to a game's rules, lead to the page of it."""
    for token in tokens:
        for child in token.children or ():
            if child.type == "link_open":
                link = str(child.attrGet("href"))
                if found := DOC_LINK.match(link):
                    child.attrSet("href", f"/docs/{found[1]}/{found[2] or ''}")
                elif found := RULES_LINK.match(link):
                    child.attrSet("href", reverse("rules", args=[found[1]]))
            elif child.type == "image" and (found := DRAWING.match(str(child.attrGet("src")))):
                child.attrSet("src", reverse("doc-drawing", args=[found[1]]))


ALIGNMENT = {"text-align:right": "number", "text-align:center": "centre"}


def _align_by_class(tokens: list[Token]) -> None:
    """The reader aligns columns by a style attribute, which our policy forbids."""
    for token in tokens:
        style = token.attrs.pop("style", None)
        if style in ALIGNMENT:
            token.attrSet("class", ALIGNMENT[str(style)])


def _name_headings(tokens: list[Token]) -> list[tuple[int, str, str]]:
    """Give each heading an id; (level, id, text) of all of them."""
    seen: dict[str, int] = {}
    found = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            parts = (c.content for c in inline.children or () if c.type in TEXT)
            text = "".join(parts)
            name = slugify(text) or "section"
            seen[name] = seen.get(name, 0) + 1
            name = name if seen[name] == 1 else f"{name}-{seen[name]}"
            token.attrSet("id", name)
            found.append((int(token.tag[1]), name, text))
    return found


def render(text: str) -> tuple[SafeString, list[tuple[int, str, str]]]:
    """A trusted document as HTML, and its headings as (level, id, text)."""
    environment: dict[str, object] = {}
    tokens = READER.parse(text, environment)
    _link_docs(tokens)
    _align_by_class(tokens)
    headings = _name_headings(tokens)
    html = READER.renderer.render(tokens, READER.options, environment)
    # A long line or a wide table scrolls, so it must be reachable with the keyboard. Text is
    # escaped, so only a tag can look like this.
    for tag in ("pre", "table"):
        html = html.replace(f"<{tag}>", f'<{tag} tabindex="0">')
    return mark_safe(html), headings


@register.filter
def markdown(text: str) -> SafeString:
    """What a user wrote: rendered, then cleaned of all that is not plain prose."""
    return mark_safe(nh3.clean(READER.render(text), tags=ALLOWED, attributes={"a": {"href"}}))


ALLOWED = {
    *("a", "p", "br", "strong", "em", "s", "code", "pre", "blockquote", "hr"),
    *("ul", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
