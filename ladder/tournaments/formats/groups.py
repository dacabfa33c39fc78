"""Groups and a final table: the best of each group go on until one table is left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from string import ascii_uppercase

from ladder.tournaments.format import (
    MOST_AT_TABLE,
    Event,
    Format,
    FormatPreview,
    Option,
    Row,
    Score,
    Sheet,
    Table,
)
from ladder.tournaments.formats.pods import group_sizes, snake
from ladder.tournaments.formats.round_robin import criteria, schedule, struck
from ladder.tournaments.standings import STAGE_ONLY, Column, EntrantResults, rank


@dataclass(frozen=True, slots=True)
class Group:
    """One group of a stage: how it stands, and who of it goes on."""

    stage: int  # from 1
    name: str  # "Group A", "Final"
    is_final: bool
    rows: list[Row]
    tables: list[Table]  # all of them if nobody withdraws
    gone_on: frozenset[int]  # empty until the stage is over, and in the final


@dataclass(frozen=True, slots=True)
class GroupStages(Sheet):
    """Every group drawn so far, stage by stage."""

    groups: tuple[Group, ...]


class Groups(Format):
    """Stages of groups; in a group all meet, two by two or at one table."""

    name = "groups"
    title = "Groups and final table"
    description = (
        "Players are dealt into groups. In a group all meet, either two by two or together at "
        "one table; the best of each group go on to new groups, until those left form the final. "
        "A player withdrawn before half of its duels in a group is struck from it; later, the "
        "others get walkovers."
    )
    options = (
        Option("size", 4, 3, MOST_AT_TABLE, "players in a group, give or take one"),
        Option(
            "largest",
            0,
            0,
            MOST_AT_TABLE,
            "most players in a group",
            zero_means="one above the size",
            is_shown=False,
        ),
        Option("advance", 2, 1, 4, "how many of each group advance"),
        Option("rounds", 1, 1, 10, "how often all members of a group meet"),
        Option(
            "duels",
            1,
            0,
            1,
            "whether members meet two by two rather than at one table",
            is_shown=False,
        ),
    )
    seat_counts = range(2, MOST_AT_TABLE + 1)

    def given(self, *, sides: int, sizes: range, sets: int) -> dict[str, int]:
        if sides > 2:
            return {"largest": sizes[-1], "size": sides, "duels": 0}
        return {"largest": 0, "duels": 1} if sides == 2 else {"largest": 0}

    def fits(self, sides: int, sizes: range) -> bool:
        """A group may have two members left, and has to be seated then."""
        return super().fits(sides, sizes) and (sides == 1 or sizes[0] == 2)

    def tables_due(self, event: Event) -> list[Table]:
        for stage in self._stages(event):
            if due := event.first_due(stage.rounds, self._annulled(stage, event)):
                return due
        return []

    def sheet(self, event: Event) -> GroupStages:
        return GroupStages(tuple(self.groups(event)))

    def standings(self, event: Event) -> list[Row]:
        """Those of a later stage stand before those of an earlier one."""
        results = EntrantResults(event.seeds, event.finished)
        reached: dict[int, Fraction] = {}
        columns: dict[str, dict[int, Fraction | int | float]] = {}
        for number, stage in enumerate(self._stages(event), 1):
            local = EntrantResults(stage.members, self._counted(stage, event))
            for column in self._criteria(local, event.options):
                columns.setdefault(column.name, {}).update(column.values)
            reached.update(dict.fromkeys(stage.members, Fraction(number)))
        named = [Column(f"{name}{STAGE_ONLY}", values) for name, values in columns.items()]
        return rank([Column("stage", reached), *named], results.points, event.withdrawn)

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        rounds = matches = 0
        notes = []
        left = entrants
        while True:
            sizes = self._sizes(left, options)
            stage = _Stage.draw(
                snake(range(1, left + 1), sizes),
                rounds,
                cycles=self.option(options, "rounds"),
                duels=bool(self.option(options, "duels")),
            )
            rounds += len(stage.rounds)
            matches += sum(map(len, stage.rounds))
            if len(sizes) == 1:
                notes.append(f"a final of {left}")
                return FormatPreview(rounds, matches, ", then ".join(notes))
            notes.append(f"groups of {', '.join(map(str, sizes))}")
            left = sum(self._go_on(size, options) for size in sizes)

    def groups(self, event: Event) -> list[Group]:
        """Every group drawn so far, stage by stage."""
        stages = self._stages(event)
        goers = [frozenset(stage.members) for stage in stages[1:]]
        return [
            Group(
                stage=number,
                name=stage.name(i),
                is_final=stage.is_final,
                rows=self._local_rows(stage, members, event),
                tables=[
                    table
                    for tables in stage.rounds
                    for table in tables
                    if table.entrants[0] in members
                ],
                gone_on=after.intersection(members),
            )
            for number, (stage, after) in enumerate(
                zip(stages, [*goers, frozenset[int]()], strict=True), 1
            )
            for i, members in enumerate(stage.groups)
        ]

    def _sizes(self, entrants: int, options: Mapping[str, int] | None) -> list[int]:
        size = self.option(options, "size")
        largest = self.option(options, "largest") or size + 1
        return group_sizes(entrants, size, largest)

    def _go_on(self, size: int, options: Mapping[str, int] | None) -> int:
        """How many of a group advance; at least one stays behind, so that stages end."""
        return min(self.option(options, "advance"), max(1, size - 1))

    def _criteria(self, results: EntrantResults, options: Mapping[str, int] | None) -> list[Column]:
        if self.option(options, "duels"):
            return criteria(results)
        return [Column("points", results.points), Column("tables won", results.wins)]

    def _stages(self, event: Event) -> list["_Stage"]:
        """The stages known so far: the last one is under way, or the final."""
        stages: list[_Stage] = []
        order: Sequence[int] = event.seeds
        while True:
            rounds_before = sum(len(stage.rounds) for stage in stages)
            stage = _Stage.draw(
                snake(order, self._sizes(len(order), event.options)),
                rounds_before,
                cycles=self.option(event.options, "rounds"),
                duels=bool(self.option(event.options, "duels")),
            )
            stages.append(stage)
            annulled = self._annulled(stage, event)
            if len(stage.groups) == 1 or not stage.is_finished(event, annulled):
                return stages
            order = self._qualified(stage, event)

    def _qualified(self, stage: "_Stage", event: Event) -> list[int]:
        """Those who go on: all group winners by seed, then all seconds, and so on.

        Somebody who qualified and then withdrew keeps the place, to be walked over: the next
        stage may be under way, and its groups must stay as they are.
        """
        ranked = []
        for group in stage.groups:
            rows = self._local_rows(stage, group, event)
            ranked.append([row.entrant for row in rows[: self._go_on(len(group), event.options)]])
        places = range(max(map(len, ranked)))
        return [
            seed
            for place in places
            for seed in sorted(group[place] for group in ranked if place < len(group))
        ]

    def _local_rows(self, stage: "_Stage", group: list[int], event: Event) -> list[Row]:
        """The order within a group by what was played in it."""
        scores = self._counted(stage, event)
        local = EntrantResults(group, [one for one in scores if one.table.entrants[0] in group])
        return rank(
            self._criteria(local, event.options), local.points, self._annulled(stage, event)
        )

    def _counted(self, stage: "_Stage", event: Event) -> list[Score]:
        """The results of a stage without those of the annulled."""
        annulled = self._annulled(stage, event)
        return [
            one
            for one in event.finished
            if stage.holds(one.table) and not annulled.intersection(one.table.entrants)
        ]

    def _annulled(self, stage: "_Stage", event: Event) -> frozenset[int]:
        """Who withdrew before half of its duels in a group, unless it was seated after that."""
        if not self.option(event.options, "duels"):
            return frozenset()
        last = stage.rounds[-1][0].round
        tables = [*event.seated, *(score.table for score in event.finished)]
        later = {seed for table in tables if table.round > last for seed in table.entrants}
        own = [score for score in event.finished if stage.holds(score.table)]
        cycles = self.option(event.options, "rounds")
        return frozenset[int]().union(
            *(
                struck(event.withdrawn.intersection(group) - later, own, cycles * (len(group) - 1))
                for group in stage.groups
            )
        )


@dataclass(frozen=True, slots=True)
class _Stage:
    """The groups of one stage and all their tables, round by round."""

    groups: list[list[int]]
    rounds: list[list[Table]]

    @classmethod
    def draw(
        cls, groups: list[list[int]], rounds_before: int, *, cycles: int, duels: bool
    ) -> "_Stage":
        stage = cls(groups, [])
        plans = [
            schedule(group, cycles) if duels else [[tuple(group)]] * cycles for group in groups
        ]
        for r in range(max(map(len, plans))):
            tables: list[Table] = []
            for i, plan in enumerate(plans):
                for entrants in plan[r] if r < len(plan) else []:
                    number = rounds_before + r + 1
                    label = f"{stage.name(i)} {number}-{len(tables) + 1}"
                    tables.append(Table(number, len(tables) + 1, label, tuple(entrants)))
            stage.rounds.append(tables)
        return stage

    @property
    def is_final(self) -> bool:
        return len(self.groups) == 1

    def name(self, i: int) -> str:
        return "Final" if self.is_final else f"Group {_letters(i)}"

    @property
    def members(self) -> list[int]:
        return [seed for group in self.groups for seed in group]

    def holds(self, table: Table) -> bool:
        """Whether a table belongs to this stage."""
        return self.rounds[0][0].round <= table.round <= self.rounds[-1][0].round

    def is_finished(self, event: Event, annulled: frozenset[int]) -> bool:
        finished = event.score_at()
        return all(
            (table.round, table.number) in finished
            or event.withdrawn.issuperset(table.entrants)
            or annulled.intersection(table.entrants)
            for tables in self.rounds
            for table in tables
        )


def _letters(i: int) -> str:
    """A, B, ... Z, AA, AB, ..."""
    letters = ascii_uppercase[i % 26]
    return letters if i < 26 else _letters(i // 26 - 1) + letters
