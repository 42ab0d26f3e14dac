"""Convert a server's answers to items."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, cast
from urllib.parse import quote, unquote, urlsplit

from attrs import frozen

from rove_core import JSON, ContextItem, Facts, ItemNotFound, ItemRef
from rove_mcp.source.item_mapping import ServerMapping, first_at
from rove_mcp.source.text_blocks import blocks_of

if TYPE_CHECKING:
    from rove_core import Role

_MOST_TEXT: Final = 400_000
_LONGEST_TITLE: Final = 300
_LONGEST_ID: Final = 2_000
_MILLISECONDS: Final = 100_000_000_000
_UNDATED: Final = "the server gives no date"
#: What servers say instead of an empty list.
_NOTHING: Final = re.compile(
    r"|no (matches|results|files|items)( (were )?found)?\.?", re.IGNORECASE
)
_CUT: Final = "the rest of a very long text was left out"


@frozen(kw_only=True)
class ItemMaker:
    """Converts replies of one account's server to items.

    Attributes:
        account: The account's name.
        mapping: Where things stand.
        hosts: The hosts that items may be cited on.
        undated: The time of items whose server does not tell theirs.
    """

    account: str
    mapping: ServerMapping
    hosts: frozenset[str]
    undated: datetime

    def results(self, answer: JSON) -> Sequence[Mapping[str, JSON]]:
        """Return the results of a search."""
        is_bare = isinstance(answer, list) or (isinstance(answer, str) and self.mapping.block)
        found = answer if is_bare else first_at(answer, self.mapping.results)
        if isinstance(found, str) and self.mapping.block:
            found = list(blocks_of(found, self.mapping.block))
        elif isinstance(found, str):
            lines = [line.strip() for line in found.splitlines()]
            found = [{self.mapping.id[0]: line} for line in lines if not _NOTHING.fullmatch(line)]
        rows = found if isinstance(found, list) else []
        return [row for row in rows if isinstance(row, Mapping) and self.id(row)]

    def read(self, answer: JSON, id: str) -> JSON:  # noqa: A002  # an item's id
        """Return the item that was read: the answer, or the one of a list that it holds.

        Raises:
            ItemNotFound: It holds no such item.
        """
        rows = answer if isinstance(answer, list) else first_at(answer, self.mapping.results)
        if isinstance(rows, list) and first_at(answer, self.mapping.id) is None:
            answer = next((row for row in rows if self.id(row) == id), None)
        if not answer:
            raise ItemNotFound(f"{self.account} has no item {id}")
        return answer

    def id(self, row: JSON) -> str:
        """Return an item's id; empty if it has none."""
        found = first_at(row, self.mapping.id)
        text = str(found) if isinstance(found, str | int) else ""
        return text if text.isprintable() and len(text) <= _LONGEST_ID else ""

    def item(self, row: JSON, *, id: str) -> ContextItem:  # noqa: A002  # an item's id
        """Return an item.

        Args:
            row: What the server tells of it.
            id: Its id.
        """
        record = {"text": row} if isinstance(row, str) else row
        text = _text(first_at(record, self.mapping.text))
        when = _time(first_at(record, self.mapping.time))
        incomplete = (_UNDATED,) * (when is None) + (_CUT,) * (len(text) > _MOST_TEXT)
        title = " ".join(_text(first_at(record, self.mapping.title)).split())[:_LONGEST_TITLE]
        return ContextItem(
            ref=self.ref(id, _text(first_at(record, self.mapping.url))),
            source="mcp",
            role=cast("Role", self.mapping.role),
            title=title or id,
            content=text[:_MOST_TEXT],
            timestamp=when or self.undated,
            author=_person(first_at(record, self.mapping.author)),
            facts=Facts(incomplete=incomplete),
        )

    def ref(self, id: str, url: str = "") -> ItemRef:  # noqa: A002  # as above
        """Return a reference; an address on a host that is none of the account's is left out."""
        place = url or (self.mapping.page.replace("{id}", quote(id, safe="")))
        is_own = _host(place) in self.hosts and place.isprintable() and " " not in place
        return ItemRef(account=self.account, kind="item", id=id, url=place if is_own else "")

    def recognised(self, text: str) -> Sequence[ItemRef]:
        """Return the items whose addresses a text contains."""
        before, is_known, after = self.mapping.page.partition("{id}")
        if not is_known:
            return []
        pattern = re.escape(before) + r"([^\s/?#<>()\[\]\"'`]{1,200})" + re.escape(after)
        ids = [unquote(found).rstrip(".,;:!") for found in re.findall(pattern, text)]
        return [self.ref(each) for each in dict.fromkeys(ids) if each.isprintable()]


def _host(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.netloc.lower() if parts.scheme in {"http", "https"} else ""


def _text(value: JSON) -> str:
    match value:
        case str():
            return value
        case list():
            return "\n".join(filter(None, map(_text, value)))
        case Mapping():
            return _text(first_at(value, ("text", "content", "value", "name")))
        case bool() | None:
            return ""
        case _:
            return str(value)


def _person(value: JSON) -> str:
    name = (
        first_at(value, ("displayName", "name", "login", "email", "id"))
        if isinstance(value, Mapping)
        else value
    )
    return " ".join(name.split())[:_LONGEST_TITLE] if isinstance(name, str) else ""


def _time(value: JSON) -> datetime | None:
    """Return a time as servers write it: ISO 8601, or seconds or milliseconds since 1970."""
    if isinstance(value, str) and re.fullmatch(r"\d{9,13}(\.\d+)?", value):
        value = float(value)
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value > _MILLISECONDS else value
            return datetime.fromtimestamp(seconds, UTC)
        if isinstance(value, str):
            when = datetime.fromisoformat(value.strip())
            return when.replace(tzinfo=when.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None
