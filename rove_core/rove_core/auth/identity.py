"""The identity of an account at its vendor, apart from items: quick commands load less."""

from datetime import datetime

from attrs import frozen


@frozen(kw_only=True)
class Identity:
    """An account's identity at its vendor, and what it may read.

    Attributes:
        name: The person or robot, as the vendor shows them.
        id: The vendor's own name for them.
        reads: What can be read, one line each (a project, a workspace).
        prefixes: What the ids of this account begin with (``TB``), as far as is known.
        hosts: Further hosts on which its items live (``acme.slack.com``).
        workspace: Its part of a host that many share (``acme`` of ``linear.app/acme``).
        writes: Whether the login may change what is there; None when the vendor does not tell.
        login_ends_at: When the login ends, if the vendor announces that with its replies.
    """

    name: str
    id: str = ""
    reads: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    workspace: str = ""
    writes: bool | None = None
    login_ends_at: datetime | None = None
