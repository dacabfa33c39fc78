from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from engine.chance import MAX_SEED
from engine.games import MAX_SEATS
from ladder.api.v1.shapes.asked import Asked
from ladder.api.v1.shapes.games import GameField
from ladder.models import Entry as EntryRow
from ladder.models import Match as MatchRow
from ladder.models import Play as PlayRow

ENTRY = {
    "slot": 0,
    "bot": 12,
    "name": "Wok",
    "version": 3,
    "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "rank": 1,
    "place": 1.25,
    "points": 14.0,
    "score": 0.75,
    "rating": 1702.6,
    "faults": 0,
    "decisions": 88,
    "cpu_us": 41200,
    "memory_kb": 21400,
}


class Entry(serializers.ModelSerializer):
    bot = serializers.IntegerField(source="bot_id")
    name = serializers.CharField(source="bot.name")
    version = serializers.IntegerField(source="version.number")
    sha256 = serializers.CharField(source="version.sha256")
    rank = serializers.SerializerMethodField(
        help_text="In this match; those level share one. Solo it goes by points."
    )
    place = serializers.FloatField(
        allow_null=True, help_text="The mean over its plays; solo everyone is first."
    )
    rating = serializers.SerializerMethodField(
        help_text="When it was seated; null if it was not ranked, or the match is not rated."
    )

    class Meta:
        model = EntryRow
        fields = list(ENTRY)

    def get_rank(self, entry: EntryRow) -> int | None:
        entries = list(entry.match.entries.all())
        ranks = entry.match.board.ranks([(one.place, one.points) for one in entries])
        return ranks[entries.index(entry)]

    def get_rating(self, entry: EntryRow) -> float | None:
        return None if entry.rating_milli is None else entry.rating_milli / 1000


MATCH = {
    "id": 4711,
    "kind": "ladder",
    "game": "hot_ramen",
    "seats": 4,
    "status": "finished",
    "why": "Close in rating, not met for a while.",
    "created_at": "2026-03-01T11:58:00Z",
    "started_at": "2026-03-01T11:58:02Z",
    "finished_at": "2026-03-01T11:58:09Z",
    "entries": [ENTRY],
    "page": "/matches/4711/",
}


@extend_schema_serializer(examples=[OpenApiExample("a match", MATCH)])
class Match(serializers.ModelSerializer):
    kind = serializers.ChoiceField(choices=MatchRow.Kind.values)
    status = serializers.ChoiceField(choices=MatchRow.Status.values)
    game = serializers.CharField()
    entries = Entry(many=True)
    page = serializers.SerializerMethodField()

    class Meta:
        model = MatchRow
        fields = list(MATCH)

    def get_page(self, match: MatchRow) -> str:
        return reverse("match", args=[match.pk])


class Fault(serializers.Serializer):
    seat = serializers.IntegerField()
    kind = serializers.CharField()
    sentence = serializers.CharField()


PLAY = {
    "index": 0,
    "seating": [0, 1, 2, 3],
    "places": [1, 3, 2, 4],
    "points": [14, 9, 11, 2],
    "reason": "last bowl served",
    "faults": [{"seat": 3, "kind": "timeout", "sentence": "It used up its thinking time."}],
    "decisions": 352,
    "digest": "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    "is_reproduced": None,
    "replay": "/api/v1/matches/4711/plays/0/replay/",
}


@extend_schema_serializer(examples=[OpenApiExample("a play", PLAY)])
class Play(serializers.ModelSerializer):
    seating = serializers.ListField(
        child=serializers.IntegerField(), help_text="The entry's slot at each seat."
    )
    places = serializers.ListField(child=serializers.IntegerField())
    points = serializers.ListField(child=serializers.IntegerField())
    faults = serializers.SerializerMethodField()
    is_reproduced = serializers.BooleanField(
        allow_null=True,
        help_text="Whether its WebAssembly bots chose the same when a worker ran them again;"
        " null where none did.",
    )
    replay = serializers.SerializerMethodField()

    class Meta:
        model = PlayRow
        fields = list(PLAY)

    @extend_schema_field(Fault(many=True))
    def get_faults(self, play: PlayRow) -> list[dict[str, Any]]:
        return play.public_faults()

    def get_replay(self, play: PlayRow) -> str:
        return reverse("api-replay-file", args=[play.match_id, play.index])


class Attempt(serializers.Serializer):
    """Only that it failed: on which machine and over which file is for operators, in the admin."""

    attempt = serializers.IntegerField()
    at = serializers.DateTimeField()


RECEIPT = MATCH | {
    "seed": 9007199254740,
    "options": {},
    "attempt": 1,
    "attempts": [],
    "void_reason": "",
    "tick": 212,
    "trial": None,
    "tournament": None,
    "created_by": None,
    "plays": [PLAY],
}


@extend_schema_serializer(examples=[OpenApiExample("a receipt", RECEIPT)])
class Receipt(Match):
    """Everything there is to know about how a match came to be and went."""

    seed = serializers.IntegerField(
        source="public_seed", allow_null=True, help_text="Null until the match is finished."
    )
    options = serializers.DictField()
    attempts = Attempt(many=True, help_text="Failed ones; the failures were ours.")
    tick = serializers.IntegerField(source="tick.number", allow_null=True, default=None)
    trial = serializers.IntegerField(source="trial_id", allow_null=True)
    tournament = serializers.IntegerField(
        source="pairing.tournament_id", allow_null=True, default=None
    )
    created_by = serializers.CharField(source="created_by.username", allow_null=True, default=None)
    plays = Play(many=True)

    class Meta:
        model = MatchRow
        fields = list(RECEIPT)


LOG = {
    "slot": 0,
    "bot": 12,
    "version": 3,
    "log": "two dice ahead\n",
    "faults": [
        {"play": 0, "seat": 3, "kind": "crash", "sentence": "It crashed.", "detail": "KeyError"}
    ],
}


class OwnFault(serializers.Serializer):
    play = serializers.IntegerField()
    seat = serializers.IntegerField()
    kind = serializers.CharField()
    sentence = serializers.CharField()
    detail = serializers.CharField(allow_blank=True)


@extend_schema_serializer(examples=[OpenApiExample("a log", LOG)])
class Log(serializers.Serializer):
    """What one's own bot printed in a match, and the evidence of its faults."""

    slot = serializers.IntegerField()
    bot = serializers.IntegerField()
    version = serializers.IntegerField()
    log = serializers.CharField(allow_blank=True)
    faults = OwnFault(many=True)


VERDICT = {
    "ok": True,
    "problem": None,
    "game": "hot_ramen",
    "steps": 367,
    "is_seed_proven": True,
    "digest": PLAY["digest"],
}


@extend_schema_serializer(examples=[OpenApiExample("a verdict", VERDICT)])
class Verdict(serializers.Serializer):
    """What refereeing a replay again found."""

    ok = serializers.BooleanField()
    problem = serializers.CharField(allow_null=True, help_text="The first wrong step, in words.")
    game = serializers.CharField(allow_null=True)
    steps = serializers.IntegerField(allow_null=True)
    is_seed_proven = serializers.BooleanField(help_text="The luck is what the seed gives.")
    digest = serializers.CharField(allow_null=True)


REPLAY = {
    "format": "ladle-replay/1",
    "game": "hot_ramen",
    "seats": 2,
    "rules_version": 1,
    "options": {},
    "seed": 7,
    "match": "4711",
    "round": 0,
    "players": [{"seat": 0, "bot": "Wok", "version": 3, "sha256": ENTRY["sha256"]}],
    "log": [{"seat": 0, "kind": "cook", "action": "…"}],
    "result": {"places": [1, 2], "points": [14, 9], "reason": "last bowl served"},
    "cpu_us": [120],
    "digest": PLAY["digest"],
}


# What is in a replay is for the referee to judge, so any object is let in.
REPLAY_SCHEMA = {"type": "object", "additionalProperties": True}


@extend_schema_serializer(
    examples=[
        OpenApiExample(
            "a challenge",
            {"game": "hot_ramen", "seats": 2, "bot": 12, "opponents": [9]},
            request_only=True,
        )
    ]
)
class NewChallenge(Asked):
    game = GameField()
    seats = serializers.IntegerField(min_value=1, max_value=MAX_SEATS)
    bot = serializers.IntegerField(min_value=1, max_value=2**53, help_text="One of your own.")
    opponents = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=2**53),
        default=list,
        max_length=MAX_SEATS,
        help_text="One bot per other side of the board; none for solo.",
    )
    seed = serializers.IntegerField(
        min_value=0, max_value=MAX_SEED, required=False, allow_null=True, default=None
    )
