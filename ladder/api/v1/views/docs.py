"""The schema, and a page to read it and try it out, with nothing from outside."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.http import HttpResponse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from ladder.api.views import ApiView, tagged

# Swagger UI draws with style attributes; scripts stay strict.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; font-src 'self'; connect-src 'self';"
    " frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)


@cache
def schema() -> dict[str, Any]:
    """The description of this version, the same for everybody; made once, as it takes a while."""
    return SchemaGenerator(api_version=None).get_schema(request=None, public=True)


@cache
def _schema_bytes() -> bytes:
    return json.dumps(schema()).encode()


class Schema(ApiView):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponse:
        content_type = "application/vnd.oai.openapi+json"
        return tagged(request, HttpResponse(_schema_bytes(), content_type=content_type))


class Docs(SpectacularSwaggerSplitView):
    url_name = "api-schema"
    throttle_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        response = super().get(request, *args, **kwargs)
        response["Content-Security-Policy"] = POLICY
        return response
