"""The HTTP status of each code; services know codes only."""

from ladder.errors import Code, LadderError

AS_THINGS_STAND = 409
STATUSES = {
    400: (
        Code.BAD_CHECK_IN,
        Code.BAD_DESCRIPTION,
        Code.BAD_ENTRANTS,
        Code.BAD_ENTRY,
        Code.BAD_FILE,
        Code.BAD_IDEMPOTENCY_KEY,
        Code.BAD_NAME,
        Code.BAD_OPTIONS,
        Code.BAD_SEATS,
        Code.BAD_SEED,
        Code.BAD_SEEDING,
        Code.BAD_SETS,
        Code.BAD_TABLE,
        Code.BAD_TIMES,
        Code.BAD_TOP_COUNT,
        Code.BAD_TRIAL,
        Code.FORMAT_DOES_NOT_FIT,
        Code.MALFORMED,
        Code.TOO_LONG,
        Code.TOO_MANY_MATCHES,
        Code.UNKNOWN_BOARD,
        Code.UNKNOWN_FIELD,
        Code.UNKNOWN_FORMAT,
        Code.UNKNOWN_GAME,
        Code.VALIDATION,
        Code.VERSION_NEEDS_BOT,
    ),
    401: (Code.AUTHENTICATION_FAILED, Code.NOT_AUTHENTICATED),
    403: (
        Code.NEEDS_SIGN_IN,
        Code.NOT_ALLOWED,
        Code.NOT_INVITED,
        Code.NOT_YOURS,
        Code.READ_ONLY_TOKEN,
    ),
    404: (Code.NO_SUCH_STEP, Code.NOT_ENROLLED, Code.NOT_FOUND, Code.UNKNOWN_BOT),
    405: (Code.METHOD_NOT_ALLOWED,),
    410: (Code.REPLAY_DROPPED,),
    412: (Code.CHANGED,),
    413: (Code.TOO_LARGE,),
    415: (Code.UNSUPPORTED_MEDIA_TYPE,),
    422: (Code.IDEMPOTENCY_KEY_REUSED,),
    429: (Code.QUOTA, Code.THROTTLED),
    500: (Code.INTERNAL,),
}
STATUS = {code: status for status, codes in STATUSES.items() for code in codes}


def status_of(error: LadderError) -> int:
    return STATUS.get(error.code, AS_THINGS_STAND)
