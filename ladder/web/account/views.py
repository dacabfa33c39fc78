"""Joining, signing in, the account and its API tokens."""

from __future__ import annotations

import unicodedata
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth import views as auth
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme

from ladder.errors import LadderError
from ladder.queries import accounts as queries
from ladder.services import accounts
from ladder.services.accounts import User
from ladder.services.fairness import addresses
from ladder.web.account.forms import AccountForm, SignInForm, SignUpForm, TokenForm
from ladder.web.forms import refuse
from ladder.web.http import counting
from ladder.web.http.addresses import client_address
from ladder.web.http.limits import come_back_later, limited
from ladder.web.http.pages import SignedInRequest, number
from ladder.web.http.statuses import status_of

FAILURES = 5
WAIT_SECONDS = 60


@limited("sign_up")
def sign_up(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("my-bots")
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and (user := _saved(form)):
        login(request, user, "django.contrib.auth.backends.ModelBackend")
        addresses.note_address(user, client_address(request))
        messages.success(request, f"Welcome, {user.username}. Your first bot awaits.")
        _claim_address(request, user, form.cleaned_data["email"])
        # Back to what a visitor was about to do, such as handing in what they wrote.
        wanted = request.GET.get("next", "")
        is_ours = url_has_allowed_host_and_scheme(wanted, request.get_host(), request.is_secure())
        return redirect(wanted if is_ours else "upload")
    status = 400 if form.errors else 200
    return render(request, "ladder/account/sign_up.html", {"form": form}, status=status)


def _saved(form: ModelForm) -> User | None:
    """The stored user; None, and a sentence in the form, if another just took the name."""
    try:
        with transaction.atomic():
            return form.save()
    except IntegrityError:
        form.add_error(None, "Somebody took that name a moment ago.")
        return None


def _claim_address(request: HttpRequest, user: User, email: str) -> None:
    if accounts.claim_address(user, email):
        messages.info(request, f"Open the link in the mail we sent to {email}.")
    else:
        messages.error(request, "We cannot send mail now. Give your address again later.")


@method_decorator(limited("sign_in"), name="dispatch")
class SignIn(auth.LoginView):
    """Signing in; after some failures one has to wait, so that passwords cannot be tried out.

    Tries from one address are limited as well, whatever names they are for.
    """

    template_name = "ladder/account/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # Counted before the password is looked at, or many tries at once would all be let in.
        if counting.count(self._key(), WAIT_SECONDS) > FAILURES:
            return come_back_later(request, WAIT_SECONDS)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        response = super().form_invalid(form)
        response.status_code = 400
        return response

    def form_valid(self, form: Any) -> HttpResponse:
        counting.forget(self._key())
        addresses.note_address(form.get_user(), client_address(self.request))
        return super().form_valid(form)

    def _key(self) -> str:
        # The name as the form reads it, or padding and wide letters would be counted apart.
        typed = unicodedata.normalize("NFKC", self.request.POST.get("username", ""))
        return counting.key_of("sign_in", f"{client_address(self.request)} {typed.strip().lower()}")


def operator_sign_in(request: HttpRequest) -> HttpResponse:
    """The admin's own form would let passwords be tried out, so operators use the site's."""
    if request.user.is_authenticated:
        raise PermissionDenied  # as somebody who is no operator
    return redirect_to_login(request.GET.get("next", reverse("admin:index")), "sign-in")


@login_required
@limited("address")
def account(request: SignedInRequest) -> HttpResponse:
    """The account; a new email address counts once the mail sent there has been answered."""
    form = AccountForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        _claim_address(request, request.user, form.cleaned_data["email"])
        return redirect("account")
    status = 400 if form.errors else 200
    return render(request, "ladder/account/account.html", {"form": form}, status=status)


@login_required
def address_confirm(request: SignedInRequest, claim: str) -> HttpResponse:
    """The link in that mail, opened by the very user who asked for it."""
    if accounts.confirm_address(request.user, claim):
        messages.success(request, "Your address is confirmed.")
    else:
        messages.error(request, "That link is too old, or not for this account. Ask for another.")
    return redirect("account")


@login_required
def tokens(request: SignedInRequest) -> HttpResponse:
    """API tokens: a new one's secret is shown in this answer and never again."""
    form = TokenForm(request.POST or None)
    secret, status = "", 200
    if request.method == "POST" and "revoke" in request.POST:
        pk = number(request.POST["revoke"]) or 0
        token = get_object_or_404(request.user.tokens, pk=pk)
        accounts.revoke_token(user=request.user, pk=pk)
        messages.success(request, f"The token “{token.name}” no longer works.")
        return redirect("tokens")
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                _, secret = accounts.issue_token(user=request.user, **form.cleaned_data)
                form, status = TokenForm(), 200
            except LadderError as error:
                refuse(form, error)
                status = status_of(error)
    live = queries.tokens(request.user.pk, None, accounts.MAX_TOKENS).rows
    context = {"form": form, "tokens": live, "secret": secret}
    response = render(request, "ladder/account/tokens.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


@method_decorator(limited("password_reset"), name="dispatch")
class PasswordReset(auth.PasswordResetView):
    template_name = "ladder/account/password_reset.html"
    email_template_name = "ladder/account/password_reset_email.txt"
    subject_template_name = "ladder/account/password_reset_subject.txt"
    # Not the address that was asked for: whoever asks writes the Host header, port and all.
    extra_email_context = {"site_url": settings.SITE_URL}
    success_url = reverse_lazy("password-reset-done")


class PasswordResetConfirm(auth.PasswordResetConfirmView):
    template_name = "ladder/account/password_reset_confirm.html"
    success_url = reverse_lazy("sign-in")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(
            self.request,
            "Your password is changed and your API tokens are revoked. Sign in with the new one.",
        )
        assert self.user is not None  # or the link would not have been valid
        accounts.revoke_all(self.user)
        return super().form_valid(form)


class PasswordChange(auth.PasswordChangeView):
    template_name = "ladder/account/password_change.html"
    success_url = reverse_lazy("account")

    def form_valid(self, form: Any) -> HttpResponse:
        messages.success(self.request, "Your password is changed.")
        return super().form_valid(form)
