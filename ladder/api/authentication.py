from datetime import timedelta

from django.utils import timezone
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from ladder.models import Token, User

SEEN_EVERY = timedelta(minutes=1)  # so that a busy client does not write a row per request


class BearerToken(BaseAuthentication):
    """`Authorization: Bearer ladle_...`"""

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        words = get_authorization_header(request).split()
        if not words or words[0].lower() != b"bearer":
            return None
        if len(words) != 2:
            raise AuthenticationFailed("Write one token after Bearer.")
        token = Token.objects.by_secret(words[1].decode("latin-1"))
        if token is None:
            raise AuthenticationFailed("The token is unknown or revoked.")
        now = timezone.now()
        if token.last_used_at is None or token.last_used_at < now - SEEN_EVERY:
            Token.objects.filter(pk=token.pk).update(last_used_at=now)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
