"""Test an account's connection: its identity, and what it may read."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Self

import attrs
from attrs import frozen

from rove.known_accounts import project_accounts
from rove_core.auth.accounts import resolve_account
from rove_core.auth.connections import account_of
from rove_core.auth.login_hints import login_advice, vendor_advice
from rove_core.operations import Operation
from rove_core.terminal.tables import columns, sentences

if TYPE_CHECKING:
    from rove_core.items import AnyAccount, Identity
    from rove_core.project.project import Project


@frozen(kw_only=True)
class AccountTest:
    """The result of testing an account.

    Attributes:
        account: The account.
        kind: The kind of source it is an account of.
        base_url: Where it answered.
        who: Who one is there; empty when its source does not say, and for a folder.
        reads: What one can read there, one line each.
        prefixes: What the ids of its items begin with, as far as is known.
        login_ends_at: When the login expires for good, if its vendor announced that.
    """

    account: str
    kind: str
    base_url: str
    who: str
    reads: tuple[str, ...]
    prefixes: tuple[str, ...]
    login_ends_at: datetime | None = None

    @classmethod
    def of(cls, account: "AnyAccount", identity: "Identity | None") -> Self:
        """Return the view of an account that answered."""
        return cls(
            account=account.name,
            kind=account.kind,
            base_url=account.base_url,
            who=identity.name if identity and not account.base_url.startswith("file:") else "",
            reads=identity.reads if identity else (),
            prefixes=identity.prefixes if identity else (),
            login_ends_at=identity.login_ends_at if identity else None,
        )


async def sources_test(
    rove: "Project", *, account: Annotated[str, "One of your accounts, or its kind."]
) -> AccountTest:
    """Test an account: who you are there, and what you can read.

    Rove stores the answer, so that it recognises the ticket ids of new projects.
    """
    record = resolve_account(account, project_accounts(rove))
    meant = account_of(record, rove)
    if meant.name not in rove.accounts.names:
        await rove.connect(meant)
    identity = await identity_of(rove, meant, way=record.login)
    if identity and record.identity:
        hosts = identity.hosts or record.hosts
        rove.book.update(attrs.evolve(record, identity=identity, hosts=hosts))
    if identity:
        await rove.note_login_end(meant.name, identity.login_ends_at)
    return AccountTest.of(meant, identity)


async def identity_of(
    rove: "Project", account: "AnyAccount", *, way: str = ""
) -> "Identity | None":
    """Return the identity of a connected account; None if its source does not report one.

    Args:
        rove: The project.
        account: The account.
        way: The way by which its user logged in.
    """
    if not rove.accounts.can(account.name, "rove_identity"):
        return None
    kind = rove.plugins.kind(account.kind)
    with login_advice(account, kind, way), vendor_advice(account, kind):
        return await rove.accounts.identity(account.name)


def connection_message(tested: AccountTest) -> str:
    """Return the message about an account that answered."""
    who = f"you are {tested.who}" if tested.who else "connected"
    head = columns([[f"{tested.account}: {who}"]])
    below = columns([f"can read {line}"] for line in tested.reads)
    if tested.login_ends_at:
        below.append(f"the login expires on {tested.login_ends_at:%Y-%m-%d}")
    return sentences([*head, *(f"  {line}" for line in below)])


TEST = Operation(sources_test, changes=True, command="sources test", show=connection_message)
