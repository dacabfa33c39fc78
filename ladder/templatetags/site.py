"""Tags and filters of the site's templates."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import cache, lru_cache
from typing import Any

from django import template
from django.conf import settings
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from engine.games import GAMES
from ladder.boards import Board
from ladder.queries import notices
from ladder.services import quotas
from sandbox import languages

register = template.Library()


@register.simple_tag
@cache  # the addresses do not change while a process lives
def head_links() -> SafeString:
    """The icon, stylesheets and scripts of every page."""
    return render_to_string("ladder/parts/_head_links.html")


register.filter("reached", quotas.reached)


@register.simple_tag
def language_names() -> str:
    """The languages of bots, as a sentence has them."""
    return languages.names()


class PageWords(template.Node):
    """A page's title and description, for its head and for whoever shows a link to it."""

    child_nodelists = ("title", "description")

    def __init__(self, title: template.NodeList, description: template.NodeList) -> None:
        self.title, self.description = title, description

    def render(self, context: template.Context) -> SafeString:
        request = context.get("request")
        words = {
            "title": mark_safe(self.title.render(context).strip()),
            "description": mark_safe(self.description.render(context).strip()),
            "address": settings.SITE_URL + (request.path if request else "/"),
            "site_url": settings.SITE_URL,
            "card": context.get("card", ""),
            "embed": context.get("embed", ""),
        }
        return render_to_string("ladder/parts/_page_words.html", words)


@register.tag
def page_words(parser: template.base.Parser, token: template.base.Token) -> PageWords:
    title = parser.parse(("described",))
    parser.delete_first_token()
    description = parser.parse(("endpage_words",))
    parser.delete_first_token()
    return PageWords(title, description)


@register.simple_tag
def current(request: HttpRequest, name: str) -> SafeString:
    """Marks the link to the page one is on."""
    return SafeString(' aria-current="page"' if request.path == reverse(name) else "")


@register.simple_tag
@cache
def emblem(slug: str) -> str:
    """The address of a game's emblem, or of a plain bowl where it has none."""
    if (GAMES[slug].folder / "static" / "emblem.svg").is_file():
        return static(f"games/{slug}/emblem.svg")
    return static("ladder/img/emblem.svg")


@register.filter
@lru_cache(maxsize=4096)
def page_of(what: int | Board, name: str) -> str:
    """The address of a page, for lists of many: `url` takes ten times as long."""
    return reverse(name, args=[what.game, what.seats] if isinstance(what, Board) else [what])


@register.simple_tag
@cache
def games_menu() -> SafeString:
    return render_to_string("ladder/parts/_games_menu.html", {"games": GAMES})


@register.filter
@cache
def seats_word(seats: int, game: str) -> str:
    """`solo`, `2 players`, `4 players, teams`: the board's name without its game."""
    return Board(game, seats).table


@register.filter
def coded(text: str) -> SafeString:
    """What stands between backticks, as code."""
    return mark_safe(re.sub("`([^`]+)`", r"<code>\1</code>", escape(text)))  # escaped before


@register.filter
def elo(points: float | None) -> str:
    """A rating in whole points."""
    return "–" if points is None else f"{points:.0f}"


@register.filter
def hundredths(share: float, less: float = 0) -> float:
    """A share, or by how much it is above another, on a scale from 0 to 100."""
    return round(100 * (share - less), 1)


@register.filter
def percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.0f}%"


@register.filter
def decimals(value: float | None, places: int = 1) -> str:
    if value is None:
        return "–"
    text = f"{round(value, places) + 0.0:,.{places}f}".replace("-", "−")  # + 0.0: no minus zero
    return text.removesuffix("." + "0" * places) if places else text


@register.filter
def signed(value: float) -> str:
    """A difference in whole numbers, always with its sign."""
    return f"{round(value) + 0.0:+,.0f}".replace("-", "−")


@register.filter
def took(duration: timedelta | None) -> str:
    """A duration as a person says it."""
    if duration is None:
        return "–"
    seconds = duration.total_seconds()
    if seconds < 1:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 60:
        return f"{decimals(seconds, 1 if seconds < 10 else 0)} s"
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s"


@register.filter
def microseconds(value: float | None) -> str:
    return (
        "–"
        if value is None
        else took(timedelta(microseconds=value))
        if value >= 1000
        else (f"{value:.0f} µs")
    )


@register.filter
def filesizeformat_kb(value: int | None) -> str:
    """Kilobytes in the unit a person would use."""
    if not value:
        return "–"
    return f"{value / 1024:.0f} MB" if value >= 1024 else f"{value} kB"


LONG_AGO = timedelta(days=45)  # from then on a date says more than a number of days
STEPS = (
    (60, 1, "s"),
    (3600, 60, "min"),
    (86400, 3600, "h"),
    (LONG_AGO.total_seconds(), 86400, "d"),
)


def ago_text(moment: datetime, now: datetime | None = None) -> str:
    passed = ((now or timezone.now()) - moment).total_seconds()
    if passed < 5:
        return "just now"
    for below, unit, word in STEPS:
        if passed < below:
            return f"{int(passed // unit)} {word} ago"
    return f"{moment:%-d %b %Y}"


@register.filter
def ago(moment: datetime | None) -> str | SafeString:
    """How long ago, with the exact moment for machines and for the pointer."""
    if moment is None:
        return "–"
    if timezone.now() - moment >= LONG_AGO:
        return day(moment)
    iso = moment.isoformat(timespec="seconds")
    return format_html('<time datetime="{}" title="{}">{}</time>', iso, iso, ago_text(moment))


@register.filter
def day(moment: datetime | None) -> str | SafeString:
    """A date with its zone: the visitor's own where scripts run, else UTC."""
    if moment is None:
        return "–"
    iso, text = moment.isoformat(timespec="seconds"), f"{moment:%-d %b %Y}, UTC"
    return format_html('<time datetime="{}" data-local="day">{}</time>', iso, text)


@register.filter
def moment(value: datetime | None) -> str | SafeString:
    """A date and time with its zone: the visitor's own where scripts run, else UTC."""
    if value is None:
        return "–"
    iso, text = value.isoformat(timespec="seconds"), f"{value:%-d %b %Y, %H:%M} UTC"
    return format_html('<time datetime="{}" data-local>{}</time>', iso, text)


@register.filter
def ordinal(number: int | None) -> str:
    """`1st`, `2nd`, `3rd`, `11th`."""
    if number is None:
        return "–"
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


@register.filter
def seat_of(row: Any, bot: int) -> Any:
    """The entry of a bot in a row of matches; of the better one where it sat there twice."""
    own = [entry for entry in row.entries if entry.bot == bot]
    return min(own, key=lambda entry: entry.rank or 99, default=None)


@register.filter
def way(entry: Any, row: Any) -> str:
    """What a match was for one of its entries, in a word."""
    if entry.rank is None:
        return ""
    return "drawn" if row.is_drawn else "won" if entry.rank == 1 else "lost"


@register.filter
def board_of(row: Any) -> Board:
    return Board(row.game, row.seats)


@register.filter
def item(mapping: dict[Any, Any], key: Any) -> Any:
    return mapping.get(key)


@register.simple_tag(takes_context=True)
def follow_button(context: template.Context, subject: str, target: object) -> SafeString:
    """A button to follow or unfollow; nothing for visitors."""
    request = context.get("request")
    if request is None or not request.user.is_authenticated:
        return mark_safe("")
    asked = {"subject": subject, "target": str(target)}
    is_following = notices.is_following(request.user.pk, subject, str(target))
    return render_to_string(
        "ladder/notices/_follow.html", asked | {"is_following": is_following}, request
    )
