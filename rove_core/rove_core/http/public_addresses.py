"""Resolve foreign host names and check their addresses before connecting, against SSRF.

Anybody can register a name that resolves to this machine or its network, or to another address
each time (DNS rebinding). So it is resolved once, and the connection goes to a checked address.
"""

import asyncio
import socket
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Final
from urllib.request import getproxies, proxy_bypass

from rove_core.errors import WrongCall
from rove_core.http.addresses import Address, parse_address

#: The prefix of IPv4 addresses in networks that only have IPv6.
_NAT64: Final = "64:ff9b::"


async def public_addresses(address: Address, own: Collection[str], account: str) -> Sequence[str]:
    """Return the IP addresses to connect to; empty if the host's name may be used as it is.

    Args:
        address: The address of a request, on a host that is not the account's.
        own: The account's hosts.
        account: The account's name.

    Raises:
        WrongCall: The name resolves into this machine's network, and the account is outside of it.
        OSError: The name cannot be resolved.
    """
    if any(parse_address(f"https://{host}").is_internal for host in own):
        return ()
    is_proxied, may_pin = _proxied(address)
    if is_proxied:
        return ()  # The proxy resolves the name, and decides what may be reached through it.
    found = await _resolved(address.name, address.port)
    internal = next(filter(_is_internal, found), None)
    if internal is None:
        return found if may_pin else ()
    if await _is_any_internal(own):
        return ()
    raise WrongCall(
        f"{address.host} leads to {internal}, which is on your own network, and {account} is not: "
        "request refused"
    )


async def _resolved(name: str, port: int) -> Sequence[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


async def _is_any_internal(hosts: Collection[str]) -> bool:
    for host in hosts:
        at = parse_address(f"https://{host}")
        with suppress(OSError, UnicodeError):
            if any(map(_is_internal, await _resolved(at.name, at.port))):
                return True
    return False


def _is_internal(ip: str) -> bool:
    name = ip.partition("%")[0]
    if name.startswith(_NAT64):
        name = f"::ffff:{name.removeprefix(_NAT64)}"
    return parse_address(f"https://[{name}]" if ":" in name else f"https://{name}").is_internal


def _proxied(address: Address) -> tuple[bool, bool]:
    """Return whether a request uses a proxy, and whether it may connect to an IP address."""
    proxies = getproxies()
    if not {address.scheme, "all"} & proxies.keys():
        return False, True
    return not proxy_bypass(address.name), False
