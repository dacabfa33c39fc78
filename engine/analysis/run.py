"""One play from its first step to its last: curve, decisions, and luck apart from both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from engine.analysis.analyst import Analyst, Settings, Trust, analyst_for, copied
from engine.analysis.judging import Judged, judge, points, unjudged
from engine.analysis.sampling import mean_and_error
from engine.analysis.shares import EVEN, Points, Shares, minus, rounded, shares_of
from engine.analysis.tape import NoLuck
from engine.analysis.values import (
    Analysis,
    Decision,
    Label,
    Moment,
    SeatReport,
    Term,
    balance_in_words,
)
from engine.errors import BadReplay, BadSetup
from engine.game import Action, Game, State
from engine.games import get
from engine.replay import Replay, Steps


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an analysis has come."""

    done: int
    total: int  # decisions


def budget(analyst: Analyst, name: str) -> Settings:
    """The settings of a named budget; BadSetup names the known ones."""
    try:
        return analyst.budgets[name]
    except KeyError:
        known = ", ".join(analyst.budgets)
        raise BadSetup(f"there is no budget '{name}'; the budgets are {known}") from None


def analyse(replay: Replay, settings: Settings | None = None) -> Analysis:
    """The whole analysis at once."""
    run = Run(replay, settings)
    for _ in run.steps():
        pass
    return run.analysis()


class Run:
    """An analysis under way: `steps` goes on by a decision at a time, `analysis` sums up."""

    def __init__(
        self, replay: Replay, settings: Settings | None = None, *, judging: bool = True
    ) -> None:
        """Without `judging`, only the curve and what follows from it: no regrets, no marks."""
        self.game: Game = get(replay.game).at_version(replay.rules_version)
        if replay.result is None:
            raise BadReplay("the play is not over; only a finished play can be analysed")
        if len(set(self.game.sides(replay.seats))) < 2:
            raise BadSetup("a solo play has no opponents, and an analysis counts opponents beaten")
        self.analyst = analyst_for(get(replay.game))
        self.settings = settings or budget(self.analyst, "standard")
        self._replay = replay
        self._judges = judging and self.analyst.trust is Trust.VALIDATED
        self._seed = f"{self.analyst.version}/{replay.digest()}"
        self._whole = replay.seats * EVEN
        self._now: list[Shares] = []  # what came of the table before the decision under way
        self._curve: list[Moment] = []
        self._terms: list[Term] = []
        self._decisions: list[Decision] = []
        self.total = sum("action" in entry for entry in replay.log)

    def steps(self) -> Iterator[Progress]:
        """Analyse a decision at a time."""
        steps = Steps(self.game, self._replay)
        now = self._value(steps.state, steps.step + 1)
        self._add(Term(steps.step + 1, "deal", None, minus(now, (EVEN,) * self._replay.seats)))
        while not steps.is_over:
            before = copied(steps.state, NoLuck())
            entry = next(steps)
            step = steps.step + 1
            seat = entry["seat"]
            if "fault" in entry:
                # The play is decided by the fault; what comes after it shows nobody's skill.
                result = self._result()
                self._add(Term(step, "fault", seat, minus(result, now)))
                self._curve.append(Moment(step, result, (0,) * self._replay.seats))
                break
            action = before.parse(entry["action"])
            now = self._decision(before, action, now, steps.state, step)
            yield Progress(len(self._decisions), self.total)
        for _ in steps:  # whatever is left must be by the rules too
            pass

    def _decision(
        self, before: State, action: Action, now: Points, after: State, step: int
    ) -> Points:
        """Book a decision and the luck that followed; what the seats may expect then."""
        judged = self._judged(before, action, step)
        self._decisions.append(judged.decision)
        seat = before.to_act
        assert seat is not None
        tried, error = now, 0
        if self.analyst.act(before) != action:
            tries = self._tries(before, action)
            tried, error = self._mean(tries)[0], self._error_beside(tries, seat)
        total = minus(tried, now)
        worth = total
        if self._judges and self.game.has_secrets:
            worth, error = judged.worth, judged.error
        self._add(Term(step, "decision", seat, worth, error))
        self._add(Term(step, "hidden", seat, minus(total, worth)))
        then = self._value(after, step)
        self._add(Term(step, "luck", None, minus(then, tried)))
        return then

    def _judged(self, before: State, action: Action, step: int) -> Judged:
        if self._judges:
            seed = f"{self._seed}/{step}"
            return judge(self.analyst, before, action, settings=self.settings, step=step, seed=seed)
        return Judged(unjudged(before, action, step), (0,) * before.seats, 0)

    def _add(self, term: Term) -> None:
        if any(term.change):
            self._terms.append(term)

    def _result(self) -> Points:
        result = self._replay.result
        assert result is not None
        return rounded(shares_of(result.places, self.game.sides(self._replay.seats)), self._whole)

    def _value(self, state: State, step: int) -> Points:
        """A point of the curve: the table as it is, with the luck to come unknown."""
        if state.to_act is None:
            mean, errors = self._result(), (0,) * state.seats
        else:
            self._now = self._tries(state, None)
            mean, errors = self._mean(self._now)
        self._curve.append(Moment(step, mean, errors))
        return mean

    def _tries(self, state: State, action: Action | None) -> list[Shares]:
        """What comes of a table in as many lucks as the settings say."""
        until = self.analyst.horizon(state)
        found = []
        for number in range(self.settings.worlds):
            twin = self.analyst.with_other_luck(state, number, self._seed)
            if action is not None:
                twin.apply(action)
            found.append(self.analyst.play_out(twin, until))
        return found

    def _error_beside(self, tries: list[Shares], seat: int) -> int:
        """Standard error of what an action changed, in the same lucks as the table before it."""
        gaps = [then[seat] - now[seat] for then, now in zip(tries, self._now, strict=True)]
        return points(mean_and_error(gaps)[1])

    def _mean(self, outcomes: list[Shares]) -> tuple[Points, Points]:
        found = [mean_and_error(of_seat) for of_seat in zip(*outcomes, strict=True)]
        means = [mean for mean, _ in found]
        return rounded(means, self._whole), tuple(points(error) for _, error in found)

    def analysis(self) -> Analysis:
        """What has been found. Complete once `steps` has ended."""
        replay = self._replay
        return Analysis(
            replay=replay.digest(),
            game=replay.game,
            rules_version=replay.rules_version,
            seats=replay.seats,
            analyst=self.analyst.name,
            analyst_version=self.analyst.version,
            analyst_sha256=self.analyst.fingerprint(),
            trust=self.analyst.trust,
            settings=self.settings,
            curve=tuple(self._curve),
            terms=tuple(self._terms),
            reports=tuple(self._report(seat) for seat in range(replay.seats)),
            decisions=tuple(self._decisions),
        )

    def _report(self, seat: int) -> SeatReport:
        luck = own = others = squares = 0
        for term in self._terms:
            squares += term.error**2
            if term.cause in ("decision", "fault"):
                if term.seat == seat:
                    own += term.change[seat]
                else:
                    others += term.change[seat]
            else:
                luck += term.change[seat]
        judged = [
            one
            for one in self._decisions
            if one.seat == seat and one.label not in (Label.FORCED, Label.UNJUDGED)
        ]
        lost = error = None
        if judged:
            count = len(judged)
            lost = round(100 * sum(one.lost for one in judged) / count)
            error = round(100 * sqrt(sum(one.lost_error**2 for one in judged)) / count)
        result, balance_error = self._result()[seat], round(sqrt(squares))
        return SeatReport(
            seat=seat,
            start=EVEN,
            luck=luck,
            own=own,
            others=others,
            error=balance_error,
            result=result,
            unforced=len(judged),
            lost_per_100=lost,
            lost_error=error,
            sentence=balance_in_words(result, own, others, balance_error, self._replay.seats),
        )
