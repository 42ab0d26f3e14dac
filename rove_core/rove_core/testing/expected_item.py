"""Expected content of an item, for tests that compare every word."""

from collections.abc import Iterator
from datetime import datetime

from attrs import fields, frozen

from rove_core.facts import Facts, Relation, Role
from rove_core.items import ContextItem


@frozen(kw_only=True)
class ExpectedItem:
    """An item as a person reads it at the vendor. What is left out is not compared.

    Attributes:
        id: Its id.
        role: What it is to people.
        title: Its title.
        author: Who wrote it.
        timestamp: When it was last changed; aware.
        url: Where a person reads it; a path alone is compared with the end of the address.
        words: Texts that stand in its content, verbatim and in this order.
        facts: The facts of it; only those that are set are compared.
        links: Its links, each a relation and an id; others may be there too.
        thread: The discussion below it: every part, in order.
    """

    id: str = ""
    role: Role | None = None
    title: str = ""
    author: str = ""
    timestamp: datetime | None = None
    url: str = ""
    words: tuple[str, ...] = ()
    facts: Facts | None = None
    links: tuple[tuple[Relation, str], ...] = ()
    thread: tuple["ExpectedItem", ...] | None = None


def differences(expected: ExpectedItem, item: ContextItem, *, where: str = "") -> Iterator[str]:
    """Yield each way in which an item is not as expected, in words."""
    where = where or item.ref.id
    yield from _plain_differences(expected, item, where)
    yield from _missing_words(expected.words, item.content, where)
    yield from _fact_differences(expected.facts, item.facts, where)
    linked = {(link.relation, link.ref.id) for link in item.links}
    for link in expected.links:
        if link not in linked:
            yield f"{where}: no link {link[0]} {link[1]!r}, but {sorted(linked)}"
    if expected.thread is None:
        return
    if len(expected.thread) != len(item.thread):
        yield f"{where}: {len(item.thread)} parts in the thread, not {len(expected.thread)}"
    for number, (wanted, part) in enumerate(zip(expected.thread, item.thread, strict=False), 1):
        yield from differences(wanted, part, where=f"{where}, part {number} of the thread")


def _plain_differences(expected: ExpectedItem, item: ContextItem, where: str) -> Iterator[str]:
    pairs = {
        "id": (expected.id, item.ref.id),
        "role": (expected.role, item.role),
        "title": (expected.title, item.title),
        "author": (expected.author, item.author),
        "timestamp": (expected.timestamp, item.timestamp),
        "url": (expected.url, _shown_url(expected.url, item.ref.url)),
    }
    for name, (wanted, got) in pairs.items():
        if wanted and wanted != got:
            yield f"{where}: {name} is {got!r}, not {wanted!r}"


def _shown_url(wanted: str, url: str) -> str:
    """Return as much of an address as is wanted."""
    return wanted if wanted.startswith("/") and url.endswith(wanted) else url


def _missing_words(words: tuple[str, ...], content: str, where: str) -> Iterator[str]:
    at = 0
    for text in words:
        found = content.find(text, at)
        if found < 0:
            place = "" if text not in content else " after the words before it"
            yield f"{where}: the content lacks {text!r}{place}"
        else:
            at = found + len(text)


def _fact_differences(expected: Facts | None, facts: Facts, where: str) -> Iterator[str]:
    for each in fields(Facts) if expected else ():
        wanted, got = getattr(expected, each.name), getattr(facts, each.name)
        if wanted not in (None, "", (), False) and wanted != got:
            yield f"{where}: {each.name} is {got!r}, not {wanted!r}"
