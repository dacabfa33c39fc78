from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import reverse
from django_filters import rest_framework as django_filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api import filters
from ladder.api.idempotency import idempotent
from ladder.api.problems import Missing
from ladder.api.v1.shapes import trials as shapes
from ladder.api.v1.views.bots import own_bot
from ladder.api.views import ApiView, DetailView, ListView, UserRequest
from ladder.errors import Code, LadderError, NotAllowed
from ladder.models import Bot, Trial, Version
from ladder.queries import versions
from ladder.services import trials


class TrialFilter(django_filters.FilterSet):
    bot = filters.Id(field_name="bot")
    status = filters.one_of(Trial.Status.values)


class Trials(ListView):
    names_bots = True
    queryset = versions.trials()
    serializer_class = shapes.Trial
    filter_backends = [filters.Backend]
    filterset_class = TrialFilter

    @extend_schema(operation_id="trials_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Trials, newest first."""
        return super().get(request, *args, **kwargs)

    @extend_schema(
        operation_id="trials_create", request=shapes.NewTrial, responses={201: shapes.Trial}
    )
    @idempotent
    def post(self, request: UserRequest) -> Response:
        """Find out whether a new version is better than an old one."""
        asked = shapes.NewTrial(data=request.data)
        asked.is_valid(raise_exception=True)
        data = asked.validated_data
        bot = own_bot(request, data["bot"])
        old, new = _version(bot, data["old"]), _version(bot, data["new"])
        started = trials.start(
            by=request.user, old=old, new=new, seats=data["seats"], promote=data["promote"]
        )
        trial = versions.trials().get(pk=started.pk)
        location = {"Location": reverse("api-trial-detail", args=[trial.pk])}
        return Response(shapes.Trial(trial).data, status=201, headers=location)


def _version(bot: Bot, number: int) -> Version:
    found = versions.find(bot, number)
    if found is None:
        raise Missing(f"bot {bot.pk}, version {number}")
    return found


class TrialDetail(DetailView):
    queryset = versions.trials()
    serializer_class = shapes.Trial
    lookup_url_kwarg = "trial"

    @extend_schema(operation_id="trials_show")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """One trial and where it stands."""
        return super().get(request, *args, **kwargs)


class CancelTrial(ApiView):
    @extend_schema(operation_id="trials_cancel", request=None, responses=shapes.Trial)
    @idempotent
    def post(self, request: UserRequest, trial: int) -> Response:
        """Call a running trial off."""
        found = get_object_or_404(versions.trials(), pk=trial)
        if not found.bot.is_managed_by(request.user):
            raise NotAllowed(f"{found.bot.name} is not your bot.", code=Code.NOT_YOURS)
        if found.status != Trial.Status.RUNNING:
            raise LadderError("The trial is over.", code=Code.TRIAL_OVER)
        trials.cancel(found)
        return Response(shapes.Trial(found).data)
