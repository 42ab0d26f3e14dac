"""Check the field types of items that plugins return."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final, TypeAlias, get_args

import attrs

from rove_core._item_words import Relation, Role, StatusCategory
from rove_core.facts import Facts, ItemStatus, NamedValue
from rove_core.items import ContextItem, ItemRef, Link
from rove_core.plugins.limits import MOST_VALUES

_Types: TypeAlias = type | tuple[type, ...]

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
#: The types of facts that may be missing.
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


def wrong_item(item: ContextItem) -> Iterator[str]:
    """Yield the errors of an item's own fields, as "whose ..." clauses."""
    yield from _type_errors(item, _ITEM)
    yield from wrong_reference(item.ref)
    yield from _unknown("role", item.role, get_args(Role))
    yield from _wrong_facts(item.facts)


def wrong_reference(ref: ItemRef) -> Iterator[str]:
    """Yield the errors of a reference, as "whose ..." clauses."""
    yield from _type_errors(ref, _REFERENCE)


def wrong_link(link: object) -> Iterator[str]:
    """Yield the errors of an item's link, as "whose ..." clauses."""
    if not isinstance(link, Link):
        yield f"whose links has {type(link).__name__} instead of Link"
        return
    yield from _type_errors(link, _LINK)
    yield from _type_errors(link.ref, _REFERENCE)
    yield from _unknown("relation", link.relation, get_args(Relation))


def _type_errors(thing: object, types: Mapping[str, type]) -> Iterator[str]:
    for name, kind in types.items():
        value = getattr(thing, name)
        if not isinstance(value, kind) or (kind is Sequence and isinstance(value, str)):
            yield f"whose {name} is {type(value).__name__} instead of {kind.__name__}"


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
        yield from _type_errors(facts.status, {"name": str})
        yield from _unknown("status", facts.status.category, (None, *get_args(StatusCategory)))


def _wrong_list(name: str, values: object) -> Iterator[str]:
    if not isinstance(values, Sequence) or isinstance(values, str):
        yield f"whose facts.{name} is {type(values).__name__} instead of tuple"
        return
    if len(values) > MOST_VALUES:
        yield f"whose facts.{name} has more than {MOST_VALUES} values"
        return
    kind = _EACH.get(name, str)
    for value in values:
        if not isinstance(value, kind):
            yield f"whose facts.{name} has {type(value).__name__} instead of {kind.__name__}"
        elif isinstance(value, NamedValue):
            yield from _type_errors(value, {"name": str, "value": str})


def _fits(value: object, types: _Types) -> bool:
    is_number = isinstance(value, bool) and types is not bool
    return isinstance(value, types) and not is_number


def _unknown(name: str, value: object, choices: Sequence[object]) -> Iterator[str]:
    if value not in choices:
        yield f"whose {name} is {value!r}, which is none of {', '.join(map(str, choices))}"
