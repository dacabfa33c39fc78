"""Headers of the files with which a tab runs Python. Needed by the settings, so it imports none."""

from wsgiref.headers import Headers

# A worker obeys the policy of its own response. That of a tab compiles WebAssembly; no page may.
WORKER_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"
KEEPER_POLICY = "default-src 'none'; connect-src 'self'"  # the service worker's


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
