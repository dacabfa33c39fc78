from ladder.ratings.outcome import expected
from tests.docs.pages import DOCS

PAGE = DOCS / "ratings.md"


def row(name: str) -> list[str]:
    """The cells of a two-line table, by the first cell of the line."""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0] == name:
            return cells[1:]
    raise AssertionError(f"no line {name}")


def test_the_expected_scores_in_the_page_are_those_of_the_formula():
    assert row("E") == [f"{expected(float(d)):.3f}" for d in row("d")]
