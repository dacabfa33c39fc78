# ruff: noqa: T201
"""`make audit`: known weaknesses of what the lock files name, by pip-audit and npm audit.

Both ask a service. One that does not answer is no good news: pip-audit itself would skip a package
that it cannot look up, and find nothing.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.programs.audit.verdict import of_npm, of_pip

ROOT = Path(__file__).resolve().parents[3]
LOCKS = tuple(sorted(path.name for path in ROOT.glob("requirements*.lock")))
PIP_AUDIT = [str(ROOT / "build/tools/bin/pip-audit"), "--disable-pip", "--require-hashes"]


def main() -> int:
    verdicts = []
    for lock in LOCKS:
        said = run(*PIP_AUDIT, "--progress-spinner", "off", "--format", "json", "-r", lock)
        verdicts.append(of_pip(lock, said))
    verdicts.append(of_npm("package-lock.json", run("npm", "audit", "--json")))
    for verdict in verdicts:
        print("\n".join(verdict.sentences))
    return 0 if all(verdict.is_clean for verdict in verdicts) else 1


def run(*words: str) -> object:
    """What a program says in JSON; None when it says nothing of the kind."""
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return None


if __name__ == "__main__":
    sys.exit(main())
