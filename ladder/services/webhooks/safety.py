"""Requests to addresses that strangers chose: nothing of ours, and nobody's inner network.

A name is looked up once, every address it has is looked at, and the connection goes to one of
those very addresses, whose peer is looked at again: so a name that changes its answer between
check and use (rebinding) gains nothing. Redirects are not followed.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Iterable, Iterator
from typing import Any

import httpcore
from django.conf import settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
NAT64 = ipaddress.ip_network("64:ff9b::/96")
UNICAST = ipaddress.ip_network("2000::/3")  # all that is given out of IPv6 so far
# Networks that Python takes for global, or that carry an IPv4 address in a way of their own.
FORBIDDEN = [
    ipaddress.ip_network(text) for text in (*("2001::/23", "192.88.99.0/24", "168.63.129.16/32"),)
]
ISATAP = {0x00005EFE, 0x02005EFE}  # the middle of an IPv6 address that ends in an IPv4 one


class Refused(Exception):
    """An address that nothing may be sent to; the text is a sentence for its user."""


def is_forbidden(address: Address) -> bool:
    """Whether this is no address of the public internet, in whatever form it is written."""
    if settings.WEBHOOK_ALLOW_LOOPBACK and address.is_loopback:
        return False
    return any(
        not one.is_global
        or one.is_multicast
        or (one.version == 6 and one not in UNICAST)
        or any(one in network for network in FORBIDDEN if network.version == one.version)
        for one in _forms(address)
    )


def _forms(address: Address) -> Iterator[Address]:
    """The address, and every IPv4 address that it may lead to."""
    if isinstance(address, ipaddress.IPv4Address):
        yield address
        return
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
        return
    last = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    if address in NAT64:
        yield last
        return
    yield address
    if address.sixtofour is not None:
        yield address.sixtofour
    if address.teredo is not None:
        yield from address.teredo
    if int(address) >> 32 & 0xFFFFFFFF in ISATAP:
        yield last


def looked_up(host: str, port: int) -> list[str]:
    """The addresses of a host, all of them public; Refused otherwise."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise Refused(f"There is no host {host!r}.") from None
    addresses = list(dict.fromkeys(str(row[4][0]) for row in found))
    for text in addresses:
        require_public(text)
    return addresses


def require_public(text: str) -> None:
    if is_forbidden(ipaddress.ip_address(text.partition("%")[0])):
        raise Refused("The address is private, local or reserved; only public ones are allowed.")


class GuardedBackend(httpcore.NetworkBackend):
    """Connects to public addresses only, and ends everything at a deadline."""

    def __init__(self, seconds: float) -> None:
        self._backend = httpcore.SyncBackend()
        self._deadline = time.monotonic() + seconds

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        failure: Exception = Refused(f"There is no host {host!r}.")
        for address in looked_up(host, port)[:4]:
            try:
                stream = self._backend.connect_tcp(address, port, left(self._deadline, timeout))
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            try:
                require_public(stream.get_extra_info("socket").getpeername()[0])
            except BaseException:
                stream.close()
                raise
            return BoundedStream(stream, self._deadline)
        raise failure

    def connect_unix_socket(self, *args: Any, **kwargs: Any) -> httpcore.NetworkStream:
        raise Refused("Only addresses of the internet are allowed.")


class BoundedStream(httpcore.NetworkStream):
    """A connection whose every step ends at the deadline: a server may be slow, not endless."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: float) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, left(self._deadline, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, left(self._deadline, timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(
            ssl_context, server_hostname, left(self._deadline, timeout)
        )
        return BoundedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def left(deadline: float, timeout: float | None) -> float:
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise httpcore.ReadTimeout("The server took too long.")
    return seconds if timeout is None else min(seconds, timeout)


def post(url: str, body: bytes, headers: dict[str, str], *, seconds: float = 15) -> int:
    """Send a body; the status of the answer, of which no more is read. No redirect is followed."""
    with (
        httpcore.ConnectionPool(network_backend=GuardedBackend(seconds), retries=0) as pool,
        pool.stream("POST", url, headers=list(headers.items()), content=body) as answer,
    ):
        return answer.status
