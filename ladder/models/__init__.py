"""Everything that is stored. Each QuerySet stands beside its model."""

from ladder.models.account import AuditEntry, IdempotencyKey, SignedIn, Token, User
from ladder.models.bot import Bot, BotTag, Version
from ladder.models.broadcast import Broadcast
from ladder.models.dataset import Dataset
from ladder.models.draft import Draft, SharedDraft
from ladder.models.event import Event, EventReader
from ladder.models.exhibition import Exhibition
from ladder.models.fairness import Finding, SeenAddress
from ladder.models.kept import DailyDeal, DailyTry, KeptPlay
from ladder.models.league import Duel, Promotion
from ladder.models.match import Entry, Match, Play
from ladder.models.media import StoredFile
from ladder.models.notice import Follow, Mail, MailPlan, Notice, NoticePreference
from ladder.models.operation import Lock, Progress, Release, SiteSecret, Worker
from ladder.models.people import Person, SharedTable
from ladder.models.publishing import TrustedPublisher, UsedAssertion
from ladder.models.rating import BoardFit, Rating, RatingChange, ResultSegment, Tick
from ladder.models.remote import (
    Line,
    OpenRating,
    Presence,
    RemoteBot,
    Sitting,
    StreamProcess,
)
from ladder.models.study.analysis import JudgedDecision, JudgedSeat, PlayAnalysis
from ladder.models.study.explorer import Explored, MoveTally
from ladder.models.study.puzzle import Puzzle, PuzzleAnswer, Solver
from ladder.models.tournament import Enrolment, Pairing, Tournament
from ladder.models.trial import Trial
from ladder.models.webhook import Delivery, Webhook

__all__ = [
    "AuditEntry",
    "BoardFit",
    "Bot",
    "BotTag",
    "Broadcast",
    "DailyDeal",
    "DailyTry",
    "Dataset",
    "Delivery",
    "Draft",
    "Duel",
    "Enrolment",
    "Entry",
    "Event",
    "EventReader",
    "Exhibition",
    "Explored",
    "Finding",
    "Follow",
    "IdempotencyKey",
    "JudgedDecision",
    "JudgedSeat",
    "KeptPlay",
    "Line",
    "Lock",
    "Mail",
    "MailPlan",
    "Match",
    "MoveTally",
    "Notice",
    "NoticePreference",
    "OpenRating",
    "Pairing",
    "Person",
    "Play",
    "PlayAnalysis",
    "Presence",
    "Progress",
    "Promotion",
    "Puzzle",
    "PuzzleAnswer",
    "Rating",
    "RatingChange",
    "Release",
    "RemoteBot",
    "ResultSegment",
    "SeenAddress",
    "SharedDraft",
    "SharedTable",
    "SignedIn",
    "SiteSecret",
    "Sitting",
    "Solver",
    "StoredFile",
    "StreamProcess",
    "Tick",
    "Token",
    "Tournament",
    "Trial",
    "TrustedPublisher",
    "UsedAssertion",
    "User",
    "Version",
    "Webhook",
    "Worker",
]
