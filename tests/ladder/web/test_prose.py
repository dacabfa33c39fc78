"""Markdown and small drawings."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from ladder.templatetags.prose import markdown, render
from ladder.templatetags.site import took
from ladder.web.svg import Point, Segment, rating_chart, spark, thinned


def test_a_documents_tables_are_aligned_by_class_since_styles_are_forbidden() -> None:
    html, _ = render("|a|b|\n|---|---:|\n|1|2|\n")

    assert "style=" not in html
    assert '<td class="number">2</td>' in html


def test_headings_get_ids_of_their_own_even_when_alike() -> None:
    html, headings = render("# Soup\n\n## Salt\n\n## Salt\n")

    assert [name for _, name, _ in headings] == ["soup", "salt", "salt-2"]
    assert '<h2 id="salt-2">' in html


def test_links_between_docs_lead_to_their_pages() -> None:
    html, _ = render("[r](ratings.md#ticks) [x](https://example.org/a.md)")

    assert 'href="/docs/ratings/#ticks"' in html
    assert 'href="https://example.org/a.md"' in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:alert(1))",
        "![x](https://evil.example/track.png)",
    ],
)
def test_what_a_user_wrote_brings_no_script_or_image(text: str) -> None:
    html = markdown(text)

    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html


def test_a_sparkline_says_which_way_it_went() -> None:
    assert spark([1, 3, 2])[1] == "up"
    assert spark([3, 1])[1] == "down"
    assert spark([2, 2])[1] == ""
    assert spark([5]) == ("", "")


def corners(path: str) -> list[tuple[float, float]]:
    pairs = path.strip("MZ").split("L")
    return [(float(x), float(y)) for x, y in (pair.split() for pair in pairs)]


def test_a_chart_keeps_every_value_and_interval_inside_its_box() -> None:
    first = Segment("v1", [Point(1500), Point(1502, (1010, 1990))])  # wider than the frame
    second = Segment("v2", [Point(1501), Point(1390, (1300, 1450))])

    chart = rating_chart([first, second])

    assert chart is not None
    drawn = [path for path, _ in chart.lines] + chart.bands
    for x, y in (corner for path in drawn for corner in corners(path)):
        assert chart.left <= x <= chart.right
        assert chart.top <= y <= chart.bottom
    assert [label for _, label in chart.marks] == ["v1", "v2"]
    assert [label for _, label in chart.grid] == ["1300", "1400", "1500", "1600"]


def test_a_band_follows_its_line_and_breaks_where_nothing_was_known() -> None:
    known = [Point(1500), Point(1510, (1480, 1535)), Point(1520, (1490, 1530)), Point(1530)]

    chart = rating_chart([Segment("v1", known), Segment("v2", [Point(1530, (1450, 1560))] * 2)])

    assert chart is not None
    line = [x for path, _ in chart.lines for x, _ in corners(path)]
    one, other = map(corners, chart.bands)
    assert [x for x, _ in one] == [line[1], line[2], line[2], line[1]]
    assert [x for x, _ in other] == [line[4], line[5], line[5], line[4]]
    (_, wide_top), (_, narrow_top), (_, narrow_bottom), (_, wide_bottom) = one
    assert wide_top < narrow_top < narrow_bottom < wide_bottom


def test_an_interval_that_only_the_newest_point_has_is_a_bar():
    chart = rating_chart([Segment("v1", [Point(1500), Point(1480, (1300, 1600))])])

    (bar,) = map(corners, chart.bands)
    assert {x for x, _ in bar} == {chart.right - 3, chart.right}
    assert len({y for _, y in bar}) == 2


def test_thinning_keeps_the_first_and_the_last() -> None:
    thin = thinned(list(range(1000)), 50)

    assert (len(thin), thin[0], thin[-1]) == (50, 0, 999)
    assert thinned([1, 2], 50) == [1, 2]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.25, "250 ms"), (3.26, "3.3 s"), (4.0, "4 s"), (36.0, "36 s"), (75, "1 min 15 s")],
)
def test_a_duration_is_told_as_exactly_as_people_would(seconds: float, said: str) -> None:
    assert took(timedelta(seconds=seconds)) == said


@pytest.mark.parametrize(
    ("gap", "dates"),
    [
        (timedelta(minutes=7), ["16 Nov, 10:00 UTC", "16 Nov, 10:07 UTC", "16 Nov, 10:14 UTC"]),
        (timedelta(days=2), ["16 Nov 2026", "18 Nov 2026", "20 Nov 2026"]),
    ],
)
def test_a_chart_of_one_day_has_times_below_it(gap: timedelta, dates: list[str]) -> None:
    first = datetime(2026, 11, 16, 10, tzinfo=UTC)

    chart = rating_chart([Segment("v1", [Point(1500.0, None, first + i * gap) for i in range(3)])])

    assert [text for *_, text in chart.dates] == dates
