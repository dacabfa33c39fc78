"""The forms of an account and of its tokens."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth import forms as auth
from django.core.exceptions import ValidationError
from django.utils import timezone

from ladder.contract.accounts import SCOPE_WORDS
from ladder.queries import accounts
from ladder.services.accounts import LONGEST_PROFILE, User

JUST_NOW = timedelta(minutes=15)  # a sign-in that stands for the password


class TokenForm(forms.Form):
    name = forms.CharField(label="What is it for?", max_length=60)
    scope = forms.ChoiceField(
        label="What may it do?",
        choices=list(SCOPE_WORDS.items()),
        widget=forms.RadioSelect,
        initial="submit",
    )


class SignInForm(auth.AuthenticationForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = "Name"

    def confirm_login_allowed(self, user: User) -> None:
        super().confirm_login_allowed(user)
        if user.is_suspended:
            raise ValidationError("This account is suspended. Write to the operators.")


class SignUpForm(auth.UserCreationForm):  # type: ignore[type-arg]
    """The address is stored once its mail is answered, so nobody learns here who else has it."""

    email = forms.EmailField(
        label="Email",
        max_length=254,
        help_text="Used only to reset your password, once confirmed. Never shown.",
    )
    field_order = ("username", "email")

    class Meta:
        model = User
        fields = ("username",)
        labels = {"username": "Name"}
        help_texts = {
            "username": "Shown beside your bots. Up to 30 letters, digits, dots, dashes or"
            " underscores; a letter or digit at either end.",
        }

    def clean_username(self) -> str:
        name: str = self.cleaned_data["username"]
        if accounts.is_reserved(name):
            raise ValidationError("This name is reserved. Choose another one.")
        if accounts.is_name_taken(name):
            raise ValidationError("This name is taken, or looks like one that is taken.")
        return name


class ProfileForm(forms.Form):
    profile = forms.CharField(
        label="About you",
        required=False,
        max_length=LONGEST_PROFILE,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=f"Shown on your page. Markdown, up to {LONGEST_PROFILE:,} characters.",
    )


class DeletionForm(forms.Form):
    """Deleting is confirmed with the password, or with the name by users who have none."""

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._user = user
        if user.has_usable_password():
            widget = forms.PasswordInput(attrs={"autocomplete": "current-password"})
            proof = forms.CharField(label="Your password", strip=False, widget=widget)
        else:
            proof = forms.CharField(label=f"Type your name, {user.username}, to confirm")
        self.fields["proof"] = proof

    def clean_proof(self) -> str:
        proof: str = self.cleaned_data["proof"]
        if self._user.has_usable_password():
            if not self._user.check_password(proof):
                raise ValidationError("The password is wrong.")
        elif proof != self._user.username:
            raise ValidationError("The user name is wrong.")
        return proof


class AccountForm(forms.Form):
    """A new address. Whoever reads its mail can set a password, so the password is asked for.

    A user without one must have signed in just now.
    """

    email = forms.EmailField(label="Email")
    password = forms.CharField(
        label="Your password",
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["email"] = user.email
        self._user = user
        if not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        if not self._user.check_password(password):
            raise ValidationError("The password is wrong.")
        return password

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        signed_in = self._user.last_login
        is_fresh = signed_in is not None and timezone.now() - signed_in < JUST_NOW
        if "password" not in self.fields and not is_fresh:
            raise ValidationError(
                "You signed in more than 15 minutes ago. Sign out, sign in again, and then"
                " change your address."
            )
        return email
