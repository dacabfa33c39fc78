"""Static files with a hash in their names, once `collectstatic` has run."""

from functools import cache

import structlog
from whitenoise.storage import CompressedManifestStaticFilesStorage

log = structlog.get_logger(__name__)


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Without `collectstatic` pages are plain, not broken; /readyz says what to run."""

    manifest_strict = False

    def stored_name(self, name: str) -> str:
        try:
            return super().stored_name(name)
        except ValueError:
            _warn(name)
            return name


@cache
def _warn(name: str) -> None:
    log.error("static file missing; run manage.py collectstatic", name=name)
