from __future__ import annotations

from base64 import b64encode
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.idempotency import idempotent
from ladder.api.parsers import StrictJSON
from ladder.api.v1.shapes import bots as shapes
from ladder.api.v1.views.bots import own_bot
from ladder.api.views import ApiView, ListView
from ladder.models import Version
from ladder.queries import bots as queries
from ladder.queries import versions
from ladder.services import bots


class Versions(ListView):
    serializer_class = shapes.Version
    filter_backends = ()
    parser_classes = [StrictJSON, MultiPartParser]

    @extend_schema(operation_id="versions_list")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """A bot's versions, newest first."""
        return super().get(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[Version]:
        bot = get_object_or_404(queries.visible(self.request.user), pk=self.kwargs["bot"])
        return versions.of_bot(bot)

    @extend_schema(
        operation_id="versions_upload",
        request={
            "application/json": shapes.NewVersion,
            "multipart/form-data": shapes.NewVersionFile,
        },
        responses={201: shapes.Version, 200: shapes.Version},
    )
    @idempotent
    def post(self, request: Request, bot: int) -> Response:
        """Upload a bot's file; 200 means that this very file was uploaded before."""
        found = own_bot(request, bot)
        is_form = request.content_type.startswith("multipart/")
        asked = (shapes.NewVersionFile if is_form else shapes.NewVersion)(data=request.data)
        asked.is_valid(raise_exception=True)
        filename, content = asked.script()
        version, is_new = bots.upload(
            bot=found,
            filename=filename,
            content=content,
            note=asked.validated_data["note"],
            activate=asked.validated_data["activate"],
        )
        return Response(
            shapes.Version(version).data,
            status=201 if is_new else 200,
            headers={"Location": reverse("api-version-detail", args=[bot, version.number])},
        )


class VersionDetail(ApiView):
    @extend_schema(operation_id="versions_show", responses=shapes.Version)
    def get(self, request: Request, bot: int, version: int) -> Response:
        """One version."""
        found = get_object_or_404(versions.versions(), bot=bot, number=version)
        return Response(shapes.Version(found).data)


class Activate(ApiView):
    @extend_schema(operation_id="versions_activate", request=None, responses=shapes.Version)
    @idempotent
    def post(self, request: Request, bot: int, version: int) -> Response:
        """Make an accepted version the one that plays."""
        owned = own_bot(request, bot)
        found = get_object_or_404(versions.versions(), bot=owned, number=version)
        bots.activate(version=found)
        return Response(shapes.Version(found).data)


class Report(ApiView):
    @extend_schema(operation_id="versions_report", responses=shapes.Report)
    def get(self, request: Request, bot: int, version: int) -> Response:
        """The gate's findings; for the bot's author."""
        found = private_version(request, bot, version)
        return Response(
            {
                "status": found.status,
                "verdict": found.report.get("verdict", ""),
                "rows": found.report.get("rows", []),
            }
        )


class Source(ApiView):
    @extend_schema(operation_id="versions_source", responses=shapes.Source)
    def get(self, request: Request, bot: int, version: int) -> Response:
        """The file, if it is public or one's own."""
        found = private_version(request, bot, version, or_public=True)
        program = found.program()
        return Response(
            {
                "filename": found.filename,
                "source": (
                    program.content if program.is_text else b64encode(program.content)
                ).decode(),
                "encoding": "utf-8" if program.is_text else "base64",
            }
        )


def private_version(request: Request, bot: int, number: int, *, or_public: bool = False) -> Version:
    """A version whose inside the asker may see; to others it is as if there were none."""
    found = get_object_or_404(versions.versions_with_report(), bot=bot, number=number)
    if found.bot.is_managed_by(request.user) or (or_public and found.bot.is_source_public):
        return found
    raise Http404
