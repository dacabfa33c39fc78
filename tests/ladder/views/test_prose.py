"""Markdown and small drawings."""

from __future__ import annotations

import pytest

from ladder.svg import Segment, rating_chart, spark, thinned
from ladder.templatetags.prose import markdown, render


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


def test_a_chart_keeps_every_value_and_the_interval_inside_its_box() -> None:
    chart = rating_chart([Segment("v1", [1500, 1502]), Segment("v2", [1501, 1390])], (1300, 1450))

    assert chart is not None
    assert chart.band is not None
    _, y, _, height = chart.band
    assert chart.top <= y
    assert y + height <= chart.bottom
    assert [label for _, label in chart.marks] == ["v1", "v2"]


def test_thinning_keeps_the_first_and_the_last() -> None:
    thin = thinned(list(range(1000)), 50)

    assert (len(thin), thin[0], thin[-1]) == (50, 0, 999)
    assert thinned([1, 2], 50) == [1, 2]
