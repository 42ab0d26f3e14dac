"""What a source brings, made harmless before anybody else sees it."""

from collections.abc import Collection, Mapping, Sequence
from urllib.parse import quote

import attrs

from rove_core.http.hosts import parse_address
from rove_core.items import ContextItem, ItemRef
from rove_core.plain import JSON
from rove_core.redaction import redact
from rove_core.secrets import redact_secrets
from rove_core.text import clean
from rove_core.text.names import told_name


def harmless(item: ContextItem, *, hosts: Collection[str] = (), key: bytes = b"") -> ContextItem:
    """Return an item without secrets, without hidden characters, and without links elsewhere.

    Its words are still Markdown: who shows them quotes them with :mod:`rove_core.text`.

    Args:
        item: The item as its source gave it.
        hosts: Where the account's items live; an address anywhere else is left out. An account
            without any has its items on this machine.
        key: What the marks of secrets are made with; one of this process when empty.
    """
    return attrs.evolve(
        item,
        ref=_ref(item.ref, hosts),
        title=_words(item.title, key),
        content=_words(item.content, key),
        author=_words(told_name(item.author, is_guest=bool(item.metadata.get("guest"))), key),
        metadata={name: _plain(value, key) for name, value in item.metadata.items()},
        links=tuple(_ref(link, hosts) for link in item.links),
        thread=tuple(harmless(part, hosts=hosts, key=key) for part in item.thread),
    )


def _words(text: str, key: bytes) -> str:
    return redact_secrets(redact(clean(text)), key) if text else text


def _plain(value: JSON, key: bytes) -> JSON:
    match value:
        case str():
            return _words(value, key)
        case Mapping():
            return {name: _plain(each, key) for name, each in value.items()}
        case Sequence():
            return [_plain(each, key) for each in value]
    return value


def _ref(ref: ItemRef, hosts: Collection[str]) -> ItemRef:
    return attrs.evolve(ref, url=_url(ref.url, hosts)) if ref.url else ref


def _url(url: str, hosts: Collection[str]) -> str:
    """Return an address in the form that a definition of Markdown holds, or nothing."""
    told = quote(url, safe="%/:=&?~#+!$,;'@*", errors="replace")
    if not hosts:
        return told if told.startswith("file:///") else ""
    try:
        return told if parse_address(told).is_one_of(hosts) else ""
    except ValueError:
        return ""
