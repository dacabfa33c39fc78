from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from ladder.errors import Code

if TYPE_CHECKING:  # the settings name this module, and DRF's views read them when imported
    from rest_framework.views import APIView


class ReadOrScope(BasePermission):
    """Anyone may read what is public; writing needs a user, and a token that may write."""

    message = "This token may only read."
    code = Code.READ_ONLY_TOKEN

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method in SAFE_METHODS:
            return request.user.is_authenticated or not getattr(view, "needs_user", False)
        if not request.user.is_authenticated:
            return False
        return getattr(request.auth, "scope", "submit") == "submit"  # a session has no scope


class NoTokenWhereSignInIsNeeded(BasePermission):
    """What could turn a lost token into a lost account needs the password."""

    message = "No token may do this; sign in on the site."
    code = Code.NEEDS_SIGN_IN

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.auth is None or request.method not in getattr(view, "needs_sign_in", ())
