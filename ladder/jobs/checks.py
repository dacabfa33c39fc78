"""System checks: `manage.py check` says what is missing to run matches."""

from typing import Any

from django.core.checks import CheckMessage, Warning, register

from sandbox import available


@register()
def sandbox_is_available(**_: Any) -> list[CheckMessage]:
    problem = available.missing()
    return [Warning(problem, id="ladder.W001")] if problem else []
