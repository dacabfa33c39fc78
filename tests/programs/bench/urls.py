"""The site's pages and one that does nothing."""

from django.http import HttpRequest, HttpResponse
from django.urls import path

from ladder.urls import urlpatterns as pages


def empty(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


urlpatterns = [path("empty/", empty), *pages]
