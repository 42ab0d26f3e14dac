"""A kind of source as a plugin declares it: pure data, without a connection."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias

import attrs

from rove_core.items import Account, SearchableField, Settings
from rove_core.login import LoginWay

if TYPE_CHECKING:
    from rove_core.hookspecs import SourceHooks
    from rove_core.http import Http

#: What people call the containers of an account unless its kind says otherwise.
CONTAINERS: Final = "containers"

#: Returns how else people write an id.
FormsOf: TypeAlias = Callable[[str], Sequence[str]]

_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_GROUP: Final = re.compile(r"\{(\w+)\}")
#: What a search for an id can be told by: a word, or a number of several digits.
_TELLING: Final = re.compile(r"[^\W\d_]|\d\d")
_POSITIVE: Final = attrs.validators.ge(1)
_NOT_NEGATIVE: Final = attrs.validators.ge(0)


def _is_pattern(_: object, __: object, value: str) -> None:
    try:
        re.compile(value)
    except re.error as error:
        raise ValueError(f"id_pattern {value!r} is not a regular expression: {error}") from error


def _are_forms(kind: "AnySourceKind", _: object, value: tuple[str, ...]) -> None:
    groups = re.compile(kind.id_pattern).groupindex
    for form in value:
        if unknown := set(_GROUP.findall(form)) - set(groups):
            raise ValueError(
                f"id_forms {form!r} names {min(unknown)!r}, which is no group of id_pattern"
            )


def _filled(form: str, groups: Mapping[str, str]) -> str:
    """Return a form with the groups of an id; empty if the id lacks one of them."""
    if not set(_GROUP.findall(form)) <= set(groups):
        return ""
    return _GROUP.sub(lambda group: groups[group[1]], form)


@attrs.frozen(kw_only=True)
class SourceKind(Generic[Settings]):
    """A kind of source: Jira, Slack, a folder of notes.

    Attributes:
        name: How people and settings name it (``jira``).
        title: How documents name it (``Jira``).
        settings: An attrs class whose fields all have defaults: what an account may set. Each is a
            ``str``, ``int``, ``float``, ``bool``, ``timedelta``, `Secret`, ``tuple[str, ...]`` or
            ``Literal`` of texts, alone or with ``None``.
        connect: Makes the source of one account. It does no I/O, and works without a
            credential, when only ``rove_authenticate`` may be called.
        logins: The ways to log in, best first; none for a source that needs none.
        fields: What a query may name.
        id_pattern: A regular expression for its ids; empty when ids have no shape of their own.
            An id that a person types and no account recognises is asked for at the accounts
            whose pattern it matches as a whole, as it was typed or in capitals.
        id_forms: How else people write an id, made from the named groups of ``id_pattern``
            (``#{number}``). A build searches all accounts for these forms of its ticket's id, too;
            what is found is linked only if ``rove_recognise`` sees the ticket in it.
        base_url: Where the vendor answers, unless an account says otherwise.
        hosts: Where the items live of an account that answers there, as far as that is
            known before anybody logs in (``github.com``).
        mirror_terms: What a person has to agree to before a local copy of an account is made, in
            a few sentences: what the vendor's terms say. Without any, to ask for it is enough.
        containers: What people call the containers of an account (``channels``).
        unlisted: What a search of an account finds and ``rove_list`` does not bring, in a few
            words (``discussions``). A document says that its local copy lacks it.
        unlisted_parts: What ``rove_item_detail`` brings of an item and ``rove_list`` does not, in a
            few words (``linked pages``). A build reads its own ticket from the vendor then, and a
            document says that the local copy lacks them of other items.
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
    id_forms: tuple[str, ...] = attrs.field(default=(), validator=_are_forms)
    base_url: str = ""
    hosts: tuple[str, ...] = ()
    mirror_terms: str = ""
    containers: str = CONTAINERS
    unlisted: str = ""
    unlisted_parts: str = ""
    keeps_hits: bool = True

    @property
    def uncopied(self) -> str:
        """What a local copy of an account lacks, in a few words."""
        return " and ".join(filter(None, (self.unlisted, self.unlisted_parts)))

    def forms_of(self, text: str) -> tuple[str, ...]:
        """Return the other forms of an id; a single digit without a word is often a rank."""
        found = re.fullmatch(self.id_pattern, text) if self.id_forms else None
        if found is None:
            return ()
        groups = {name: value for name, value in found.groupdict().items() if value}
        forms = (_filled(form, groups) for form in self.id_forms)
        return tuple(each for each in forms if each != text and _TELLING.search(each))


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
