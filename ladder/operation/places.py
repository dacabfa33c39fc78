"""Where `LADLE_MEDIA` says that files lie, as settings of a storage; no Django."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit


def s3_options(address: str, *, endpoint: str = "") -> dict[str, Any]:
    """The options of `s3://BUCKET/FOLDER`; keys and region come from the usual AWS_ variables."""
    parts = urlsplit(address)
    if not parts.netloc:
        raise SystemExit(f"LADLE_MEDIA is {address!r}; write s3://BUCKET or s3://BUCKET/FOLDER.")
    options = {
        "bucket_name": parts.netloc,
        "location": parts.path.strip("/"),
        "file_overwrite": True,  # a name says what is in the file
        "default_acl": None,
    }
    return options | ({"endpoint_url": endpoint} if endpoint else {})
