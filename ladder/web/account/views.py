"""Joining, signing in, the account and its API tokens."""

from __future__ import annotations

import unicodedata
from typing import Any, cast

from allauth.account.utils import perform_login
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
from django.utils.html import format_html
from django.utils.http import url_has_allowed_host_and_scheme

from ladder.errors import LadderError
from ladder.queries import accounts as queries
from ladder.queries import limits
from ladder.services import accounts
from ladder.services import sessions as sessions_of
from ladder.services.accounts import User
from ladder.services.fairness import addresses
from ladder.web.account import methods
from ladder.web.account.forms import AccountForm, ProfileForm, SignInForm, SignUpForm, TokenForm
from ladder.web.forms import refuse
from ladder.web.http import counting
from ladder.web.http.addresses import client_address
from ladder.web.http.limits import limited, too_many_requests
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


def _saved(form: ModelForm[User]) -> User | None:
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
            return too_many_requests(request, WAIT_SECONDS)
        return super().post(request, *args, **kwargs)

    def form_invalid(self, form: Any) -> HttpResponse:
        response = super().form_invalid(form)
        response.status_code = 400
        return response

    def form_valid(self, form: Any) -> HttpResponse:
        """Signed in, or on to the second factor of those who have one."""
        counting.forget(self._key())
        where = self.get_success_url()
        answer: HttpResponse = perform_login(self.request, form.get_user(), redirect_url=where)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        has_passkeys = "passkeys" in settings.SIGN_IN
        next_field = format_html(
            '<input type="hidden" name="next" value="{}">', self.get_redirect_url()
        )
        return super().get_context_data(**kwargs) | {
            "offered": methods.offered(),
            "has_passkeys": has_passkeys,
            "redirect_field": next_field,  # for the passkey's own form
        }

    def render_to_response(self, context: dict[str, Any], **kwargs: Any) -> HttpResponse:
        response = super().render_to_response(context, **kwargs)
        if settings.SIGN_IN:
            response["Content-Security-Policy"] = methods.policy()
        return response

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
    context = {
        "form": form,
        "profile_form": ProfileForm(initial={"profile": request.user.profile}),
        "has_second_factor": methods.has_second_factor(),
        "offered": methods.offered(),
    }
    return render(request, "ladder/account/account.html", context, status=status)


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
    """API tokens: the secret of a new token is shown in this answer and never again."""
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
    live = queries.tokens(request.user.pk, None, limits.MAX_TOKENS).rows
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
        """Django ends all other sessions, as they were opened with the old password."""
        old = self.request.session.session_key
        response = super().form_valid(form)
        sessions_of.moved(old=old, new=self.request.session.session_key)
        words = "Your password is changed. You are signed out everywhere else."
        if self.request.POST.get("revoke"):
            count = accounts.revoke_all(cast(User, self.request.user))
            words += f" {count} API token{'' if count == 1 else 's'} revoked."
        sessions_of.end_others(
            user=cast(User, self.request.user), key=self.request.session.session_key
        )
        messages.success(self.request, words)
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        pk = cast(User, self.request.user).pk
        live = queries.tokens(pk, None, limits.MAX_TOKENS).rows
        return super().get_context_data(**kwargs) | {"token_count": len(live)}


@login_required
def sessions(request: SignedInRequest) -> HttpResponse:
    """Where the user is signed in; all but this one can be ended."""
    key = request.session.session_key
    if request.method == "POST":
        count = sessions_of.end_others(user=request.user, key=key)
        plural = "" if count == 1 else "s"
        messages.success(request, f"Signed out everywhere else: {count} session{plural} ended.")
        return redirect("sessions")
    rows = queries.sessions(request.user.pk, key or "")
    response = render(request, "ladder/account/sessions.html", {"rows": rows})
    response["Cache-Control"] = "no-store"
    return response
