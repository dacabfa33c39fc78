"""What can go wrong on our side. What a bot does wrong is a value, `engine.match.Fault`."""


class SandboxError(Exception):
    """Our own failure: no jail, no disk, a starved machine. It voids the match, never a seat."""


class Starved(SandboxError):
    """A bot was late, and by the kernel's books it was this machine that kept it waiting."""

    slot: int | None = None  # which entry of the match it was, where that is known
