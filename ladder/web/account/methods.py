"""Ways to sign in beside a password, each of them off unless the operator turned it on."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from ladder.errors import Code
from ladder.web.http.middleware import POLICY
from ladder.web.http.problems import CONTENT_TYPE, document

Handler = Callable[[HttpRequest], HttpResponse]
ROOM = "/accounts/"
# What each address needs to be turned on; the second step of signing in is always there, or those
# who have set up a second factor could not sign in any more.
NEEDS = {
    "/accounts/github/": ("github",),
    "/accounts/gitlab/": ("gitlab",),
    "/accounts/oidc/": ("oidc",),
    "/accounts/3rdparty/": ("github", "gitlab", "oidc"),
    "/accounts/2fa/totp/": ("codes",),
    "/accounts/2fa/webauthn/": ("passkeys",),
}
# Where an operator can go to set up a second factor.
WITHOUT_FACTOR = (ROOM, "/sign-out/", "/static/", "/sign-in/", "/healthz", "/readyz", "/theme/")


def offered() -> list[tuple[str, str]]:
    """Sites through which one can sign in: the address, and what to call it."""
    return [
        (f"{ROOM}{'oidc/oidc' if name == 'oidc' else name}/login/", title)
        for name, title in (
            ("github", "GitHub"),
            ("gitlab", "GitLab"),
            ("oidc", settings.OIDC_NAME),
        )
        if name in settings.SIGN_IN
    ]


def has_second_factor() -> bool:
    return bool({"passkeys", "codes"} & set(settings.SIGN_IN))


def policy() -> str:
    """Of pages whose forms lead to such a site; browsers ask about the redirect, too."""
    sites = {"https://github.com"} if "github" in settings.SIGN_IN else set()
    for address in (settings.GITLAB_URL, settings.OIDC_ISSUER):
        parts = urlsplit(address)
        if parts.netloc:
            sites.add(f"{parts.scheme}://{parts.netloc}")
    return POLICY.replace("form-action 'self'", " ".join(["form-action 'self'", *sorted(sites)]))


class SignInMethods:
    """What is off does not exist, and operators have a second factor where that is required."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(ROOM):
            for start, names in NEEDS.items():
                if request.path_info.startswith(start) and not set(names) & set(settings.SIGN_IN):
                    raise Http404
        if self._lacks_factor(request):
            if request.path_info.startswith("/api/"):
                told = document(403, Code.NOT_ALLOWED, MUST)
                return JsonResponse(told, status=403, content_type=CONTENT_TYPE)
            messages.error(request, MUST)
            return redirect("mfa_index")
        response = self.get_response(request)
        if request.path_info.startswith(ROOM):
            response.headers["Cache-Control"] = "no-store"
            response.headers.setdefault("Content-Security-Policy", policy())
        return response

    def _lacks_factor(self, request: HttpRequest) -> bool:
        return (
            settings.OPERATORS_NEED_SECOND_FACTOR
            and request.user.is_authenticated
            and request.user.is_staff
            and not request.path_info.startswith(WITHOUT_FACTOR)
            and not is_mfa_enabled(request.user)
        )


MUST = "Operators of this site must set up a second factor first."
