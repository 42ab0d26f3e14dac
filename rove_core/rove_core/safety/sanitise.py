"""Sanitise what sources return."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import attrs

from rove_core.facts import Facts, ItemStatus, NamedValue
from rove_core.http.addresses import parse_address
from rove_core.items import ContextItem, ItemRef, Link
from rove_core.listing.changes import Container
from rove_core.safety.redaction import redact
from rove_core.safety.secret import live_secrets
from rove_core.safety.secrets import redact_secrets
from rove_core.safety.text import clean
from rove_core.safety.text.names import display_name
from rove_core.wire.json_types import JSON
from rove_core.work.items import WorkItem

_Words: TypeAlias = Callable[[str], str]

_WORK_WORDS: Final = (
    "type_name",
    "title",
    "description",
    "description_source",
    "priority_name",
    "iteration_name",
    "estimate_unit",
)
_FACTS: Final = tuple(each.name for each in attrs.fields(Facts))
#: Texts up to these lengths are looked at once, however often they come: of long ones a few.
_SHORT: Final = 4_000
#: A longer value of a field is text, in which a password has its name beside it.
_LONGEST_VALUE: Final = 200
_LONG: Final = 100_000
#: Longer messages of errors and titles of containers are cut.
_LONGEST_MESSAGE: Final = 1_000
_LONGEST_TITLE: Final = 200


def harmless(item: ContextItem, *, hosts: Collection[str] = (), key: bytes = b"") -> ContextItem:
    """Return an item without secrets, without hidden characters, and without links elsewhere.

    Its words are still Markdown: who shows them quotes them with :mod:`rove_core.safety.text`.

    Args:
        item: The item as its source gave it.
        hosts: Where the account's items live; an address anywhere else is left out. An account
            without any has its items on this machine.
        key: What the marks of secrets are made with; one of this process when empty.
    """
    return _harmless(item, hosts, partial(_words, key=key, secrets=tuple(live_secrets())))


def harmless_container(container: Container, *, key: bytes = b"") -> Container:
    """Return a container whose title has no secrets and no hidden characters.

    Its name stays as it is: it goes back to the vendor.

    Args:
        container: The container as its source gave it.
        key: As for an item.
    """
    words = partial(_words, key=key, secrets=tuple(live_secrets()))
    return attrs.evolve(container, title=words(container.title)[:_LONGEST_TITLE])


def harmless_message(text: str) -> str:
    """Return the message of a vendor or a plugin as one short line, without secrets.

    Args:
        text: The message.
    """
    line = " ".join(_clean_text(text[:_LONGEST_MESSAGE], b"", tuple(live_secrets())).split())
    return line if len(text) <= _LONGEST_MESSAGE else f"{line}…"


def harmless_work(work: WorkItem, *, hosts: Collection[str] = (), key: bytes = b"") -> WorkItem:
    """Return a work item without secrets, without hidden characters, and without links elsewhere.

    Its ids and its revision stay as they are: they go back to the vendor.

    Args:
        work: The work item as its source gave it.
        hosts: As for an item.
        key: As for an item.
    """
    words = partial(_words, key=key, secrets=tuple(live_secrets()))
    who = work.assignee
    fields: dict[str, Any] = {name: words(getattr(work, name)) for name in _WORK_WORDS}
    fields |= {
        "ref": _ref(work.ref, hosts, words),
        "parent": work.parent and _ref(work.parent, hosts, words),
        "epic": work.epic and _ref(work.epic, hosts, words),
        "status": attrs.evolve(work.status, name=words(work.status.name)),
        "assignee": who and attrs.evolve(who, name=words(display_name(who.name))),
        "labels": tuple(map(words, work.labels)),
        "raw": _plain_mapping(work.raw, words),
    }
    return attrs.evolve(work, **fields)


def _harmless(item: ContextItem, hosts: Collection[str], words: _Words) -> ContextItem:
    return attrs.evolve(
        item,
        ref=_ref(item.ref, hosts, words),
        source=words(item.source),
        title=words(item.title),
        content=words(item.content),
        author=words(display_name(item.author, is_guest=item.facts.guest)),
        facts=_facts(item.facts, words),
        metadata=_plain_mapping(item.metadata, words),
        links=tuple(_link(link, hosts, words) for link in item.links),
        thread=tuple(_harmless(part, hosts, words) for part in item.thread),
    )


def _facts(facts: Facts, words: _Words) -> Facts:
    """Return facts with every text in them made harmless; most items have few."""
    values = {name: getattr(facts, name) for name in _FACTS}
    clean_values = {name: _fact(value, words) for name, value in values.items() if value}
    return attrs.evolve(facts, **clean_values) if clean_values else facts


def _fact(value: Any, words: _Words) -> Any:  # noqa: ANN401  # whatever a field of facts holds
    match value:
        case str():
            return words(value)
        case ItemStatus(name=name):
            return attrs.evolve(value, name=words(name))
        case NamedValue(name=name, value=own):
            return NamedValue(name=words(name), value=_named(name, own, words))
        case Sequence():
            return tuple(_fact(each, words) for each in value)
    return value


def _link(link: Link, hosts: Collection[str], words: _Words) -> Link:
    return attrs.evolve(
        link,
        ref=_ref(link.ref, hosts, words),
        words=words(link.words),
        title=words(link.title),
        status=words(link.status),
    )


def _words(text: str, key: bytes, secrets: tuple[str, ...]) -> str:
    if not text:
        return text
    look = _short if len(text) <= _SHORT else _long if len(text) <= _LONG else _clean_text
    return look(text, key, secrets)


def _clean_text(text: str, key: bytes, secrets: tuple[str, ...]) -> str:
    return redact_secrets(redact(clean(text), secrets), key)


# Several searches of a vendor find the same.
_short: Final = lru_cache(maxsize=4096)(_clean_text)
_long: Final = lru_cache(maxsize=128)(_clean_text)


def _clean_value(value: JSON, words: _Words) -> JSON:
    match value:
        case str():
            return words(value)
        case Mapping():
            return _plain_mapping(value, words)
        case Sequence():
            return [_clean_value(each, words) for each in value]
    return value


def _plain_mapping(values: Mapping[str, JSON], words: _Words) -> dict[str, JSON]:
    return {
        words(name): _named(name, each, words)
        if isinstance(each, str)
        else _clean_value(each, words)
        for name, each in values.items()
    }


def _named(name: str, value: str, words: _Words) -> str:
    """Return a value made harmless: what its name calls a password is one."""
    before, text = f"{words(name)}: ", words(f"{name}: {value}")
    is_short = len(value) <= _LONGEST_VALUE and "\n" not in value
    return text[len(before) :] if is_short and text.startswith(before) else words(value)


def _ref(ref: ItemRef, hosts: Collection[str], words: _Words) -> ItemRef:
    return attrs.evolve(ref, url=_url(ref.url, hosts, words)) if ref.url else ref


def _url(url: str, hosts: Collection[str], words: _Words) -> str:
    """Return an address in the form that a definition of Markdown holds, or nothing.

    A query that has a secret in it is left out: the page may want a login then.
    """
    if "?" in url and words(url) != clean(url):
        url = url.partition("?")[0]
    address = quote(url, safe="%/:=&?~#+!$,;'@*", errors="replace")
    if not hosts:
        return address if address.startswith("file:///") else ""
    try:
        return address if parse_address(address).is_one_of(hosts) else ""
    except ValueError:
        return ""
