"""The form in which someone who came through another site chooses a name here."""

from __future__ import annotations

from typing import Any

from allauth.socialaccount.forms import SignupForm
from django import forms


class NameForm(SignupForm):
    """Only a name: an address is given on the account's page, and confirmed by mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"
        self.fields["email"].widget = forms.HiddenInput()
        self.initial["email"] = ""

    def clean_email(self) -> str:
        return ""
