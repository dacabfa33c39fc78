"""Trusted publishing: a CI job shows the token that its host signed, and gets one of ours.

A publisher binds a repository, by its number, and a workflow of it to a bot. The job's token must
be for this site, of that repository itself (a fork has another number), of that workflow file, and
of an event that strangers cannot cause. It works once, and what it is exchanged for works for ten
minutes and for that bot.
"""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from ladder.errors import Code, LadderError, Missing
from ladder.models import Bot, Token, TrustedPublisher, UsedAssertion
from ladder.services.publishing import keys

log = structlog.get_logger(__name__)

LIFE = timedelta(minutes=10)
LEEWAY_S = 30
LONGEST = 8000  # characters of a job's token
MOST_PER_BOT = 5
# Those that need write access to the repository. pull_request_target and workflow_run run the
# repository's own workflow on a stranger's wish, with a token of the repository.
EVENTS = ("push", "workflow_dispatch", "release", "schedule")
REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")
WORKFLOW = re.compile(r"[A-Za-z0-9._-]{1,110}\.ya?ml")
ENVIRONMENT = re.compile(r"[A-Za-z0-9._/ -]{0,80}")


def audience() -> str:
    """What a job must ask its token for."""
    return str(settings.SITE_URL)


def add(
    *, bot: Bot, repository: str, repository_id: str, workflow: str, environment: str = ""
) -> TrustedPublisher:
    """Let jobs of a workflow submit a bot."""
    if not settings.TRUSTED_ISSUERS:
        raise LadderError("Publishing from CI is off on this site.", code=Code.REFUSED)
    repository, workflow = repository.strip(), workflow.strip().rpartition("/")[2]
    repository_id, environment = repository_id.strip(), environment.strip()
    if not REPOSITORY.fullmatch(repository):
        raise _wrong("The repository must be written as owner/name.")
    if not re.fullmatch(r"[1-9][0-9]{0,18}", repository_id):
        raise _wrong(
            "The repository id must be a number. Find it with gh api repos/OWNER/NAME --jq .id."
        )
    if not WORKFLOW.fullmatch(workflow):
        raise _wrong("The workflow must be a file such as submit.yml.")
    if not ENVIRONMENT.fullmatch(environment):
        raise _wrong("The environment has 80 letters, digits, dots, dashes or slashes at most.")
    with transaction.atomic():
        held = Bot.objects.select_for_update().get(pk=bot.pk)
        if held.publishers.count() >= MOST_PER_BOT:
            raise LadderError(
                f"A bot can have {MOST_PER_BOT} workflows. Remove one first.", code=Code.REFUSED
            )
        found, _ = TrustedPublisher.objects.get_or_create(
            bot=held,
            issuer=settings.TRUSTED_ISSUERS[0],
            repository_id=repository_id,
            workflow=workflow,
            environment=environment,
            defaults={"repository": repository},
        )
    return found


def remove(*, bot: Bot, pk: int) -> None:
    """End the trust in a workflow, and the tokens that its jobs have now."""
    with transaction.atomic():
        if not bot.publishers.filter(pk=pk).delete()[0]:
            raise Missing(f"publisher {pk}")
        Token.objects.filter(bot=bot, revoked_at=None).update(revoked_at=timezone.now())


def exchange(*, bot: int, assertion: str) -> tuple[Token, str]:
    """Our token for a job's; every refusal says what was wrong with it."""
    claims = _claims(assertion)
    publisher = _publisher(bot, claims)
    owner = publisher.bot.owner
    if owner.is_suspended or not owner.is_active:
        raise _refused("the bot's owner is suspended")
    ends = datetime.fromtimestamp(claims["exp"], UTC) + timedelta(seconds=2 * LEEWAY_S)
    digest = hashlib.sha256(f"{claims['iss']} {claims['jti']}".encode()).hexdigest()
    try:
        with transaction.atomic():
            UsedAssertion.objects.create(digest=digest, expires_at=ends)
            TrustedPublisher.objects.filter(pk=publisher.pk).update(last_used_at=timezone.now())
            token, secret = Token.issue(
                user=owner, name=f"CI: {publisher}"[:60], scope=Token.Scope.PUBLISH
            )
            token.bot, token.expires_at = publisher.bot, timezone.now() + LIFE
            token.save(update_fields=["bot", "expires_at"])
    except IntegrityError:
        raise _refused("this token was used before") from None
    log.info("publishing token issued", bot=bot, repository=publisher.repository)
    return token, secret


def forget_old() -> None:
    """Drop what can no longer be shown again, and tokens that ended a day ago."""
    now = timezone.now()
    UsedAssertion.objects.filter(expires_at__lt=now).delete()
    ended = Token.objects.filter(scope=Token.Scope.PUBLISH, expires_at__lt=now - timedelta(days=1))
    ended.delete()


def _claims(assertion: str) -> dict[str, Any]:
    """What a signed token says, once signature, issuer, audience and times are checked."""
    if len(assertion) > LONGEST:
        raise _refused("the token is too long")
    try:
        told = jwt.decode(assertion, options={"verify_signature": False})
        issuer, kid = told.get("iss"), jwt.get_unverified_header(assertion).get("kid")
        if not isinstance(issuer, str) or issuer not in settings.TRUSTED_ISSUERS:
            raise _refused("its issuer is not trusted here")
        claims: dict[str, Any] = jwt.decode(
            assertion,
            keys.key_of(issuer, kid if isinstance(kid, str) else ""),
            algorithms=["RS256"],
            audience=audience(),
            issuer=issuer,
            leeway=LEEWAY_S,
            options={"require": ["exp", "iat", "iss", "aud", "jti"]},
        )
    except jwt.InvalidAudienceError:
        raise _refused(f"it is not for this site; ask for the audience {audience()}") from None
    except jwt.ExpiredSignatureError:
        raise _refused("the token is expired") from None
    except jwt.PyJWTError as error:
        raise _refused(f"the token is not valid ({type(error).__name__})") from None
    except keys.NoKeys as error:
        raise LadderError(
            f"The keys of the issuer cannot be read now: {error}. Try again later.",
            code=Code.REFUSED,
        ) from None
    if not isinstance(claims["aud"], str) or not isinstance(claims["jti"], str):
        raise _refused("the token is not for this site alone")
    return claims


def _publisher(bot: int, claims: dict[str, Any]) -> TrustedPublisher:
    """The publisher that a job's claims are of."""
    known = TrustedPublisher.objects.filter(bot=bot, issuer=claims["iss"])
    rows = list(known.select_related("bot__owner"))
    if not rows:
        raise _refused("no workflow may submit this bot; its owner adds one on its page")
    of_repository = [row for row in rows if row.repository_id == str(claims.get("repository_id"))]
    if not of_repository:
        raise _refused("the repository's id is not the one that the bot's owner gave")
    if claims.get("event_name") not in EVENTS:
        event = str(claims.get("event_name"))[:40]
        raise _refused(f"jobs of {event!r} may not submit; allowed are {', '.join(EVENTS)}")
    if not str(claims.get("ref", "")).startswith(("refs/heads/", "refs/tags/")):
        raise _refused("the job must run on a branch or a tag of the repository")
    files = {_workflow(claims, name) for name in ("workflow_ref", "job_workflow_ref")}
    for row in of_repository:
        wants = row.environment.lower()
        if files == {row.workflow} and wants in ("", str(claims.get("environment", "")).lower()):
            return row
    raise _refused("the workflow or its environment is not the one that the bot's owner gave")


def _workflow(claims: dict[str, Any], name: str) -> str:
    """The file of a reference such as `owner/name/.github/workflows/submit.yml@refs/heads/main`;
    nothing for a workflow of another repository."""
    path, _, _ = str(claims.get(name, "")).partition("@")
    start = f"{claims.get('repository')}/.github/workflows/"
    return path.removeprefix(start) if path.lower().startswith(start.lower()) else ""


def _wrong(sentence: str) -> LadderError:
    return LadderError(sentence, code=Code.BAD_OPTIONS)


def _refused(why: str) -> LadderError:
    return LadderError(f"The job's token is refused: {why}.", code=Code.NOT_ALLOWED)
