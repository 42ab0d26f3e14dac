"""Types between Rove and its sources: references, items, queries, accounts, identities."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from attrs import Factory, field, frozen

from rove_core._item_words import Relation, Role
from rove_core.auth.identity import Identity as Identity  # noqa: PLC0414  # it is public here
from rove_core.facts import Facts
from rove_core.plugins.text_extractor import TextExtractor
from rove_core.wire.json_types import IN_JSON, JSON

Settings = TypeVar("Settings")


@frozen(kw_only=True)
class ItemRef:
    """A reference to an item, with all that is needed to fetch it.

    Attributes:
        account: The account that can read it (``jira``, ``jira:work``).
        kind: What its vendor calls it (``ticket``, ``thread``, ``merge_request``). Only its own
            source reads it; what it is to everybody else is the item's role.
        id: How its source names it (``TB-123``, ``acme/api#847``).
        url: Where a person reads it; empty when the source knows no such place.
    """

    account: str
    kind: str
    id: str
    url: str = ""

    def file(self, name: str) -> "ItemRef":
        """Return the reference to a file that is attached to the item.

        Args:
            name: One of the names in the item's ``Facts.attachments``.
        """
        return ItemRef(account=self.account, kind="file", id=f"{self.id}/file/{name}", url=self.url)


@frozen(kw_only=True)
class Link:
    """A link from an item to another one.

    Attributes:
        ref: Where the other item is.
        relation: How this item stands to it.
        words: The same in the vendor's words (``is caused by``), where those say more.
        title: The other item's title, as far as the vendor tells it.
        status: The other item's status, as far as the vendor tells it.
    """

    ref: ItemRef
    relation: Relation = "mentions"
    words: str = ""
    title: str = ""
    status: str = ""


@frozen(kw_only=True)
class ContextItem:
    """One item of a source: a ticket, a message, a pull request, a note.

    Attributes:
        ref: Where it is.
        source: The kind of source it comes from (``jira``).
        role: What it is to people, whatever its vendor calls it. It decides where in a document
            the item belongs.
        title: One line for people.
        content: Its own text as Markdown.
        timestamp: When it was last changed; aware, UTC.
        author: Who wrote it, as people know them; empty when nobody did.
        facts: What its source knows of it besides its words: status, people, labels, channel.
        links: What the source itself says it is linked to, and how.
        thread: The discussion below it, oldest first: comments, replies, reviews.
        metadata: Whatever else the source keeps for itself. Rove stores it and shows it in JSON,
            and reads nothing of it.
        item_type: The vendor's name for its type, as the reference has it.
    """

    ref: ItemRef
    source: str
    role: Role
    title: str
    content: str
    timestamp: datetime = field()
    author: str = ""
    facts: Facts = field(factory=Facts)
    links: tuple[Link, ...] = ()
    thread: tuple["ContextItem", ...] = ()
    metadata: Mapping[str, JSON] = field(factory=dict)
    item_type: str = field(
        default=Factory(lambda self: self.ref.kind, takes_self=True),
        init=False,
        eq=False,
        repr=False,
        metadata=IN_JSON,
    )

    @timestamp.validator
    def _is_aware(self, _: object, value: datetime) -> None:
        if value.tzinfo is None:
            raise ValueError(f"timestamp {value.isoformat()} of {self.ref.id} has no time zone")

    @property
    def account(self) -> str:
        """The account it was read with."""
        return self.ref.account

    @property
    def url(self) -> str:
        """Its web address."""
        return self.ref.url


@frozen
class SearchableField:
    """A field of a source that a query may name.

    Attributes:
        name: How a query names it (``ticket_title``).
        field_type: What one looks for in it.
        description: What it holds, in one line.
    """

    name: str
    field_type: Literal["text", "id_reference", "keyword"]
    description: str


@frozen(kw_only=True)
class Query:
    """A search in one account.

    Attributes:
        account: The account that is asked.
        text: Words, or an id; all of them should occur.
        fields: Only in these searchable fields; in all of them when empty.
        since: Not older than this.
        until: Not newer than this.
        limit: How many items are enough.
        one_page: Whether what one request brings is enough, though it be fewer than that.
    """

    account: str
    text: str
    fields: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    limit: int = 50
    one_page: bool = False

    def covers(self, at: datetime) -> bool:
        """Return whether a time is in the window, including both ends."""
        late_enough = self.since is None or self.since <= at
        return late_enough and (self.until is None or at <= self.until)


@frozen(kw_only=True)
class Account(Generic[Settings]):
    """One account of one person at one vendor; it serves every project that names it.

    Attributes:
        name: How people name it (``jira``, ``jira:work``).
        kind: The kind of source it is an account of.
        settings: Its settings, as the kind's own class.
        base_url: Where the vendor answers; the project's folder, as a ``file:`` URL, for a source
            that needs no login.
        hosts: Where its items live: only links to these are its own.
        identity: Who it is, as last seen.
        remotes: The git remotes of the project it serves (``github.com/acme/api``), origin first.
        extractors: How installed packages take the text out of files.
    """

    name: str
    kind: str
    settings: Settings
    base_url: str = ""
    hosts: tuple[str, ...] = ()
    identity: Identity | None = None
    remotes: tuple[str, ...] = ()
    extractors: tuple[TextExtractor, ...] = ()


AnyAccount: TypeAlias = Account[Any]


@frozen(kw_only=True)
class Section:
    """A section that a plugin adds to a ticket's document.

    Attributes:
        heading: Its heading.
        content: The Markdown below it.
    """

    heading: str
    content: str
