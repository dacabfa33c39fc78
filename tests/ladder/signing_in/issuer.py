"""An OpenID issuer that also answers as GitHub and GitLab do.

It signs in whoever comes, and signs the tokens of CI jobs.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm


class Issuer:
    """Its pages, and the person who is about to sign in there."""

    def __init__(self) -> None:
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.person = {"sub": "person-1", "preferred_username": "cook"}
        self.codes: dict[str, dict[str, str]] = {}
        self.asked: list[str] = []
        issuer = self

        class Pages(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.asked.append(self.path)
                self._answer(*issuer.get(urlsplit(self.path)))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._answer(*issuer.post(urlsplit(self.path).path, parse_qs(body)))

            def _answer(self, status: int, data: Any) -> None:
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", data)
                    data = {}
                content = json.dumps(data).encode()
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def get(self, address: Any) -> tuple[int, Any]:
        if address.path == "/.well-known/openid-configuration":
            return 200, {
                "issuer": self.url,
                "authorization_endpoint": f"{self.url}/authorize",
                "token_endpoint": f"{self.url}/token",
                "userinfo_endpoint": f"{self.url}/userinfo",
                "jwks_uri": f"{self.url}/jwks",
            }
        if address.path == "/jwks":
            public = json.loads(RSAAlgorithm.to_jwk(self.key.public_key()))
            return 200, {"keys": [public | {"kid": "one", "use": "sig", "alg": "RS256"}]}
        if address.path == "/userinfo":
            return 200, self.person
        if address.path in ("/user", "/api/v4/user"):  # GitHub's and GitLab's own answers
            return 200, {"id": 7, "login": "cook", "username": "cook"} | self.person
        if address.path.endswith("/authorize"):
            asked = {name: value for name, (value, *_) in parse_qs(address.query).items()}
            code = secrets.token_urlsafe(8)
            self.codes[code] = asked
            back = urlencode({"code": code, "state": asked["state"]})
            return 302, f"{asked['redirect_uri']}?{back}"
        return 404, {}

    def post(self, path: str, form: dict[str, list[str]]) -> tuple[int, Any]:
        asked = self.codes.pop(form.get("code", [""])[0], None)
        if asked is None or (path == "/token" and "code_verifier" not in form):
            return 400, {"error": "invalid_grant"}
        claims = self.person | {"aud": asked["client_id"], "nonce": asked.get("nonce", "")}
        return 200, {
            "access_token": "access",
            "token_type": "Bearer",
            "expires_in": 60,
            "id_token": self.token(**claims),
        }

    def token(self, *, key: Any = None, **claims: Any) -> str:
        now = int(time.time())
        whole = {"iss": self.url, "iat": now, "nbf": now, "exp": now + 300} | claims
        return jwt.encode(whole, key or self.key, "RS256", {"kid": "one"})
