"""A kind of source as a plugin declares it: pure data, without a connection."""

import re
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias

import attrs

from rove_core.items import Account, SearchableField, Settings
from rove_core.login import LoginWay

if TYPE_CHECKING:
    from collections.abc import Callable

    from rove_core.hookspecs import SourceHooks
    from rove_core.http import Http

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_POSITIVE: Final = attrs.validators.ge(1)
_NOT_NEGATIVE: Final = attrs.validators.ge(0)


def _is_pattern(_: object, __: object, value: str) -> None:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"id_pattern {value!r} is not a regular expression: {error}") from error


@attrs.frozen(kw_only=True)
class SourceKind(Generic[Settings]):
    """A kind of source: Jira, Slack, a folder of notes.

    Attributes:
        name: How people and settings name it (``jira``).
        title: How documents name it (``Jira``).
        settings: An attrs class whose fields all have defaults: what an account may set.
        connect: Makes the source of one account. It does no I/O, and works without a
            credential, when only ``rove_authenticate`` may be called.
        logins: The ways to log in, best first; none for a source that needs none.
        fields: What a query may name.
        id_pattern: A regular expression for its ids; empty when ids have no shape of their own.
            An id that a person types and no account recognises is asked for at the accounts
            whose pattern it matches as a whole, as it was typed or in capitals.
        base_url: Where the vendor answers, unless an account says otherwise.
        hosts: Where the items live of an account that answers there, as far as that is
            known before anybody logs in (``github.com``).
        mirror_terms: What a person has to agree to before a local copy of an account is made, in
            a few sentences: what the vendor's terms say. Without any, to ask for it is enough.
        unlisted: What a search of an account finds and ``rove_list`` does not bring, in a few
            words (``commits and discussions``). A document says that its local copy lacks it.
        keeps_hits: Whether Rove may quote and store what a search returns. Where the vendor's terms
            forbid it, Rove only ranks by it: what belongs to a ticket it reads in full before it
            quotes it, and of the rest it stores the address alone.
    """

    name: str = attrs.field(validator=attrs.validators.matches_re(_NAME))
    title: str
    settings: type[Settings]
    connect: "Callable[[Account[Settings], Http], SourceHooks]"
    logins: tuple[LoginWay, ...] = ()
    fields: tuple[SearchableField, ...] = ()
    id_pattern: str = attrs.field(default="", validator=_is_pattern)
    base_url: str = ""
    hosts: tuple[str, ...] = ()
    mirror_terms: str = ""
    unlisted: str = ""
    keeps_hits: bool = True


AnySourceKind: TypeAlias = SourceKind[Any]


@attrs.frozen(kw_only=True)
class CommonSettings:
    """The settings every vendor's source has; a kind's own class inherits them.

    Attributes:
        rate_limit: At most so many requests a minute, below what the vendor allows.
        page_size: Items asked for per request.
        token_refresh_buffer: Seconds before its expiry at which a login is renewed, at most
            half of its life.
    """

    rate_limit: int = attrs.field(default=60, validator=_POSITIVE)
    page_size: int = attrs.field(default=50, validator=_POSITIVE)
    token_refresh_buffer: int = attrs.field(default=300, validator=_NOT_NEGATIVE)
