"""Tournament formats: pure functions over stored results.

To add one, write its file in `formats/`, where it is found, and the property tests run on it.
"""

from ladder.tournaments.format import (
    Event,
    Format,
    FormatPreview,
    Option,
    Row,
    Score,
    SetScore,
    Table,
)
from ladder.tournaments.formats import FORMATS

__all__ = [
    "FORMATS",
    "Event",
    "Format",
    "FormatPreview",
    "Option",
    "Row",
    "Score",
    "SetScore",
    "Table",
]
