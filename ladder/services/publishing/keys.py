"""The public keys of issuers that the operator trusts, read from them and remembered."""

from __future__ import annotations

import json
import math
import threading
import time
from typing import Any
from urllib.parse import urlsplit

import httpcore
import jwt

KEPT_S = 3600.0
AGAIN_S = 60.0  # a key that is not known is looked for this often at most
LARGEST = 200_000
TIMEOUT = {"connect": 5.0, "read": 5.0, "write": 5.0, "pool": 5.0}

REST_S = 10.0  # an issuer that did not answer is left alone for so long
WAIT_S = 2.0  # for a request that reads the same keys now

_lock = threading.Lock()
_known: dict[str, tuple[float, dict[str, Any]]] = {}  # by issuer: when, and keys by their ids
_failed: dict[str, tuple[float, str]] = {}  # by issuer: when, and why


class NoKeys(Exception):
    """An issuer's keys cannot be read."""


def key_of(issuer: str, kid: str) -> Any:
    """The issuer's key of this id; InvalidKeyError if it has none such."""
    # Anybody can ask, and each waits in a thread of the web server: not for long, and not all.
    if not _lock.acquire(timeout=WAIT_S):
        raise NoKeys("they are being read")
    try:
        keys = _kept(issuer, kid, time.monotonic())
    finally:
        _lock.release()
    if kid not in keys:
        raise jwt.InvalidKeyError("unknown key")
    return keys[kid]


def forget() -> None:
    with _lock:
        _known.clear()
        _failed.clear()


def _kept(issuer: str, kid: str, now: float) -> dict[str, Any]:
    at, keys = _known.get(issuer, (-math.inf, {}))
    if now - at < (KEPT_S if kid in keys else AGAIN_S):
        return keys
    failed_at, why = _failed.get(issuer, (-math.inf, ""))
    if now - failed_at < REST_S:
        raise NoKeys(why)
    try:
        keys = _read(issuer)
    except NoKeys as error:
        _failed[issuer] = time.monotonic(), str(error)
        raise
    _known[issuer] = now, keys
    return keys


def _read(issuer: str) -> dict[str, Any]:
    try:
        told = _json(f"{issuer}/.well-known/openid-configuration")
        address = str(told["jwks_uri"])
        if urlsplit(address)[:2] != urlsplit(issuer)[:2]:
            raise NoKeys("its keys are on another host")
        return {
            str(key["kid"]): jwt.PyJWK(key).key
            for key in _json(address)["keys"]
            if key.get("kty") == "RSA" and "kid" in key
        }
    except (KeyError, TypeError, AttributeError, ValueError, jwt.PyJWTError) as error:
        raise NoKeys(f"they cannot be parsed ({type(error).__name__})") from None


def _json(address: str) -> Any:
    """An issuer is named by the operator, so its address needs no further check."""
    try:
        with httpcore.stream("GET", address, extensions={"timeout": TIMEOUT}) as answer:
            if answer.status != 200:
                raise NoKeys(f"it answers {answer.status}")
            content = b""
            for part in answer.iter_stream():
                content += part
                if len(content) > LARGEST:
                    raise NoKeys("the answer is too long")
    except (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError) as error:
        raise NoKeys(type(error).__name__) from None
    return json.loads(content)
