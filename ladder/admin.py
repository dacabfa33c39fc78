"""The operator's side: see the state of things, and act with a reason that is recorded."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse

from ladder.errors import Code, LadderError
from ladder.models import (
    AuditEntry,
    Bot,
    Entry,
    KeptPlay,
    Match,
    Rating,
    Tick,
    Token,
    Tournament,
    Trial,
    User,
    Version,
    Worker,
)
from ladder.models.access import is_secret
from ladder.services import accounts, audit, bots, kept_plays, matches
from ladder.services.rating import fitting

admin.site.site_header = "Ladle kitchen"
admin.site.site_title = "Ladle kitchen"
admin.site.index_title = "What is on the stove"
admin.site.index_template = "admin/ladle_index.html"


class SignedInRequest(HttpRequest):
    """A request behind the admin's own check; for annotations."""

    user: User


def act(description: str, verb: str, data: str, do: Callable[[Any, str], None]) -> Any:
    """An admin action that asks for a reason, does it to each row, and keeps who and why.

    `data` says of a row what has become of it.
    """

    def action(
        modeladmin: admin.ModelAdmin[Any], request: SignedInRequest, queryset: QuerySet[Any]
    ) -> HttpResponse | None:
        why = request.POST.get("why", "").strip()
        if not why:
            context = {
                **modeladmin.admin_site.each_context(request),
                "title": description,
                "rows": queryset,
                "action": action.__name__,
                "opts": modeladmin.model._meta,
            }
            return TemplateResponse(request, "admin/ladle_reason.html", context)
        for row in queryset:
            _act_on(request, row, verb, data, why, do)
        return None

    action.__name__ = verb.replace(" ", "_")
    return admin.action(description=description, permissions=["change"])(action)


def _act_on(
    request: SignedInRequest,
    row: Model,
    verb: str,
    data: str,
    why: str,
    do: Callable[[Any, str], None],
) -> None:
    try:
        do(row, why)
    except LadderError as error:
        messages.error(request, f"{row}: {error}")
    else:
        audit.act(request.user, verb, row, why)
        messages.success(request, f"{row} {data}.")


class ReadOnly(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows that follow from others are looked at, not edited."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Acts ask for it; without any there is nothing to change."""
        return bool(self.actions) and super().has_change_permission(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [field.name for field in self.model._meta.fields]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        no_buttons = {"show_save": False, "show_save_and_continue": False}
        return super().change_view(request, object_id, form_url, no_buttons)


@admin.register(User)
class LadleUserAdmin(UserAdmin):  # type: ignore[type-arg]
    list_display = ["username", "email", "is_suspended", "is_staff", "date_joined"]
    list_filter = ["is_suspended", "is_staff", "is_active"]
    fieldsets = (*(UserAdmin.fieldsets or ()), ("Ladle", {"fields": ["is_suspended"]}))
    readonly_fields = ["is_suspended"]  # changed by the actions, which ask why
    actions = [
        act("Suspend users", "suspend", "is suspended", lambda user, why: accounts.suspend(user)),
        act(
            "Bring users back", "bring back", "is back", lambda user, why: accounts.bring_back(user)
        ),
        act("Delete users", "delete", "is deleted", lambda user, why: accounts.delete(user)),
    ]

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False  # there is an act for it, which asks why

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field: Any = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "email":
            field.required = False  # an account has none until its address is confirmed
        return field

    def log_addition(self, request: Any, obj: Any, message: Any) -> LogEntry:
        return _kept("add", request, super().log_addition(request, obj, message), obj)

    def log_change(self, request: Any, obj: Any, message: Any) -> LogEntry:
        """Of every form, the one for passwords too."""
        return _kept("change", request, super().log_change(request, obj, message), obj)


def _kept(verb: str, request: SignedInRequest, entry: LogEntry, row: Model) -> LogEntry:
    """What a form did is recorded as acts are; it says itself what was changed."""
    audit.act(request.user, verb, row, entry.get_change_message())
    return entry


class VersionInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Version
    fk_name = "bot"
    extra = 0
    can_delete = False
    fields = readonly_fields = ("number", "language", "status", "size", "sha256", "created_at")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Bot)
class BotAdmin(ReadOnly):
    list_display = ["name", "game", "owner", "status", "active_version", "created_at"]
    list_filter = ["game", "status", "is_house"]
    list_select_related = ["owner", "active_version__bot"]
    search_fields = ["name", "owner__username"]
    inlines = [VersionInline]
    actions = [
        act("Suspend bots", "suspend", "is suspended", lambda bot, why: bots.suspend(bot=bot)),
        act("Bring bots back", "bring back", "is back", lambda bot, why: bots.reinstate(bot=bot)),
        act("Retire bots", "retire", "is retired", lambda bot, why: bots.retire(bot=bot)),
    ]


class EntryInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Entry
    extra = 0
    can_delete = False
    fields = readonly_fields = ("version", "place", "points", "faults")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        """Operators have bots too: who meets whom in a rated match is shown once it is played."""
        return super().get_queryset(request).exclude(is_secret("match"))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def _cancel(match: Match, why: str) -> None:
    if not matches.cancel(match, why):
        raise LadderError(f"Match {match.pk} is over already.", code=Code.MATCH_OVER)


@admin.register(Match)
class MatchAdmin(ReadOnly):
    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return Match.all_objects.order_by("-id")  # the gate's checks too

    list_display = ["id", "kind", "game", "seats", "status", "attempt", "worker", "created_at"]
    list_filter = ["status", "kind", "game", "seats"]
    search_fields = ["=id", "worker"]
    show_full_result_count = False
    inlines = [EntryInline]

    actions = [
        act(
            "Put back in the queue",
            "requeue",
            "waits in the queue again",
            lambda match, why: matches.requeue(match),
        ),
        act("Cancel", "cancel", "is cancelled", _cancel),
        act("Void (ratings follow)", "void", "is void", matches.void),
    ]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.get_readonly_fields(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Seed and reason are on the match's own page, as soon as everyone may know them."""
        every = super().get_readonly_fields(request, obj)
        return [name for name in every if name not in ("seed", "why")]


def _rate_anew(tick: Tick) -> None:
    fitting.rate(tick.board, from_scratch=True)


@admin.register(Tick)
class TickAdmin(ReadOnly):
    list_display = ["__str__", "created_at", "applied_at"]
    list_filter = ["game", "seats"]
    show_full_result_count = False
    actions = [
        act(
            "Rate its board again",
            "recompute",
            "will be rated again",
            lambda tick, why: _rate_anew(tick),
        ),
    ]


@admin.register(Rating)
class RatingAdmin(ReadOnly):
    list_display = ["version", "game", "seats", "elo", "interval", "sets", "is_provisional"]
    list_filter = ["game", "seats", "is_listed", "is_anchor", "is_provisional"]
    list_select_related = ["version__bot"]
    show_full_result_count = False


@admin.register(Worker)
class WorkerAdmin(ReadOnly):
    list_display = ["name", "seen_at", "matches", "failures", "problem"]


@admin.register(Trial)
class TrialAdmin(ReadOnly):
    list_display = ["__str__", "status", "llr", "created_at"]
    list_select_related = ["bot", "old", "new"]


@admin.register(Tournament)
class TournamentAdmin(ReadOnly):
    list_display = ["name", "organiser", "game", "seats", "format", "status"]
    list_filter = ["status", "game", "format"]

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """The secret stays secret, from operators too, until the tournament is over."""
        over = obj is not None and obj.ended_at is not None
        return [] if over else ["secret"]


@admin.register(AuditEntry)
class AuditAdmin(ReadOnly):
    list_display = ["at", "actor", "verb", "target", "why"]
    list_filter = ["verb"]
    search_fields = ["target", "why", "actor__username"]


@admin.register(KeptPlay)
class KeptPlayAdmin(ReadOnly):
    list_display = ["__str__", "owner", "created_at"]
    list_filter = ["game"]
    list_select_related = ["owner"]
    actions = [act("Remove", "remove", "is removed", lambda play, why: kept_plays.remove(play.pk))]


@admin.register(Token)
class TokenAdmin(ReadOnly):
    list_display = ["name", "user", "scope", "prefix", "last_used_at", "revoked_at"]
    exclude = ["digest"]
