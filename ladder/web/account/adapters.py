"""How django-allauth fits into this site: names, addresses and secrets are handled as ours are."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from cryptography.fernet import Fernet
from django.conf import settings
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from ladder.queries import accounts
from ladder.services.accounts import USERNAME, User
from ladder.services.fairness import addresses
from ladder.web.http.addresses import client_address


class Account(DefaultAccountAdapter):
    """The same rules for names, and the same visitor, as in our own form."""

    def clean_username(self, username: str, shallow: bool = False) -> str:
        USERNAME(username)
        if accounts.is_reserved(username):
            raise ValidationError("This name is reserved. Choose another one.")
        if not shallow and accounts.is_name_taken(username):
            raise ValidationError("This name is taken, or looks like one that is taken.")
        return username

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return reverse("my-bots")

    def pre_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse | None:
        if user.is_suspended:
            messages.error(request, "This account is suspended. Write to the operators.")
            return redirect("sign-in")
        refused: HttpResponse | None = super().pre_login(request, user, **kwargs)
        return refused

    def login(self, request: HttpRequest, user: User) -> None:
        super().login(request, user)
        addresses.note_address(user, client_address(request))

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """The pages say what happened; allauth's own sentences would say it twice."""


class Social(DefaultSocialAccountAdapter):
    """Somebody else's word for an address counts for nothing: ours are confirmed by mail."""

    def populate_user(self, request: HttpRequest, sociallogin: Any, data: Any) -> Any:
        user = super().populate_user(request, sociallogin, {"username": data.get("username", "")})
        user.email = ""
        return user


class SecondFactor(DefaultMFAAdapter):
    """Secrets of one-time codes are stored encrypted, by the site's own secret."""

    def encrypt(self, text: str) -> str:
        return self._cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return self._cipher().decrypt(encrypted_text.encode()).decode()

    def _cipher(self) -> Fernet:
        key = hashlib.sha256(f"second factor {settings.SECRET_KEY}".encode()).digest()
        return Fernet(base64.urlsafe_b64encode(key))
