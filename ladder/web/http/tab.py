"""Headers of the files with which a tab runs bots. Needed by the settings, so it imports none."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from wsgiref.headers import Headers

# A worker obeys the policy of its own response. That of a tab compiles WebAssembly; no page may.
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
KEEPER_POLICY = "default-src 'none'; connect-src 'self'"  # the service worker's

# For bots that nobody trusts: no origin, no network, no script but the frame's own and what it is
# handed. Workers made of a blob obey it too.
FRAME_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src '{script}' 'wasm-unsafe-eval' blob:",
        "worker-src blob:",
        "connect-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "base-uri 'none'",
        "sandbox allow-scripts",
    ]
)


def add_headers(headers: Headers, path: str, url: str) -> None:
    """For WhiteNoise, which serves them ahead of every middleware of ours."""
    if url == "/keeper.js":
        headers["Cache-Control"] = "no-cache"
        headers["Content-Security-Policy"] = KEEPER_POLICY
    if not url.startswith("/tab/"):
        return
    # A folder there is named by its contents.
    headers["Cache-Control"] = "max-age=31536000, public, immutable"
    if url.endswith("/worker.js"):
        headers["Content-Security-Policy"] = WORKER_POLICY
    elif url.endswith("/frame.html"):
        headers["Content-Security-Policy"] = frame_policy(Path(path).read_bytes())


def frame_policy(page: bytes) -> str:
    """The policy that lets a page run the one script that stands in it."""
    (script,) = re.findall(rb"<script>(.*)</script>", page, re.DOTALL)
    digest = b64encode(sha256(script).digest()).decode()
    return FRAME_POLICY.format(script=f"sha256-{digest}")
