"""Validate items that plugins return, and cut those that are too long."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final, TypeAlias, get_args

import attrs

from rove_core.facts import Facts, ItemStatus, NamedValue, Relation, Role, StatusCategory
from rove_core.items import ContextItem, ItemRef, Link

_Types: TypeAlias = type | tuple[type, ...]

#: Characters that an item may have, its discussion included; few people write as much.
MOST_TEXT: Final = 5_000_000
#: Characters that a single text may have.
LONGEST_TEXT: Final = 1_000_000

_REFERENCE: Final[Mapping[str, type]] = {"account": str, "kind": str, "id": str, "url": str}
_ITEM: Final[Mapping[str, type]] = {
    "ref": ItemRef,
    "source": str,
    "role": str,
    "title": str,
    "content": str,
    "timestamp": datetime,
    "author": str,
    "facts": Facts,
    "metadata": Mapping,
    "links": Sequence,
    "thread": Sequence,
}
_LINK: Final[Mapping[str, type]] = {
    "ref": ItemRef,
    "relation": str,
    "words": str,
    "title": str,
    "status": str,
}
#: What the facts that may be missing are, when they are there.
_MAYBE: Final[Mapping[str, _Types]] = {
    "created": datetime,
    "status": ItemStatus,
    "due": date,
    "estimate": (int, float),
    "line": int,
    "last_line": int,
    "offset": int,
    "resolved": bool,
}
_EACH: Final[Mapping[str, type]] = {"fields": NamedValue}
_FACTS: Final = {each.name: each.default for each in attrs.fields(Facts)}


def misfit(thing: ContextItem | ItemRef) -> str:
    """Return what is wrong with an item or a reference, as "whose ..."; empty when all fits."""
    return next(_wrong(thing), "")


def fitted(item: ContextItem) -> ContextItem:
    """Return an item within the limits; what is left out of it is said in its facts."""
    if _size(item) <= MOST_TEXT:
        return item
    cut = _shortened(item)
    kept: list[ContextItem] = []
    left = MOST_TEXT - _size(attrs.evolve(cut, thread=()))
    for part in map(_shortened, reversed(item.thread)):  # What was said last counts most.
        left -= _size(part)
        if left < 0:
            break
        kept.append(part)
    gone = len(item.thread) - len(kept)
    if gone:
        note = f"the first {gone:,} of {len(item.thread):,} parts of its discussion left out"
        cut = _noted(cut, note)
    return attrs.evolve(cut, thread=tuple(reversed(kept)))


def _shortened(item: ContextItem) -> ContextItem:
    """Return an item whose own text has no more than the characters that one text may have."""
    if len(item.content) <= LONGEST_TEXT:
        return item
    note = f"cut after {LONGEST_TEXT:,} of {len(item.content):,} characters"
    return _noted(attrs.evolve(item, content=item.content[:LONGEST_TEXT]), note)


def _noted(item: ContextItem, note: str) -> ContextItem:
    facts = attrs.evolve(item.facts, incomplete=(*item.facts.incomplete, note))
    return attrs.evolve(item, facts=facts)


def _wrong(thing: ContextItem | ItemRef) -> Iterator[str]:
    """Yield all that is wrong; what is deeper comes after what holds it."""
    yield from _mistyped(thing, _ITEM if isinstance(thing, ContextItem) else _REFERENCE)
    if isinstance(thing, ContextItem):
        yield from _wrong(thing.ref)
        yield from _unknown("role", thing.role, get_args(Role))
        yield from _wrong_facts(thing.facts)
        if not _is_plain(thing.metadata):
            yield "whose metadata has something that is no JSON"
        for link in _each(thing, "links"):
            yield from _wrong_link(link)
        for part in _each(thing, "thread"):
            if isinstance(part, ContextItem):
                yield from _wrong(part)
            else:
                yield f"whose thread has {type(part).__name__} instead of ContextItem"


def _each(item: ContextItem, name: str) -> Sequence[object]:
    values: Sequence[object] = getattr(item, name)
    return values


def _mistyped(thing: object, wanted: Mapping[str, type]) -> Iterator[str]:
    for name, kind in wanted.items():
        value = getattr(thing, name)
        if not isinstance(value, kind):
            yield f"whose {name} is {type(value).__name__} instead of {kind.__name__}"


def _wrong_link(link: object) -> Iterator[str]:
    if not isinstance(link, Link):
        yield f"whose links has {type(link).__name__} instead of Link"
        return
    yield from _mistyped(link, _LINK)
    yield from _wrong(link.ref)
    yield from _unknown("relation", link.relation, get_args(Relation))


def _wrong_facts(facts: Facts) -> Iterator[str]:
    for name, default in _FACTS.items():
        value = getattr(facts, name)
        if value is default:
            continue
        if isinstance(default, tuple):
            yield from _wrong_list(name, value)
        elif not _fits(value, _MAYBE.get(name, type(default))):
            yield f"whose facts.{name} is {type(value).__name__}"
    if isinstance(facts.status, ItemStatus):
        yield from _mistyped(facts.status, {"name": str})
        yield from _unknown("status", facts.status.category, (None, *get_args(StatusCategory)))


def _wrong_list(name: str, values: object) -> Iterator[str]:
    if not isinstance(values, Sequence) or isinstance(values, str):
        yield f"whose facts.{name} is {type(values).__name__} instead of tuple"
        return
    kind = _EACH.get(name, str)
    for value in values:
        if not isinstance(value, kind):
            yield f"whose facts.{name} has {type(value).__name__} instead of {kind.__name__}"
        elif isinstance(value, NamedValue):
            yield from _mistyped(value, {"name": str, "value": str})


def _fits(value: object, wanted: _Types) -> bool:
    is_number = isinstance(value, bool) and wanted is not bool
    return isinstance(value, wanted) and not is_number


def _unknown(name: str, value: object, known: Sequence[object]) -> Iterator[str]:
    if value not in known:
        yield f"whose {name} is {value!r}, which is none of {', '.join(map(str, known))}"


def _is_plain(value: object) -> bool:
    match value:
        case None | bool() | int() | float() | str():
            return True
        case Mapping():
            return all(isinstance(name, str) and _is_plain(each) for name, each in value.items())
        case list() | tuple():
            return all(map(_is_plain, value))
    return False


def _size(item: ContextItem) -> int:
    own = len(item.title) + len(item.content) + len(item.author)
    return own + sum(_size(part) for part in item.thread)
