"""All settings. Production is configured by environment variables only; see docs/running.md."""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

from corsheaders.defaults import default_headers
from django.core.exceptions import ImproperlyConfigured
from kombu.entity import Queue

from engine.games import GAMES
from ladder import environment as env
from ladder.jobs import broker
from ladder.operation import logs
from ladder.operation.places import s3_options
from ladder.web.http.tab import add_headers

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(env.text("LADLE_VAR", str(BASE_DIR / "var")))

DEBUG = env.flag("DEBUG", False)
SECRET_KEY = env.secret("SECRET_KEY", debug=DEBUG, development="for development only " * 3)
# Health checks on this machine ask 127.0.0.1, whatever the site's own names are.
ALLOWED_HOSTS = env.names("ALLOWED_HOSTS", "localhost,[::1],testserver" if DEBUG else "")
ALLOWED_HOSTS += ["127.0.0.1"]
CSRF_TRUSTED_ORIGINS = env.names("CSRF_TRUSTED_ORIGINS")
SITE_URL = env.text("SITE_URL", "http://localhost:8000").rstrip("/")

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "corsheaders",
    "ladder.apps.LadderConfig",
    # Sign-in beside passwords. All of it is off until LADLE_SIGN_IN names something.
    "allauth",
    "allauth.account",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.github",
    "allauth.socialaccount.providers.gitlab",
    "allauth.socialaccount.providers.openid_connect",
    "allauth.mfa",
]

MIDDLEWARE = [
    "ladder.web.http.middleware.NoBodyForHead",
    "ladder.web.http.middleware.NoCookies",
    "ladder.web.http.middleware.RequestLog",
    "django.middleware.security.SecurityMiddleware",
    # Lengths reveal nothing (BREACH): it pads answers, and masks CSRF tokens differently in each.
    "django.middleware.gzip.GZipMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # A page that refreshes itself is not sent again while nothing has changed.
    "django.middleware.http.ConditionalGetMiddleware",
    "ladder.web.http.middleware.ContentSecurityPolicy",
    "ladder.web.http.kept.KeptPages",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "corsheaders.middleware.CorsMiddleware",
    "ladder.web.http.middleware.BoundedRequests",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "ladder.web.http.middleware.SuspendedUsers",
    "ladder.web.account.methods.SignInMethods",
    "ladder.web.http.middleware.Operators",
    "ladder.web.http.middleware.Refusals",
]

ROOT_URLCONF = "ladder.urls"
WSGI_APPLICATION = "ladder.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "ladder.web.http.context.site",
            ],
        },
    },
]

DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'ladle.sqlite3'}")
DATABASES = {"default": env.database(DATABASE_URL)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        # Writers queue instead of failing: a transaction takes its write lock at once.
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
else:
    DATABASES["default"]["OPTIONS"] = {
        # A machine that is cut off must notice, and its locks must not outlast it for hours.
        "connect_timeout": 10,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 30_000,
        "options": "-c idle_in_transaction_session_timeout=60000",
        **DATABASES["default"].get("OPTIONS", {}),  # what the URL says
    }
DATABASES["default"]["CONN_HEALTH_CHECKS"] = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# A Redis that the operator names, else the private one that `make run` started in this folder. With
# neither, as in a command beside a site that is down, caches and messages stay in the process.
REDIS_URL = env.text("REDIS_URL") or broker.url(VAR_DIR)
REDIS_CACHE = {
    "BACKEND": "ladder.web.http.cache.FailOpenCache",
    "LOCATION": REDIS_URL,
    "OPTIONS": {"socket_connect_timeout": 1, "socket_timeout": 2},
}
PROCESS_CACHE = {
    "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
    "LOCATION": "shared",
    "OPTIONS": {"MAX_ENTRIES": 10_000},
}
CACHES = {
    "default": REDIS_CACHE if REDIS_URL else PROCESS_CACHE,
    # Whole pages, in each web process.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 500},
    },
}
PAGES_KEPT_SECONDS = 2

AUTH_USER_MODEL = "ladder.User"
PASSWORD_HASHERS = [
    "ladder.web.account.passwords.Argon2",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "my-bots"
LOGOUT_REDIRECT_URL = "home"

# Ways to sign in beside a password: github, gitlab, oidc, passkeys, codes.
SIGN_IN = env.names("LADLE_SIGN_IN")
if unknown := set(SIGN_IN) - {"github", "gitlab", "oidc", "passkeys", "codes"}:
    raise ImproperlyConfigured(
        f"LADLE_SIGN_IN names {', '.join(sorted(unknown))}; known are github, gitlab, oidc,"
        " passkeys and codes"
    )
OPERATORS_NEED_SECOND_FACTOR = env.flag("LADLE_OPERATORS_NEED_SECOND_FACTOR", False)
GITLAB_URL = env.text("LADLE_GITLAB_URL", "https://gitlab.com" if "gitlab" in SIGN_IN else "")
OIDC_ISSUER = env.text("LADLE_OIDC_ISSUER")
OIDC_NAME = env.text("LADLE_OIDC_NAME", "single sign-on")
SOCIALACCOUNT_PROVIDERS = {
    "github": {
        "APPS": [
            {
                "client_id": env.text("LADLE_GITHUB_ID"),
                "secret": env.text("LADLE_GITHUB_SECRET"),
            }
        ]
        if "github" in SIGN_IN
        else [],
        "SCOPE": [],  # the public profile is enough
    },
    "gitlab": {
        "APPS": [
            {
                "client_id": env.text("LADLE_GITLAB_ID"),
                "secret": env.text("LADLE_GITLAB_SECRET"),
                "settings": {"gitlab_url": GITLAB_URL},
            }
        ]
        if "gitlab" in SIGN_IN
        else [],
        "SCOPE": ["read_user"],
    },
    "openid_connect": {
        "OAUTH_PKCE_ENABLED": True,
        "SCOPE": ["openid", "profile"],
        "APPS": [
            {
                "provider_id": "oidc",
                "name": OIDC_NAME,
                "client_id": env.text("LADLE_OIDC_ID"),
                "secret": env.text("LADLE_OIDC_SECRET"),
                "settings": {"server_url": OIDC_ISSUER},
            }
        ]
        if "oidc" in SIGN_IN
        else [],
    },
}
ACCOUNT_ADAPTER = "ladder.web.account.adapters.Account"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email"]  # the form below asks for a name alone
ACCOUNT_EMAIL_VERIFICATION = "none"  # addresses are confirmed by our own mail
ACCOUNT_USERNAME_MIN_LENGTH = 1
SOCIALACCOUNT_ADAPTER = "ladder.web.account.adapters.Social"
SOCIALACCOUNT_FORMS = {"signup": "ladder.web.account.social.NameForm"}
SOCIALACCOUNT_AUTO_SIGNUP = False  # everyone chooses a name
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False  # an account is never found by its address
SOCIALACCOUNT_QUERY_EMAIL = False
SOCIALACCOUNT_EMAIL_REQUIRED = False
SOCIALACCOUNT_STORE_TOKENS = False
MFA_ADAPTER = "ladder.web.account.adapters.SecondFactor"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_ISSUER = "Ladle"
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not env.flag("LADLE_HTTPS", not DEBUG)  # localhost

EMAIL_HOST = env.text("EMAIL_HOST")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'console'}.EmailBackend"
EMAIL_PORT = env.number("EMAIL_PORT", 587)
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS", True)
EMAIL_TIMEOUT = 20  # seconds; a server that hangs holds up nothing but the thread that sends mail
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "Ladle <ladle@localhost>")

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
# What `npm run build` makes of our scripts and styles stands before what it is made of.
BUNDLES = BASE_DIR / "build" / "static"
STATICFILES_DIRS: list[Path | tuple[str, Path]] = [BUNDLES] if BUNDLES.is_dir() else []
STATICFILES_DIRS += [
    (f"games/{slug}", game.folder / "static")
    for slug, game in GAMES.items()
    if (game.folder / "static").is_dir()
]
# What a tab runs Python with is made and compressed at set-up and served as it lies, at /tab/.
SERVED = BASE_DIR / "build" / "served"
WHITENOISE_ROOT = SERVED if SERVED.is_dir() else None
WHITENOISE_ADD_HEADERS_FUNCTION = add_headers
# Sources and replays: in a folder, or in the database for machines that share none.
MEDIA = env.text("LADLE_MEDIA", str(VAR_DIR / "media"))
IS_MEDIA_SHARED = MEDIA == "database" or MEDIA.startswith("s3://")
MEDIA_ROOT = VAR_DIR / "media" if IS_MEDIA_SHARED else Path(MEDIA)
if MEDIA.startswith("s3://"):
    MEDIA_STORAGE: dict[str, Any] = {
        "BACKEND": "ladder.operation.s3.S3Files",
        "OPTIONS": s3_options(MEDIA, endpoint=env.text("LADLE_MEDIA_ENDPOINT")),
    }
elif MEDIA == "database":
    MEDIA_STORAGE = {"BACKEND": "ladder.operation.storage.DatabaseFiles"}
else:
    MEDIA_STORAGE = {"BACKEND": "ladder.operation.storage.MediaFiles"}
STORAGES = {
    "default": MEDIA_STORAGE,
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "ladder.web.http.static.StaticFiles"
    },
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20  # of any request, files included
FILE_UPLOAD_MAX_MEMORY_SIZE = 2 * 2**20

# Behind a proxy that speaks TLS; the embedded run on one machine speaks plain HTTP.
SECURE = env.flag("LADLE_HTTPS", not DEBUG)
SECURE_SSL_REDIRECT = SECURE
# How many proxies stand between the clients and us, each naming its peer in X-Forwarded-For.
TRUSTED_PROXIES = env.number("LADLE_TRUSTED_PROXIES", 0)
# Only a proxy may say that the client spoke TLS; anyone else's word for it is not taken.
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE
SECURE_HSTS_PRELOAD = SECURE
SESSION_COOKIE_SECURE = SECURE
CSRF_COOKIE_SECURE = SECURE
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CORS_ALLOW_ALL_ORIGINS = True
CORS_URLS_REGEX = r"^/api/v1/"
CORS_ALLOW_METHODS = ["GET", "HEAD", "OPTIONS"]
CORS_ALLOW_HEADERS = [*default_headers, "if-none-match", "if-match", "idempotency-key"]
CORS_EXPOSE_HEADERS = [
    *("ETag", "Retry-After", "RateLimit", "RateLimit-Policy"),
    *("Location", "Idempotency-Replayed", "X-Request-ID"),
]

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "ladder.api.authentication.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "ladder.api.permissions.ReadOrScope",
        "ladder.api.permissions.NoTokenWhereSignInIsNeeded",
        "ladder.api.permissions.OnlyItsBot",
    ],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "ladder.api.negotiation.AlwaysJSON",
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["ladder.api.parsers.StrictJSON"],
    "DEFAULT_PAGINATION_CLASS": "ladder.api.pagination.Pages",
    "DEFAULT_SCHEMA_CLASS": "ladder.api.schema.ProblemSchema",
    "DEFAULT_THROTTLE_CLASSES": ["ladder.api.throttling.Throttle"],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.text("LADLE_RATE_ANONYMOUS", "120/min"),
        "user": env.text("LADLE_RATE_USER", "600/min"),
    },
    "NUM_PROXIES": TRUSTED_PROXIES,  # for DRF's own throttles; ours ask ladder.web.http.addresses
    "EXCEPTION_HANDLER": "ladder.api.problems.handler",
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}

CELERY_BROKER_URL = re.sub("^unix://", "redis+socket://", REDIS_URL) or "memory://"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1  # a message held back wakes no other worker
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# By a match's priority. `celery worker -Q checks` serves one kind of work alone.
QUEUES = ["checks", "challenges", "tournaments", "ladder"]
CELERY_TASK_QUEUES = [Queue(name) for name in QUEUES]  # type: ignore[no-untyped-call]
CELERY_TASK_DEFAULT_QUEUE = QUEUES[-1]
# A message is a nudge; the row it is about holds the truth. So a lost one costs a sweep, not a
# match, and one delivered twice finds nothing to claim.
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": timedelta(hours=2).total_seconds()}

LOGGING = logs.configure(
    level=env.choice("LADLE_LOG_LEVEL", "INFO", ["DEBUG", "INFO", "WARNING", "ERROR"]),
    form=env.choice("LADLE_LOG_FORMAT", "text", ["text", "json"]),
)

# Ladle's own.
# Forms that anyone may send, by address; a school or a company may share one.
RATE_SIGN_IN = env.text("LADLE_RATE_SIGN_IN", "300/hour")
RATE_ADDRESS = env.text("LADLE_RATE_ADDRESS", "30/hour")
RATE_SIGN_UP = env.text("LADLE_RATE_SIGN_UP", "100/hour")
RATE_DAILY = env.text("LADLE_RATE_DAILY", "120/hour")  # daily deals begun and checked
RATE_EXPORT = env.text("LADLE_RATE_EXPORT", "10/hour")  # copies of a user's own data
RATE_SHARE = env.text("LADLE_RATE_SHARE", "30/hour")  # plays shared without an account
RATE_TABLES = env.text("LADLE_RATE_TABLES", "60/hour")  # made or joined by people
RATE_HINTS = env.text("LADLE_RATE_HINTS", "600/hour")  # asked for at tables of people
RATE_CARDS = env.text("LADLE_RATE_CARDS", "60/min")  # pictures for links, made on request
RATE_PASSWORD_RESET = env.text("LADLE_RATE_PASSWORD_RESET", "30/hour")
TOKEN_LIFE = timedelta(days=env.number("LADLE_TOKEN_DAYS", 365, least=1))
BENCH_AFTER = env.number("LADLE_BENCH_AFTER", 5)  # faulty ladder matches in a row; 0: never
# A bot that its author retired cannot come back at once: else retiring would be a way to sit out.
RETIRED_REST = timedelta(minutes=env.number("LADLE_RETIRED_REST_MINUTES", 60))
MAX_BOTS_PER_USER = env.number("LADLE_MAX_BOTS_PER_USER", 20)
MAX_UPLOADS_PER_DAY = env.number("LADLE_MAX_UPLOADS_PER_DAY", 60)
MAX_CHALLENGES_PER_DAY = env.number("LADLE_MAX_CHALLENGES_PER_DAY", 100)
MAX_TRIALS_PER_DAY = env.number("LADLE_MAX_TRIALS_PER_DAY", 10)
MAX_TOURNAMENTS_PER_USER = env.number("LADLE_MAX_TOURNAMENTS_PER_USER", 3)
MAX_ANALYSES_PER_DAY = env.number("LADLE_MAX_ANALYSES_PER_DAY", 20)
# Per cent of a worker's time that analyses may take from a busy ladder; 0: there are none here.
ANALYSIS_SHARE = env.number("LADLE_ANALYSIS_SHARE", 3)
# Exhibitions: per cent of the workers' CPU time that they may use when nothing else is played (0:
# there are none), the pause before each of their decisions, so that people can follow, the pause
# between two of them, and how long they are stored.
EXHIBITION_SHARE = env.number("LADLE_EXHIBITION_SHARE", 5)
EXHIBITION_PACE_MS = env.number("LADLE_EXHIBITION_PACE_MS", 700)
EXHIBITION_PAUSE = timedelta(seconds=env.number("LADLE_EXHIBITION_PAUSE_SECONDS", 20))
KEEP_EXHIBITIONS_DAYS = env.number("LADLE_KEEP_EXHIBITIONS_DAYS", 14)  # 0: for ever
# A cup of every game on every day, at this hour (UTC).
DAILY_CUPS = env.flag("LADLE_DAILY_CUPS", True)
CUP_HOUR = env.number("LADLE_CUP_HOUR", 18)
MAX_KEPT_PLAYS = env.number("LADLE_MAX_KEPT_PLAYS", 200)
MAX_DRAFTS = env.number("LADLE_MAX_DRAFTS", 50)
MAX_SHARED_DRAFTS = env.number("LADLE_MAX_SHARED_DRAFTS", 50)
MAX_GUEST_PLAYS = env.number("LADLE_MAX_GUEST_PLAYS", 10000)
KEEP_GUEST_PLAYS_DAYS = env.number("LADLE_KEEP_GUEST_PLAYS_DAYS", 30, least=1)
KEEP_ADDRESS_DAYS = env.number("LADLE_KEEP_ADDRESS_DAYS", 90)  # hashes of them; 0: none are saved
KEEP_REPLAYS_DAYS = env.number("LADLE_KEEP_REPLAYS_DAYS", 0)  # of ladders and trials; 0: for ever
# The stream of events: on the site itself behind a proxy (an address), or on another port of it.
STREAM_URL = env.text("LADLE_STREAM_URL")
STREAM_PORT = env.number("LADLE_STREAM_PORT", 0)
STREAM_MOST = env.number("LADLE_STREAM_MOST", 2000, least=1)  # open at once
STREAM_MOST_PER_ADDRESS = env.number("LADLE_STREAM_MOST_PER_ADDRESS", 60, least=1)
# Webhooks to this very machine, by plain HTTP: for tests and development only.
WEBHOOK_ALLOW_LOOPBACK = env.flag("LADLE_WEBHOOK_ALLOW_LOOPBACK", False)
# CI systems whose jobs may submit bots, by their OpenID issuers; empty: none.
TRUSTED_ISSUERS = env.names("LADLE_TRUSTED_ISSUERS", "https://token.actions.githubusercontent.com")
KEEP_NOTICES_DAYS = env.number("LADLE_KEEP_NOTICES_DAYS", 180)  # 0: for ever
KEEP_EVENTS_DAYS = env.number("LADLE_KEEP_EVENTS_DAYS", 30)  # 0: for ever
REPRODUCED_SHARE = env.number("LADLE_REPRODUCED_SHARE", 2)  # per cent of matches, see jobs/proofs
MATCH_LEASE = timedelta(seconds=env.number("LADLE_LEASE_SECONDS", 60, least=2))
# Remote bots: seconds per play by tempo, and for being away; tables at once on one host.
TEMPO_SECONDS = {
    "fast": env.number("LADLE_TEMPO_FAST_SECONDS", 60, least=1),
    "normal": env.number("LADLE_TEMPO_NORMAL_SECONDS", 600, least=1),
    "slow": env.number("LADLE_TEMPO_SLOW_SECONDS", 3600, least=1),
}
REMOTE_GRACE_SECONDS = env.number("LADLE_REMOTE_GRACE_SECONDS", 120, least=1)
REMOTE_LEASE = timedelta(seconds=env.number("LADLE_REMOTE_LEASE_SECONDS", 6, least=2))
MAX_TABLES = env.number("LADLE_MAX_TABLES", 20, least=1)
# Tables of people: for all on the site, seconds to think and to be away, and how long one is kept.
MAX_PEOPLE_TABLES = env.number("LADLE_MAX_PEOPLE_TABLES", 40, least=0)
PEOPLE_SECONDS = env.number("LADLE_PEOPLE_SECONDS", 7200, least=1)
PEOPLE_GRACE_SECONDS = env.number("LADLE_PEOPLE_GRACE_SECONDS", 7200, least=1)
PEOPLE_WAIT_HOURS = env.number("LADLE_PEOPLE_WAIT_HOURS", 24, least=1)
MAX_REMOTE_PER_PAIR = env.number("LADLE_MAX_REMOTE_PER_PAIR", 50)  # matches of two bots a day
MAX_OPEN_CLASS_PER_DAY = env.number("LADLE_MAX_OPEN_CLASS_PER_DAY", 200)  # matches of a bot
MAX_REMOTE_PER_OWNER = env.number("LADLE_MAX_REMOTE_PER_OWNER", 400)  # of all bots of an owner
MAX_OPEN_REMOTE_PER_USER = env.number("LADLE_MAX_OPEN_REMOTE_PER_USER", 4)
MAX_ATTEMPTS = env.number("LADLE_MAX_ATTEMPTS", 5, least=1)
WORKERS = env.number("LADLE_WORKERS", 2, least=1)  # how many matches run at once on one machine
CPU_SHARE = env.number("LADLE_CPU_SHARE", 100, least=1)  # per cent of the time a worker may play
# Make the processor's caches forget between plays that count, see sandbox/caches.py.
SWEEP_CACHES = env.flag("LADLE_SWEEP_CACHES", True)
# Rated play goes on where plays are not independent of each other, see sandbox/place.py.
ALLOW_SHARED_CACHE = env.flag("LADLE_ALLOW_SHARED_CACHE", False)
SCHEDULER_PERIOD_MS = env.number("LADLE_SCHEDULER_PERIOD_MS", 500, least=50)
METRICS_TOKEN = env.text("LADLE_METRICS_TOKEN")  # empty: /metrics is open
QUEUE_TARGET = env.number("LADLE_QUEUE_TARGET", 6, least=1)  # ladder matches kept waiting

SPECTACULAR_SETTINGS = {
    "TITLE": "Ladle API",
    "DESCRIPTION": "Submit bots, read ladders, download and verify replays.",
    "VERSION": "1",
    "SERVERS": [{"url": "/", "description": "The site that serves this description."}],
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,  # it repeats the values
    "POSTPROCESSING_HOOKS": ["ladder.api.schema.exact"],
}
