"""Where a request comes from, as far as that can be believed."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address

from django.conf import settings


def client_address(peer: str, forwarded_for: str) -> str:
    """Who asks, to count requests by: an IPv4 address, or the /64 network of an IPv6 one.

    `peer` is the host that is connected to us, `forwarded_for` the header it sent.

    Everybody can write X-Forwarded-For, but each of our proxies adds at its right end whom it
    heard. So of N proxies the Nth address from the right is true and all left of it is hearsay.
    A header that is too short or no list of addresses leaves us with the peer, our own proxy.
    """
    proxies = settings.TRUSTED_PROXIES
    heard = forwarded_for.split(",")
    data = heard[-proxies].strip() if 0 < proxies <= len(heard) else ""
    return _counted(data) or _counted(peer) or peer


def _counted(text: str) -> str:
    try:
        address = ip_address(text)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        # One host has a whole /64 to itself, so single addresses would be no limit to it.
        return str(IPv6Network((int(address) >> 64 << 64, 64)))
    return str(address)
