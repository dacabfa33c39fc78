"""The product's settings with a folder of the tests' own; child processes inherit it."""

import os
import tempfile
from pathlib import Path

os.environ["DEBUG"] = "1"
# Each core's tests have a folder of their own: they share no cache, broker or files.
folder = Path(os.environ.get("LADLE_VAR") or tempfile.mkdtemp(prefix="ladle-test-"))
folder /= os.environ.get("PYTEST_XDIST_WORKER", "")
folder.mkdir(parents=True, exist_ok=True)
os.environ["LADLE_VAR"] = str(folder)
os.environ["LADLE_RATE_ANONYMOUS"] = os.environ["LADLE_RATE_USER"] = "100000/min"
os.environ["LADLE_RATE_SIGN_UP"] = os.environ["LADLE_RATE_PASSWORD_RESET"] = "100000/min"

from ladder.settings import *  # noqa: E402, F403

# A file, as in the product: threads that share one in memory cannot wait for each other's locks.
DATABASES["default"]["TEST"] = {"NAME": str(folder / "test.sqlite3")}  # noqa: F405

# Argon2 is slow on purpose; a test that makes ten users need not be. The sign-in tests use both.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher", *PASSWORD_HASHERS]  # noqa: F405

STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # noqa: F405  whitenoise warns where it is missing

PAGES_KEPT_SECONDS = 0  # a test sees what it has just done
