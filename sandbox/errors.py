"""What can go wrong on our side. What a bot does wrong is a value, `engine.match.Fault`."""


class SandboxError(Exception):
    """Our own failure: no jail, no disk, a starved machine. It voids the match, never a seat."""
