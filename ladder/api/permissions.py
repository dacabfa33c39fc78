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
        # A session has no scope.
        return getattr(request.auth, "scope", "submit") in ("submit", "publish")


class OnlyItsBot(BasePermission):
    """A CI job's token submits one bot, follows its check and starts its trials: nothing else."""

    message = "This token may only submit the bot that it was issued for."
    code = Code.NOT_ALLOWED

    def has_permission(self, request: Request, view: APIView) -> bool:
        bot = getattr(request.auth, "bot_id", None)
        if bot is None:
            return True
        if request.method not in getattr(view, "for_publishing", ()):
            return False
        named = request.data.get("bot") if isinstance(request.data, dict) else None
        return bool(bot == view.kwargs.get("bot", named))


class NoTokenWhereSignInIsNeeded(BasePermission):
    """What could turn a lost token into a lost account needs the password."""

    message = "No token may do this; sign in on the site."
    code = Code.NEEDS_SIGN_IN

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.auth is None or request.method not in getattr(view, "needs_sign_in", ())
