"""Whose login an account uses: a mirror made with another one is not used."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from typing import TYPE_CHECKING, Final

from attrs import evolve

from rove_core.errors import RoveError, WrongCall
from rove_core.mirror.environment_logins import EnvironmentLogins, login_variables
from rove_core.mirror.mirror import Mirror, owner_of
from rove_core.mirror.update_limits import FOR_A_BUILD

if TYPE_CHECKING:
    from rove_core.items import AnyAccount
    from rove_core.mirror.state import MirrorState
    from rove_core.plugins.accounts import Accounts
    from rove_core.sources import AnySourceKind

_LOG: Final = logging.getLogger("rove.mirror")


async def login_owner(
    mirror: Mirror,
    account: "AnyAccount",
    kind: "AnySourceKind",
    accounts: "Accounts",
    environ: Mapping[str, str],
) -> str:
    """Return the owner of the login that an account uses.

    A login in the environment is checked with one request when it is first used; the mirror
    remembers its owner.

    Args:
        mirror: The mirror of the account, existing or not.
        account: The account.
        kind: Its kind.
        accounts: The accounts to query.
        environ: The environment.

    Raises:
        RoveError: The vendor did not say whose login the environment holds.
    """
    stored = owner_of(account)
    known = await asyncio.to_thread(_known, mirror)
    logins = EnvironmentLogins(
        variables=login_variables(account.name, kind), owners=known.owners if known else {}
    )
    owner = logins.owner(stored, environ)
    if owner is None and accounts.can(account.name, "rove_identity"):
        identity = await accounts.identity(account.name)
        owner = owner_of(evolve(account, identity=identity))
        logins = logins.having(logins.digest(environ), owner)
    if known is not None and logins != known:
        await asyncio.to_thread(_remember, mirror, logins)
    return stored if owner is None else owner


async def owner_in_time(owner: Awaitable[str]) -> str:
    """Return an owner for a build; empty, which owns no mirror, if it cannot be told in time."""
    try:
        async with asyncio.timeout(FOR_A_BUILD.seconds):
            return await owner
    except (RoveError, TimeoutError) as error:
        _LOG.warning("whose login the environment holds is not known: %r", error)
        return ""


def check_same_login(mirror: Mirror, state: "MirrorState", owner: str) -> None:
    """Check that the login that is used made a mirror.

    Raises:
        WrongCall: It was another one, which may read other things.
    """
    if state.owner != owner:
        raise WrongCall(
            f"{mirror.account}: its copy was made with another login",
            account=mirror.account,
            hint=f"Copy the same with this one: rove mirror start {mirror.account}",
        )


def _known(mirror: Mirror) -> EnvironmentLogins | None:
    """Return the logins that a mirror knows; None if it is missing or damaged."""
    try:
        state = mirror.state()
    except RoveError:
        return None
    return state.logins if state else None


def _remember(mirror: Mirror, logins: EnvironmentLogins) -> None:
    """Store the logins; if that is not possible just now, they are checked again."""
    try:
        with mirror.writing() as writer:
            writer.remember_logins(logins)
    except RoveError as error:
        _LOG.warning("the mirror of %s cannot be written: %s", mirror.account, error.message)
