from django.conf import settings
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from ladder.services import accounts


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer ladle_...`"""

    def authenticate(self, request: Request) -> tuple[accounts.User, accounts.Token] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != b"bearer":
            return None
        if len(words) != 2:
            raise AuthenticationFailed("Send exactly one token: Authorization: Bearer TOKEN.")
        token = accounts.use_token(words[1].decode("latin-1"))
        if token is None:
            raise AuthenticationFailed("The token is unknown or revoked.")
        if settings.OPERATORS_NEED_SECOND_FACTOR and token.user.is_staff:
            raise AuthenticationFailed("Operators of this site sign in with a second factor.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
