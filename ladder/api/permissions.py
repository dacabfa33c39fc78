from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from ladder.models import Token


class ReadOrScope(BasePermission):
    """Anyone may read; writing needs a user, and a token's scope must allow it."""

    message = "This token may only read."

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method in SAFE_METHODS:
            return True
        if not request.user.is_authenticated:
            return False
        return not isinstance(request.auth, Token) or request.auth.scope == Token.Scope.SUBMIT
