"""The project's own nginx.conf in a real nginx, on free ports and with a certificate of its own."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.servers import ROOT, Server, free_port


def nginx(folder: Path, *, host: str, web_port: int, stream_port: int) -> Server:
    """A server to be started; its port speaks TLS, and the certificate is fullchain.pem."""
    folder.mkdir(parents=True)
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", f"/CN={host}", "-addext", f"subjectAltName=DNS:{host}",
         "-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    secure = free_port()
    text = (ROOT / "ladder/deploy/nginx.conf").read_text()
    for old, new in {
        "web:8000": f"127.0.0.1:{web_port}",
        "stream:8001": f"127.0.0.1:{stream_port}",
        "listen 8080": f"listen 127.0.0.1:{free_port()}",
        "listen 8443": f"listen 127.0.0.1:{secure}",
        "/etc/nginx/certs/": f"{folder}/",
        "/tmp/nginx": f"{folder}/nginx",
    }.items():
        assert old in text, old
        text = text.replace(old, new)
    (folder / "nginx.conf").write_text(text)
    argv = ["nginx", "-c", str(folder / "nginx.conf"), "-g", "daemon off;"]
    return Server(argv, port=secure, log=folder / "log")
