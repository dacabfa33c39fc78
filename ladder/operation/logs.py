"""One line per event: a fixed phrase, then facts as key=value, or a JSON object by setting.

Facts that hold for a while are bound once (`structlog.contextvars`): a request's id, or the match
and attempt that a worker plays. They stand in every line until they are unbound, also in those of
libraries.
"""

from typing import Any

import structlog

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure(*, level: str, form: str) -> dict[str, Any]:
    """Set structlog up and return Django's LOGGING; `form` is text or json."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    first = ["timestamp", "level", "logger", "event"]
    render: Any = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.processors.LogfmtRenderer(key_order=first, bool_as_flag=False)
    )
    formatter = {
        "()": "structlog.stdlib.ProcessorFormatter",
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            render,
        ],
        "foreign_pre_chain": [*_SHARED, structlog.stdlib.ExtraAdder()],
    }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": formatter},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # One line per request is ours, with its id; Django's own would be a second one.
            "django.request": {"level": "ERROR"},
            "django.server": {"handlers": ["stderr"], "propagate": False, "level": "INFO"},
        },
    }
