"""What a user asked that cannot be done: a stable code and a plain sentence, for form and API."""


class LadderError(Exception):
    """`code` never changes; `str(error)` is the sentence; `status` is what the API answers."""

    code = "refused"
    status = 409

    def __init__(self, sentence: str, *, code: str = "", status: int = 0) -> None:
        super().__init__(sentence)
        self.code = code or self.code
        self.status = status or self.status


class QuotaReached(LadderError):
    code = "quota"
    status = 429


class NotAllowed(LadderError):
    code = "not_allowed"
    status = 403
