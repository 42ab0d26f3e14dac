"""Resolve foreign host names and check their addresses before connecting.

A name that anybody can register may lead to this machine or into its network, and to another
place each time it is resolved. So it is resolved once, and the connection goes to what was checked.
"""

import asyncio
import socket
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import Final
from urllib.request import getproxies, proxy_bypass

from rove_core.errors import WrongCall
from rove_core.http.addresses import Address, parse_address

#: The translation of IPv4 addresses into IPv6 ones that networks without IPv4 use.
_NAT64: Final = "64:ff9b::"


async def public_addresses(address: Address, own: Collection[str], account: str) -> Sequence[str]:
    """Return the IP addresses to connect to; empty if the host's name may be used as it is.

    Args:
        address: Where a request goes, to a host that is not the account's.
        own: The account's hosts.
        account: The account's name.

    Raises:
        WrongCall: The name leads into this machine's network, and the account is outside of it.
        OSError: The name cannot be resolved.
    """
    if any(parse_address(f"https://{host}").is_internal for host in own):
        return ()
    is_proxied, may_pin = _proxied(address)
    if is_proxied:
        return ()  # The proxy resolves the name, and knows what may be reached through it.
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
    """Return whether a request goes through a proxy, and whether one by number could not."""
    proxies = getproxies()
    if not {address.scheme, "all"} & proxies.keys():
        return False, True
    return not proxy_bypass(address.name), False
