"""What happened: the events that notices, mail, feeds, the stream and webhooks are made of."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal

from ladder.contract import Value, about


class Kind(StrEnum):
    """What can happen. The words never change; new ones may be added."""

    VERSION_ACCEPTED = "version.accepted"
    VERSION_REJECTED = "version.rejected"
    VERSION_BENCHED = "version.benched"
    MATCH_FINISHED = "match.finished"
    MATCH_FAULTED = "match.faulted"
    TRIAL_DECIDED = "trial.decided"
    BOT_RANKED = "bot.ranked"
    BOT_OVERTAKEN = "bot.overtaken"
    BOT_PROMOTED = "bot.promoted"
    TOURNAMENT_INVITED = "tournament.invited"
    TOURNAMENT_CHECK_IN = "tournament.check_in"
    TOURNAMENT_ROUND = "tournament.round"
    TOURNAMENT_CHAMPION = "tournament.champion"
    OPERATOR_ACTED = "operator.acted"
    WEBHOOK_DISABLED = "webhook.disabled"


# What a user can choose notices of, in words.
LABELS = {
    Kind.VERSION_ACCEPTED: "A version passed the check",
    Kind.VERSION_REJECTED: "A version failed the check",
    Kind.VERSION_BENCHED: "A version was benched",
    Kind.MATCH_FINISHED: "A challenge is finished",
    Kind.MATCH_FAULTED: "A bot failed in a match",
    Kind.TRIAL_DECIDED: "A trial is decided",
    Kind.BOT_RANKED: "A bot is ranked",
    Kind.BOT_OVERTAKEN: "A bot was overtaken",
    Kind.BOT_PROMOTED: "A bot moves up a division",
    Kind.TOURNAMENT_INVITED: "An invitation to a tournament",
    Kind.TOURNAMENT_CHECK_IN: "Check-in is open",
    Kind.TOURNAMENT_ROUND: "A round is drawn",
    Kind.TOURNAMENT_CHAMPION: "A tournament is over",
    Kind.OPERATOR_ACTED: "What operators did",
    Kind.WEBHOOK_DISABLED: "A webhook was disabled",
}
OF_BOTS = (
    *(Kind.VERSION_ACCEPTED, Kind.VERSION_REJECTED, Kind.VERSION_BENCHED, Kind.MATCH_FAULTED),
    *(Kind.TRIAL_DECIDED, Kind.BOT_RANKED, Kind.BOT_OVERTAKEN, Kind.BOT_PROMOTED),
    Kind.TOURNAMENT_INVITED,
)


class Audience(StrEnum):
    """Who may know of an event."""

    PUBLIC = "public"
    TOURNAMENT = "tournament"  # those who may see its private tournament
    OWNER = "owner"  # the author it is about
    OPERATORS = "operators"


class EventBot(Value, frozen=True, kw_only=True):
    """A bot that an event is about, as it was called then."""

    id: int
    name: str
    version: int | None = None
    place: Annotated[int | None, about("In a match or a tournament, from 1.")] = None
    points: float | None = None


class Facts(Value, frozen=True, kw_only=True):
    """What differs from kind to kind; each kind sets the fields its sentence needs."""

    bots: Annotated[list[EventBot], about("The bot it is about first; of a match, by slot.")] = []
    match_kind: Annotated[str | None, about("`ladder`, `challenge`, ...")] = None
    trial: int | None = None
    tournament_name: str | None = None
    round: int | None = None
    rank: Annotated[int | None, about("After the event.")] = None
    elo: float | None = None
    reason: Annotated[str | None, about("A fault, a verdict or why, in words.")] = None


class Happening(Facts, frozen=True, kw_only=True):
    """An event as it is stored, before anybody has put it into words."""

    id: int
    kind: Kind
    at: datetime
    game: str | None
    seats: int | None
    match: int | None
    tournament: int | None
    bot: int | None


class Event(Facts, frozen=True, kw_only=True):
    """Something that happened, with a stable id; later events have greater ids."""

    id: int
    kind: Kind
    at: datetime
    text: Annotated[str, about("What happened, in a sentence.")]
    page: Annotated[str, about("The address on the site that shows it.")]
    game: str | None
    seats: int | None
    match: int | None
    tournament: int | None

    @property
    def subject(self) -> str:
        """What it is about; events of one subject are delivered in their order."""
        if self.kind.startswith("tournament."):
            return f"tournament {self.tournament}"
        if self.kind == Kind.MATCH_FINISHED:
            return f"match {self.match}"
        return f"bot {self.bots[0].id}" if self.bots else self.kind


class Mark(Value, frozen=True, kw_only=True):
    """A line of the stream that is no event: where it begins, or that events were missed."""

    kind: Literal["hello", "reset"]
    id: Annotated[int, about("Of the newest event now.")]


def sentence(kind: Kind, facts: Facts) -> str:
    """What happened, for people: in notices, mail, feeds, and as `text` of an event."""
    first = facts.bots[0] if facts.bots else None
    name = first.name if first else "A bot"
    version = f"version {first.version}" if first and first.version else "a version"
    event = facts.tournament_name or "a tournament"
    why = f": {facts.reason}" if facts.reason else "."
    match kind:
        case Kind.VERSION_ACCEPTED:
            return f"{name}: {version} passed the check."
        case Kind.VERSION_REJECTED:
            return f"{name}: {version} failed the check{why}"
        case Kind.VERSION_BENCHED:
            return f"{name}: {version} was benched{why}"
        case Kind.MATCH_FINISHED:
            return f"{_places(facts.bots)} ({facts.match_kind} match)."
        case Kind.MATCH_FAULTED:
            return f"{name} failed in a {facts.match_kind} match{why}"
        case Kind.TRIAL_DECIDED:
            return f"{name}: the trial of {version} is decided{why}"
        case Kind.BOT_RANKED:
            return f"{name} is now ranked: place {facts.rank}, Elo {facts.elo or 0:.0f}."
        case Kind.BOT_OVERTAKEN:
            by = facts.bots[1].name if len(facts.bots) > 1 else "another bot"
            return f"{by} overtook {name}, which is now at place {facts.rank}."
        case Kind.BOT_PROMOTED:
            boss = facts.bots[1].name if len(facts.bots) > 1 else "a house bot"
            return f"{name} beat {boss} and moves up a division{why}"
        case Kind.TOURNAMENT_INVITED:
            return f"{name} is invited to {event}."
        case Kind.TOURNAMENT_CHECK_IN:
            return f"Check-in for {event} is open."
        case Kind.TOURNAMENT_ROUND:
            return f"{event}: round {facts.round} is drawn."
        case Kind.TOURNAMENT_CHAMPION:
            return f"{name} wins {event}." if first else f"{event} is over."
        case Kind.OPERATOR_ACTED:
            return f"Operator{why}"
        case Kind.WEBHOOK_DISABLED:
            return f"A webhook was disabled{why}"


def _places(bots: list[EventBot]) -> str:
    """ "Wok beats Greedy", "Wok and Greedy draw", or a solo bot's points."""
    if len(bots) == 1:
        points = f" scored {bots[0].points:.3g}" if bots[0].points is not None else " played"
        return f"{bots[0].name}{points}"
    winners = [bot.name for bot in bots if bot.place == 1]
    others = [bot.name for bot in bots if bot.place != 1]
    if not others or not winners:
        return f"{' and '.join(bot.name for bot in bots)} draw"
    return f"{' and '.join(winners)} beat{'s' * (len(winners) == 1)} {', '.join(others)}"
