"""The product's settings with a folder of the tests' own; child processes inherit it."""

import os
import tempfile

os.environ["DEBUG"] = "1"
os.environ.setdefault("LADLE_VAR", tempfile.mkdtemp(prefix="ladle-test-"))
os.environ["LADLE_RATE_ANONYMOUS"] = os.environ["LADLE_RATE_USER"] = "100000/min"

from ladder.settings import *  # noqa: E402, F403
