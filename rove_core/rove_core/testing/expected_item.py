"""Expected content of an item, for tests that compare every word."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final

from attrs import fields, frozen

from rove_core._item_words import Relation, Role
from rove_core.facts import Facts
from rove_core.items import ContextItem

#: What is a word to a reader: punctuation and line breaks around given words are none.
_WORD: Final = re.compile(r"\w")
#: Facts that a part of a discussion shares with the whole, or that are its time again.
OF_A_PART: Final = frozenset({"created", "channel", "on", "project"})


@frozen(kw_only=True)
class ExpectedItem:
    """An item as a person reads it at the vendor. What is left out is not compared.

    Attributes:
        id: Its id.
        kind: What it is in its source's words; that of the suite's known item where empty.
        role: What it is to people.
        title: Its title.
        author: Who wrote it.
        timestamp: When it was last changed; aware.
        url: Where a person reads it; a path alone is compared with the end of the address.
        words: Texts that stand in its content, verbatim and in this order.
        facts: The facts of it; only those that are set are compared.
        links: Its links, each a relation and an id, and as a third part the title that the link
            has, if any; others may be there too.
        thread: The discussion below it: every part, in order.
    """

    id: str = ""
    kind: str = ""
    role: Role | None = None
    title: str = ""
    author: str = ""
    timestamp: datetime | None = None
    url: str = ""
    words: tuple[str, ...] = ()
    facts: Facts | None = None
    links: tuple[tuple[Relation, str] | tuple[Relation, str, str], ...] = ()
    thread: tuple["ExpectedItem", ...] | None = None


def differences(expected: ExpectedItem, item: ContextItem, *, where: str = "") -> Iterator[str]:
    """Yield each way in which an item is not as expected, in words."""
    where = where or item.ref.id
    yield from _plain_differences(expected, item, where)
    yield from _missing_words(expected.words, item.content, where)
    yield from _fact_differences(expected.facts, item.facts, where)
    linked = {(link.relation, link.ref.id, link.title) for link in item.links}
    for link in expected.links:
        if link not in {each[: len(link)] for each in linked}:
            yield f"{where}: no link {' '.join(map(repr, link))}, but {sorted(linked)}"
    if expected.thread is None:
        return
    if len(expected.thread) != len(item.thread):
        yield f"{where}: {len(item.thread)} parts in the thread, not {len(expected.thread)}"
    for number, (expected_part, part) in enumerate(
        zip(expected.thread, item.thread, strict=False), 1
    ):
        yield from differences(expected_part, part, where=f"{where}, part {number} of the thread")


def other_words(expected: ExpectedItem, item: ContextItem, *, where: str = "") -> Iterator[str]:
    """Yield each text of an item's content, and of its parts, that the given words leave out."""
    where = where or item.ref.id
    if expected.words:
        rest = item.content
        for text in filter(None, expected.words):
            before, _, rest = rest.partition(text)
            yield from (f"{where}: {each!r}" for each in [before.strip()] if _WORD.search(each))
        yield from (f"{where}: {each!r}" for each in [rest.strip()] if _WORD.search(each))
    for number, (part, found) in enumerate(
        zip(expected.thread or (), item.thread, strict=False), 1
    ):
        yield from other_words(part, found, where=f"{where}, part {number} of the thread")


def undescribed_names(expected: ExpectedItem, item: ContextItem) -> Iterator[str]:
    """Yield the addresses of parts and the titles of links that an item has besides."""
    titles = {link[0] for link in expected.links if len(link) > 2}
    for relation in sorted({link.relation for link in item.links if link.title} - titles):
        yield f"the title of a link ({relation})"
    for number, (described, part) in enumerate(
        zip(expected.thread or (), item.thread, strict=False)
    ):
        if part.ref.url and not described.url:
            yield f"url of thread[{number}]"


def unexpected_values(expected: ExpectedItem, item: ContextItem) -> Iterator[str]:
    """Yield what an item has and the expected one does not say."""
    own = {"role": item.role, "title": item.title, "url": item.ref.url}
    yield from (name for name, value in own.items() if value and not getattr(expected, name))
    yield from _unexpected_in_part(expected, item)


def facts_given(expected: ExpectedItem) -> Iterator[str]:
    """Yield the names of the facts that an expected item and its thread give."""
    yield from _set_facts(expected.facts or Facts())
    for part in expected.thread or ():
        yield from facts_given(part)


def facts_found(item: ContextItem) -> Iterator[str]:
    """Yield the names of the facts that an item and its thread have."""
    yield from _set_facts(item.facts)
    for part in item.thread:
        yield from facts_found(part)


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


def _shown_url(expected: str, url: str) -> str:
    """Return as much of an address as is wanted."""
    return expected if expected.startswith("/") and url.endswith(expected) else url


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
    for name, wanted in _set_facts(expected).items() if expected else ():
        got = getattr(facts, name)
        if wanted != got:
            yield f"{where}: {name} is {got!r}, not {wanted!r}"


def _unexpected_in_part(
    expected: ExpectedItem, item: ContextItem, *, but: frozenset[str] = frozenset()
) -> Iterator[str]:
    """Yield the same of what each part of a discussion has, too, and of the replies to it."""
    values = {
        "author": item.author,
        "timestamp": item.timestamp,
        "words": item.content,
    }
    yield from (name for name, value in values.items() if value and not getattr(expected, name))
    fact_names = {*_set_facts(expected.facts or Facts()), *but}
    yield from (f"facts.{name}" for name in _set_facts(item.facts) if name not in fact_names)
    yield from _unexpected_relations(expected, item)
    if item.thread and not expected.thread:
        yield "thread"
    for number, (expected_part, part) in enumerate(
        zip(expected.thread or (), item.thread, strict=False)
    ):
        left = _unexpected_in_part(expected_part, part, but=OF_A_PART)
        yield from (f"{name} of thread[{number}]" for name in left)


def _unexpected_relations(expected: ExpectedItem, item: ContextItem) -> Iterator[str]:
    relations = {link[0] for link in expected.links}
    for relation in sorted({link.relation for link in item.links} - relations):
        yield f"links ({relation})"


def _set_facts(facts: Facts) -> Mapping[str, object]:
    """Return the facts that are set: an offset of 0 and ``resolved=False`` are two of them."""
    values = {each.name: (getattr(facts, each.name), each.default) for each in fields(Facts)}
    return {name: value for name, (value, default) in values.items() if value != default}
