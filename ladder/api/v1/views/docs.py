"""The schema, and a page to read it and try it out, with nothing from outside."""

from typing import Any

from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

# Swagger UI draws with style attributes; scripts stay strict.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
    " img-src 'self' data:; font-src 'self'; connect-src 'self';"
    " frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)


class Schema(SpectacularAPIView):
    throttle_classes = ()


class Docs(SpectacularSwaggerSplitView):
    url_name = "api-schema"
    throttle_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        response = super().get(request, *args, **kwargs)
        response["Content-Security-Policy"] = POLICY
        return response
