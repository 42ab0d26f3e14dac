"""Searchable fields of an item: words, links and people."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rove_core.build.rank.robots import is_by_robot
from rove_core.items import ContextItem
from rove_core.store.values import storable

#: Scripts without spaces between words: pairs of their characters stand for words.
_UNSPACED: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_COMPOSED: Final = re.compile(r"\b[A-Za-z]*[a-z][A-Z][A-Za-z]*\b")
_LETTERS: Final = re.compile(r"[^\W\d_]+")


class IndexedText(NamedTuple):
    """The words of an item as they are indexed."""

    title: str
    content: str


def indexed_text(item: ContextItem) -> IndexedText:
    """Return the words by which an item is found."""
    facts = item.facts
    extras = (facts.branch, facts.channel, *facts.labels, *facts.components, *facts.files)
    texts = [item.content, *(part.content for part in item.thread), *filter(None, extras)]
    # Message ids are numbers that nobody types.
    name = item.ref.id if item.role in {"ticket", "change", "page", "commit"} else ""
    return IndexedText(searchable(f"{name} {item.title}"), searchable("\n".join(texts)))


def searchable(text: str) -> str:
    """Return a text with the parts of ``NamesLikeThis`` and unspaced scripts split for SQLite."""
    text = storable(text)
    if composed := _COMPOSED.findall(text):
        parts = (_HUMP.sub(" ", each) for each in dict.fromkeys(composed))
        text = f"{text}\n{' '.join(parts)}"
    return text if text.isascii() else _UNSPACED.sub(_pairs, text)


def linked_ids(item: ContextItem) -> frozenset[str]:
    """Return the ids of an item's links."""
    parts = (item, *item.thread)
    return frozenset(storable(link.ref.id) for part in parts for link in part.links)


def words_of_people(item: ContextItem) -> frozenset[tuple[str, float]]:
    """Return the authors in an item, each with the time in seconds since 1970."""
    return frozenset(
        (person(part.author), part.timestamp.timestamp())
        for part in (item, *item.thread)
        if part.author and not is_by_robot(part)
    )


def person(name: str) -> str:
    """Return the normalised name of a person: ``Ada King`` and ``ada.king`` are the same."""
    return "".join(_LETTERS.findall(name.lower())) or storable(name.lower())


def parts_below(item: ContextItem) -> Iterator[str]:
    """Yield the ids of an item's comments and replies."""
    return (storable(part.ref.id) for part in item.thread if part.ref.id != item.ref.id)


def _pairs(run: re.Match[str]) -> str:
    text = run[0]
    return f" {' '.join(text[at : at + 2] for at in range(max(1, len(text) - 1)))} "
