"""Real parts for tests: settings come from here, servers are started by fixtures on free ports."""

from __future__ import annotations

import os
import tempfile

# Before Django reads its settings: tests have a folder of their own and no production secrets.
os.environ.setdefault("DEBUG", "1")
os.environ["LADLE_VAR"] = tempfile.mkdtemp(prefix="ladle-test-")
os.environ.setdefault("SECRET_KEY", "only for tests")
