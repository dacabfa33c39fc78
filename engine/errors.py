"""What can go wrong inside the engine. Every message names the thing and the value."""


class EngineError(Exception):
    """Base of all engine errors; its text is a plain sentence fit for a user."""


class BadSetup(EngineError):
    """A game, seat count, option or seed that does not exist."""


class UnreadableAction(EngineError):
    """A text that is no action of this game at all."""


class IllegalAction(EngineError):
    """A readable action that the rules do not allow now. The state is untouched."""


class BadReplay(EngineError):
    """A replay that is damaged, of another version, or not what the rules give.

    `step` is where, if that is known.
    """

    def __init__(self, why: str, *, step: int | None = None) -> None:
        super().__init__(why if step is None else f"step {step}: {why}")
        self.step = step


class BadScript(EngineError):
    """A bot script that cannot be loaded: no `decide`, or a syntax error."""
