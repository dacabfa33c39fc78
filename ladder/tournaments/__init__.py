"""Tournament formats: pure functions over stored results.

To add one, write its file, list it here, and the property tests run on it.
"""

from ladder.tournaments.double_elimination import DoubleElimination
from ladder.tournaments.format import Event, Format, Option, Preview, Row, Score, SetScore, Table
from ladder.tournaments.gauntlet import Gauntlet
from ladder.tournaments.groups import Groups
from ladder.tournaments.pods import Pods
from ladder.tournaments.round_robin import RoundRobin
from ladder.tournaments.single_elimination import SingleElimination
from ladder.tournaments.swiss import Swiss

FORMATS: dict[str, Format] = {
    one.name: one
    for one in (
        RoundRobin(),
        Swiss(),
        SingleElimination(),
        DoubleElimination(),
        Gauntlet(),
        Pods(),
        Groups(),
    )
}

__all__ = [
    "FORMATS",
    "Event",
    "Format",
    "Option",
    "Preview",
    "Row",
    "Score",
    "SetScore",
    "Table",
]
