from __future__ import annotations

from django.http import Http404, HttpResponse
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.pagination import cursor_of, page_size_of
from ladder.api.parsers import StrictJSON
from ladder.api.shape import shape
from ladder.api.v1.shapes import bots as shapes
from ladder.api.v1.views.bots import bot_or_404
from ladder.api.views import ApiView, PagesView, UserRequest, encoded, made
from ladder.contract import bots as contract
from ladder.queries import versions
from ladder.services import bots

VERSION = shape(contract.Version, "a version")


class Versions(PagesView):
    parser_classes = [StrictJSON, MultiPartParser]
    for_publishing = ("GET", "POST")

    @extend_schema(operation_id="versions_list", responses=VERSION(many=True))
    def get(self, request: UserRequest, bot: int) -> HttpResponse:
        """A bot's versions, newest first."""
        bot_or_404(request, bot)
        at = cursor_of(request, versions.ORDER)
        return self.answer(versions.page(bot, at, page_size_of(request)))

    @extend_schema(
        operation_id="versions_upload",
        request={
            "application/json": shapes.NewVersion,
            "multipart/form-data": shapes.NewVersionFile,
        },
        responses={201: VERSION, 200: VERSION},
    )
    @idempotent
    def post(self, request: UserRequest, bot: int) -> Response:
        """Upload a bot's file; 200 means that the same file was uploaded before."""
        found = bots.own(by=request.user, pk=bot)
        is_form = request.content_type.startswith("multipart/")
        asked = (shapes.NewVersionFile if is_form else shapes.NewVersion)(data=request.data)
        asked.is_valid(raise_exception=True)
        filename, content = asked.script()
        version, is_new = bots.upload(
            bot=found,
            filename=filename,
            content=content,
            note=asked.validated_data["note"],
            authorship=asked.validated_data["authorship"],
            activate=asked.validated_data["activate"],
        )
        address = reverse("api-version-detail", args=[bot, version.number])
        return made(_version(bot, version.number), address, 201 if is_new else 200)


class VersionDetail(ApiView):
    for_publishing = ("GET",)

    @extend_schema(operation_id="versions_show", responses=VERSION)
    def get(self, request: UserRequest, bot: int, version: int) -> HttpResponse:
        """One version."""
        return encoded(request, _version(bot, version))


class Activate(ApiView):
    @extend_schema(operation_id="versions_activate", request=None, responses=VERSION)
    @idempotent
    def post(self, request: UserRequest, bot: int, version: int) -> Response:
        """Make an accepted version the one that plays."""
        bots.activate(version=bots.own_version(by=request.user, bot=bot, number=version))
        return made(_version(bot, version))


class VersionReport(ApiView):
    for_publishing = ("GET",)

    @extend_schema(operation_id="versions_report", responses=shape(contract.Report, "a report"))
    def get(self, request: UserRequest, bot: int, version: int) -> HttpResponse:
        """The gate's report (author only)."""
        found = versions.find(bot, version)
        if found is None or not found.of.is_managed_by(request.user):
            raise Http404
        return encoded(request, versions.report(found))


class Source(ApiView):
    @extend_schema(operation_id="versions_source", responses=shape(contract.Source, "source"))
    def get(self, request: UserRequest, bot: int, version: int) -> HttpResponse:
        """A version's file, if it is public or yours."""
        found = versions.find(bot, version)
        if found is None or not found.of.shows_source_to(request.user):
            raise Http404
        return encoded(request, versions.source(found))


def _version(bot: int, number: int) -> contract.Version:
    found = versions.show(bot, number)
    if found is None:
        raise Http404
    return found
