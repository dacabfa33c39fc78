"""The record of a tournament: all that is needed to check it, as JSON, and the check.

A record describes the tournament step by step. At each step those who withdrew are taken out, the
tables decided by then are counted, and the format says which tables are due: what was drawn must
be exactly that. With the secret, once published, every seed follows too.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ladder.tournaments import FORMATS, seeds
from ladder.tournaments.format import Event, Format, Outcome, Row, Score, SetScore, Table
from ladder.tournaments.knockout import knockout_winner

SCHEMA = "ladle-tournament/1"
MOST_ENTRANTS = 1024

Json = Mapping[str, Any]


class BadRecord(Exception):
    """The record describes no possible tournament; the text says where."""


def set_score(one: Json) -> SetScore:
    """One set from the places and points of its plays, by entrant in table order."""
    return SetScore.from_places(one["places"], one["points"])


def row_as_json(row: Row) -> dict[str, Any]:
    """One line of the standings; fractions as text, so that nothing is rounded."""
    return {
        "place": row.place,
        "seed": row.entrant,
        "points": str(Fraction(row.points)),
        "tie_breaks": {name: str(Fraction(value)) for name, value in row.tie_breaks.items()},
        "explanation": row.explanation,
        "is_withdrawn": row.is_withdrawn,
    }


def event_of(record: Json) -> Event:
    """The entrants and the rules, before anything was drawn."""
    entrants = record["entrants"]
    return Event(
        entrants=len(entrants),
        options=record["options"],
        key=record["commitment"],
        ratings={one["seed"]: one["rating"] for one in entrants if one["rating"] is not None},
        errors={one["seed"]: one["rating_error"] for one in entrants if one.get("rating_error")},
    )


def verify(record: Json) -> str:
    """Follow the record from its first step and return what was proven; BadRecord otherwise."""
    try:
        if record["format"] != SCHEMA:
            raise BadRecord(f"this is {record['format']!r}, not {SCHEMA}")
        if record["system"] not in FORMATS:
            raise BadRecord(f"there is no tournament format {record['system']!r}")
        if len(record["entrants"]) > MOST_ENTRANTS:
            raise BadRecord(f"{len(record['entrants'])} entrants are too many to check")
        return _Check(record, FORMATS[record["system"]]).run()
    except KeyError as error:
        raise BadRecord(f"it is no complete record of a tournament: {error} is missing") from None
    except (TypeError, IndexError, ValueError, AttributeError) as error:
        raise BadRecord(f"it is not complete: {type(error).__name__} {error}") from None


class _Check:
    def __init__(self, record: Json, format_: Format) -> None:
        self.record = record
        self.format = format_
        self.tables: Sequence[Json] = record["tables"]
        self.secret: str | None = record["secret"]
        self.open: dict[tuple[int, int], Json] = {}
        self.seated: dict[tuple[int, int], Table] = {}

    def run(self) -> str:
        self._check_luck()
        self._check_entrants()
        for table in self.tables:
            self._check_sets(table)
        event = event_of(self.record)
        for step in range(1, self.record["steps"] + 1):
            event = self._follow(event, step)
        unfinished = [one for one in self.tables if one["finished_at_step"] is None]
        if len(unfinished) != len(self.open):
            raise BadRecord("some tables were never drawn")
        self._check_standings(replace(event, seated=tuple(self.seated.values())))
        played = sum(len(table["sets"]) for table in self.tables)
        luck = "all from the secret committed to" if self.secret else "secret not published yet"
        return (
            f"{len(self.record['entrants'])} entrants, {len(self.tables)} tables drawn as the"
            f" format draws them, {played} seeds ({luck}), standings as they follow"
        )

    def _check_entrants(self) -> None:
        entrants = self.record["entrants"]
        if [one["seed"] for one in entrants] != list(range(1, len(entrants) + 1)):
            raise BadRecord("the seeds are not 1, 2, 3 and so on")
        if self.record["seeding"] == "fitted":
            order = sorted(entrants, key=lambda one: (-(one["rating"] or 0), one["bot_id"]))
        elif self.record["seeding"] == "random" and self.secret:
            order = sorted(entrants, key=lambda one: seeds.lot(self.secret or "", one["bot_id"]))
        else:
            return
        for seed, one in enumerate(order, 1):
            if one["seed"] != seed:
                raise BadRecord(f"{one['bot']} should be seed {seed}, not {one['seed']}")

    def _check_luck(self) -> None:
        if self.secret is None:
            if self.record["status"] in ("finished", "cancelled"):
                raise BadRecord("it is over, but its secret is not published")
        elif not seeds.keeps_commitment(self.secret, self.record["commitment"]):
            raise BadRecord("the secret is not the one that was committed to")

    def _check_sets(self, table: Json) -> None:
        """The sets of a table are as many as its rule asks for, and on the right seeds."""
        label, sets = table["label"], table["sets"]
        for number, one in enumerate(sets, 1):
            if one["number"] != number:
                raise BadRecord(f"{label}: set {number} is missing")
            if self.secret and one["seed"] != seeds.match_seed(self.secret, label, number):
                raise BadRecord(
                    f"{label}: the seed of set {number} does not follow from the secret"
                )
            if any(len(row) != len(table["entrants"]) for row in one["places"]):
                raise BadRecord(f"{label}: set {number} has another number of places than entrants")
        if table["outcome"] != Outcome.PLAYED:
            if sets:
                raise BadRecord(f"{label}: it was not played, but has sets")
            return
        planned, scores = self.record["sets"], [set_score(one) for one in sets]
        if not self.format.is_knockout:
            if len(scores) != planned:
                raise BadRecord(f"{label}: {len(scores)} sets were played, not {planned}")
            return
        for n in range(len(scores) + 1):
            needs_set = knockout_winner(table["entrants"], scores[:n], planned).needs_set
            if needs_set != (n < len(scores)):
                what = "one more set was due" if needs_set else "more sets were played than due"
                raise BadRecord(f"{label}: {what}")

    def _follow(self, event: Event, step: int) -> Event:
        left = {one["seed"] for one in self.record["entrants"] if one["left_at_step"] == step}
        decided = [
            self._score(one)
            for one in self.tables
            if one["finished_at_step"] == step and one["outcome"] in (Outcome.PLAYED, Outcome.BYE)
        ]
        event = replace(
            event,
            withdrawn=event.withdrawn | left,
            finished=(*event.finished, *decided),
            seated=tuple(self.seated.values()),
        )
        due = {(one.round, one.number): one for one in self.format.tables_due(event)}
        for place in list(self.open):
            self._check_open(place, due.pop(place, None), step)
        for table in (one for one in self.tables if one["drawn_at_step"] == step):
            place = (table["round"], table["number"])
            expected = due.pop(place, None)
            drawn = Table(*place, table["label"], tuple(table["drawn"]))
            if drawn != expected:
                raise BadRecord(
                    f"{table['label']}: {_seats(drawn)} met, {_seats(expected)} was due"
                )
            self.open[place], self.seated[place] = table, drawn
        if due:
            missing = next(iter(due.values()))
            raise BadRecord(f"{missing.label} was due at step {step} and not drawn")
        return event

    def _score(self, table: Json) -> Score:
        """A table decided now, taken off the open ones."""
        place = (table["round"], table["number"])
        seated = self.seated.pop(place, None)
        self.open.pop(place, None)
        if seated is None or seated.entrants != tuple(table["entrants"]):
            raise BadRecord(f"{table['label']}: those who played it are not those drawn")
        if seated.is_bye != (table["outcome"] == Outcome.BYE):
            raise BadRecord(f"{table['label']}: a bye is for one alone")
        return Score(seated, tuple(set_score(one) for one in table["sets"]))

    def _check_open(self, place: tuple[int, int], due: Table | None, step: int) -> None:
        """An open table stays, shrinks by those who withdrew, or is called off."""
        table = self.open[place]
        is_called_off = table["finished_at_step"] == step and table["outcome"] == Outcome.CALLED_OFF
        if is_called_off != (due is None):
            what = "called off" if is_called_off else "kept open"
            raise BadRecord(f"{table['label']} was {what} at step {step} without reason")
        if due is None:
            del self.open[place], self.seated[place]
        else:
            self.seated[place] = due

    def _check_standings(self, event: Event) -> None:
        late = {one["seed"] for one in self.record["entrants"] if one["left_at_step"] is not None}
        event = replace(event, withdrawn=frozenset(late))
        rows = [row_as_json(row) for row in self.format.standings(event)]
        for ours, theirs in zip(rows, self.record["standings"], strict=True):
            # Words may differ: a later release may put the same fact otherwise.
            if ours != {**theirs, "explanation": ours["explanation"]}:
                raise BadRecord(
                    f"place {theirs['place']} of seed {theirs['seed']} does not follow from the"
                    f" results: seed {ours['seed']} has place {ours['place']} by {ours['points']}"
                    " points"
                )
        champion = self.format.champion(event) if self.record["status"] == "finished" else None
        if champion != self.record["champion"]:
            raise BadRecord(f"the champion is seed {champion}, not {self.record['champion']}")
        if self.record["status"] == "finished" and not self.format.is_over(event):
            raise BadRecord("it is said to be finished, but tables are still due")


def _seats(table: Table | None) -> str:
    return "nobody" if table is None else " and ".join(map(str, table.entrants))
