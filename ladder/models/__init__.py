"""Everything that is stored. Each QuerySet stands beside its model."""

from ladder.models.account import AuditEntry, IdempotencyKey, Token, User
from ladder.models.analysis import PlayAnalysis
from ladder.models.bot import Bot, Version
from ladder.models.broadcast import Broadcast
from ladder.models.dataset import Dataset
from ladder.models.draft import Draft, SharedDraft
from ladder.models.event import Event, EventReader
from ladder.models.exhibition import Exhibition
from ladder.models.fairness import Finding, SeenAddress
from ladder.models.kept import KeptPlay
from ladder.models.match import Entry, Match, Play
from ladder.models.media import StoredFile
from ladder.models.notice import Follow, Mail, MailPlan, Notice, NoticePreference
from ladder.models.operation import Lock, Progress, Release, Worker
from ladder.models.rating import BoardFit, Rating, RatingChange, ResultSegment, Tick
from ladder.models.remote import (
    Line,
    OpenRating,
    Presence,
    RemoteBot,
    Sitting,
    StreamProcess,
)
from ladder.models.tournament import Enrolment, Pairing, Tournament
from ladder.models.trial import Trial
from ladder.models.webhook import Delivery, Webhook

__all__ = [
    "AuditEntry",
    "BoardFit",
    "Bot",
    "Broadcast",
    "Dataset",
    "Delivery",
    "Draft",
    "Enrolment",
    "Entry",
    "Event",
    "EventReader",
    "Exhibition",
    "Finding",
    "Follow",
    "IdempotencyKey",
    "KeptPlay",
    "Line",
    "Lock",
    "Mail",
    "MailPlan",
    "Match",
    "Notice",
    "NoticePreference",
    "OpenRating",
    "Pairing",
    "Play",
    "PlayAnalysis",
    "Presence",
    "Progress",
    "Rating",
    "RatingChange",
    "Release",
    "RemoteBot",
    "ResultSegment",
    "SeenAddress",
    "SharedDraft",
    "Sitting",
    "StoredFile",
    "StreamProcess",
    "Tick",
    "Token",
    "Tournament",
    "Trial",
    "User",
    "Version",
    "Webhook",
    "Worker",
]
