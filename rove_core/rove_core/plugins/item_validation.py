"""What in an item is not what its class says: a source is somebody else's code."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Final

from rove_core.items import ContextItem, ItemRef

#: Characters that an item may have, its discussion included. Nobody writes as much; a source
#: that gives more has read a file that is no text, or runs in circles.
MOST_TEXT: Final = 5_000_000

_REFERENCE: Final[Mapping[str, type]] = {"account": str, "kind": str, "id": str, "url": str}
_ITEM: Final[Mapping[str, type]] = {
    "ref": ItemRef,
    "source": str,
    "title": str,
    "content": str,
    "timestamp": datetime,
    "author": str,
    "metadata": Mapping,
    "links": Sequence,
    "thread": Sequence,
}


def misfit(thing: ContextItem | ItemRef) -> str:
    """Return what is wrong with an item or a reference, as "whose ..."; empty when all fits."""
    if wrong := next(_wrong(thing), ""):
        return wrong
    if isinstance(thing, ContextItem) and (size := _size(thing)) > MOST_TEXT:
        return f"whose text has {size} characters, at most {MOST_TEXT} are taken"
    return ""


def _wrong(thing: ContextItem | ItemRef) -> Iterator[str]:
    """Yield all that is wrong; what is deeper comes after what holds it."""
    for name, wanted in (_ITEM if isinstance(thing, ContextItem) else _REFERENCE).items():
        value = getattr(thing, name)
        if not isinstance(value, wanted):
            yield f"whose {name} is {type(value).__name__} instead of {wanted.__name__}"
    if isinstance(thing, ContextItem):
        yield from _wrong(thing.ref)
        if not _is_plain(thing.metadata):
            yield "whose metadata has something that is no JSON"
        yield from _wrong_parts(thing, "links", ItemRef)
        yield from _wrong_parts(thing, "thread", ContextItem)


def _wrong_parts(
    item: ContextItem, name: str, wanted: type[ContextItem] | type[ItemRef]
) -> Iterator[str]:
    for part in getattr(item, name):
        if isinstance(part, wanted):
            yield from _wrong(part)
        else:
            yield f"whose {name} has {type(part).__name__} instead of {wanted.__name__}"


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
