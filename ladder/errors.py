"""What a user asked that cannot be done: a stable code and a plain sentence, for form and API."""

from enum import StrEnum


class Code(StrEnum):
    """Every code the API can answer with. They never change; the schema lists them."""

    # What is asked makes no sense.
    BAD_CHECK_IN = "bad_check_in"
    BAD_DESCRIPTION = "bad_description"
    BAD_ENTRANTS = "bad_entrants"
    BAD_ENTRY = "bad_entry"
    BAD_FILE = "bad_file"
    BAD_IDEMPOTENCY_KEY = "bad_idempotency_key"
    BAD_NAME = "bad_name"
    BAD_OPTIONS = "bad_options"
    BAD_SEATS = "bad_seats"
    BAD_SEED = "bad_seed"
    BAD_SEEDING = "bad_seeding"
    BAD_SETS = "bad_sets"
    BAD_TABLE = "bad_table"
    BAD_TIMES = "bad_times"
    BAD_TOP_COUNT = "bad_top_count"
    BAD_TRIAL = "bad_trial"
    FORMAT_DOES_NOT_FIT = "format_does_not_fit"
    MALFORMED = "malformed"
    TOO_LONG = "too_long"
    TOO_MANY_MATCHES = "too_many_matches"
    UNKNOWN_BOARD = "unknown_board"
    UNKNOWN_FIELD = "unknown_field"
    UNKNOWN_FORMAT = "unknown_format"
    UNKNOWN_GAME = "unknown_game"
    VERSION_NEEDS_BOT = "version_needs_bot"
    VALIDATION = "validation"
    # It is not the asker's to do.
    AUTHENTICATION_FAILED = "authentication_failed"
    NEEDS_SIGN_IN = "needs_sign_in"
    NOT_ALLOWED = "not_allowed"
    NOT_AUTHENTICATED = "not_authenticated"
    NOT_INVITED = "not_invited"
    NOT_YOURS = "not_yours"
    READ_ONLY_TOKEN = "read_only_token"
    # There is no such thing.
    NO_SUCH_STEP = "no_such_step"
    NOT_ENROLLED = "not_enrolled"
    NOT_FOUND = "not_found"
    REPLAY_DROPPED = "replay_dropped"
    UNKNOWN_BOT = "unknown_bot"
    # It cannot be done as things stand.
    AFTER_FAULT = "after_fault"
    ALREADY_ANSWERED = "already_answered"
    ALREADY_ENROLLED = "already_enrolled"
    BAD_REPLAY = "bad_replay"
    BOT_NOT_ACTIVE = "bot_not_active"
    CHECK_IN_CLOSED = "check_in_closed"
    DISQUALIFIED = "disqualified"
    ENROLMENT_CLOSED = "enrolment_closed"
    ENTRY_TOP = "entry_top"
    IN_PROGRESS = "in_progress"
    MATCH_NOT_VOID = "match_not_void"
    MATCH_OVER = "match_over"
    MATCH_REPLACED = "match_replaced"
    NAME_TAKEN = "name_taken"
    NOT_PAUSED = "not_paused"
    NOT_RUNNING = "not_running"
    NOT_CONNECTED = "not_connected"
    REFUSED = "refused"
    SAME_PROGRAM = "same_program"
    SEEDING_NOT_MANUAL = "seeding_not_manual"
    TABLE_FULL = "table_full"
    TICK_APPLIED = "tick_applied"
    TOO_LATE = "too_late"
    TOO_SOON = "too_soon"
    TOO_FEW_ENTRANTS = "too_few_entrants"
    TOURNAMENT_BEGUN = "tournament_begun"
    TOURNAMENT_FULL = "tournament_full"
    TOURNAMENT_OVER = "tournament_over"
    TRIAL_OVER = "trial_over"
    TRIAL_RUNNING = "trial_running"
    VERSION_NOT_ACCEPTED = "version_not_accepted"
    # It is too much, or of the wrong kind.
    IDEMPOTENCY_KEY_REUSED = "idempotency_key_reused"
    CHANGED = "changed"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    QUOTA = "quota"
    THROTTLED = "throttled"
    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    # It is our fault.
    INTERNAL = "internal"


class LadderError(Exception):
    """`code` is for programs; `str(error)` is the sentence for people."""

    code = Code.REFUSED

    def __init__(self, sentence: str, *, code: Code | None = None) -> None:
        super().__init__(sentence)
        self.code = code or self.code


class QuotaReached(LadderError):
    code = Code.QUOTA


class NotAllowed(LadderError):
    code = Code.NOT_ALLOWED


class Missing(LadderError):
    """Something that a request names is not there; the same whether it is private or never was."""

    code = Code.NOT_FOUND

    def __init__(self, named: str) -> None:
        super().__init__(f"There is nothing here, or nothing that you may see: {named}.")
