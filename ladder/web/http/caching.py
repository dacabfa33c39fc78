"""How files that never change may be cached."""

from ladder.models import Match


def kept_for_good(match: Match) -> str:
    """Cache-Control of a match's files; shared caches get none of a tournament, which may be a
    private one."""
    whose = "public" if match.pairing_id is None else "private"
    return f"{whose}, max-age=31536000, immutable"
