from __future__ import annotations

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.pagination import cursor_of, page_size_of
from ladder.api.parameters import filter_of
from ladder.api.shape import shape
from ladder.api.v1.shapes import trials as shapes
from ladder.api.views import ApiView, PagesView, UserRequest, addressed, encoded, made
from ladder.contract.trials import Trial, TrialFilter
from ladder.queries import versions
from ladder.services import bots, trials

TRIAL = shape(Trial, "a trial")


class Trials(PagesView):
    names_bots = True
    for_publishing = ("POST",)
    filter_by = TrialFilter

    @extend_schema(operation_id="trials_list", responses=TRIAL(many=True))
    def get(self, request: Request) -> HttpResponse:
        """Trials, newest first."""
        asked, at = filter_of(request, self.filter_by), cursor_of(request, versions.NEWEST)
        page = versions.trials(asked, at, page_size_of(request))
        return self.answer(page.of(lambda trial: addressed(trial, "trial")))

    @extend_schema(operation_id="trials_create", request=shapes.NewTrial, responses={201: TRIAL})
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Start a trial of a new version against an old one."""
        asked = shapes.NewTrial(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        old, new = (
            bots.own_version(by=request.user, bot=data["bot"], number=data[name])
            for name in ("old", "new")
        )
        trial = trials.start(
            by=request.user, old=old, new=new, seats=data["seats"], promote=data["promote"]
        )
        return made(_trial(trial.pk), reverse("api-trial-detail", args=[trial.pk]), 201)


class TrialDetail(ApiView):
    @extend_schema(operation_id="trials_show", responses=TRIAL)
    def get(self, request: Request, trial: int) -> HttpResponse:
        """One trial and its current result."""
        return encoded(request, _trial(trial))


class CancelTrial(ApiView):
    @extend_schema(operation_id="trials_cancel", request=None, responses=TRIAL)
    @idempotent
    def post(self, request: UserRequest, trial: int) -> Response:
        """Cancel a running trial."""
        _trial(trial)
        trials.call_off(by=request.user, pk=trial)
        return made(_trial(trial))


def _trial(pk: int) -> Trial:
    found = versions.trial(pk)
    if found is None:
        raise Http404
    return addressed(found, "trial")
