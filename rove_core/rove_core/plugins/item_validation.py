"""Validate items from plugins, and cut those that are too large."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

import attrs
from attrs import define, field

from rove_core.facts import Facts
from rove_core.items import ContextItem, ItemRef, Link
from rove_core.plugins.item_fields import wrong_item, wrong_link, wrong_reference
from rove_core.plugins.limits import MOST_DEPTH, MOST_LINKS, MOST_PARTS, MOST_TEXT, MOST_VALUES

#: Maximum characters of a single text.
LONGEST_TEXT: Final = 1_000_000


class Misfit(Exception):  # noqa: N818  # it is what the item is
    """An item or a reference does not match its class; the message continues "an item ..."."""


def check_reference(ref: ItemRef) -> None:
    """Raise :class:`Misfit` unless a reference matches its class."""
    _check(wrong_reference(ref))


def fitted(item: ContextItem, *, text: int = MOST_TEXT) -> tuple[ContextItem, tuple[str, ...]]:
    """Return an item within the limits, and notes about what was cut.

    Args:
        item: The item.
        text: Maximum characters, including its discussion.

    Raises:
        Misfit: It does not match its class.
    """
    room = _ItemRoom(most_text=text, text=text)
    fitting = _flat(_fit_item(item, room, MOST_DEPTH))
    short = _cut_to(fitting, text)
    if short is not fitting:
        room.cut[f"more than {text} characters"] = None
    return short, tuple(room.cut)


@define(eq=False)
class _ItemRoom:
    """The remaining room in an item, and what was cut so far."""

    most_text: int
    text: int
    parts: int = MOST_PARTS
    values: int = MOST_VALUES
    cut: dict[str, None] = field(factory=dict)


def _fit_item(item: ContextItem, room: _ItemRoom, depth: int) -> ContextItem:
    _check(wrong_item(item))
    _check_size(item.facts, room)
    _check_values(item.metadata, room)
    changed: dict[str, Any] = {}
    links = _first_links(item.links, MOST_LINKS)
    for link in links:
        _check(wrong_link(link))
    if len(links) < len(item.links):
        room.cut[f"more than {MOST_LINKS} links"] = None
        changed["links"] = links
    thread = _thread(item, room, depth)
    if len(thread) < len(item.thread) or any(
        new is not old for new, old in zip(thread, item.thread, strict=True)
    ):
        changed["thread"] = thread
    return attrs.evolve(item, **changed) if changed else item


def _thread(item: ContextItem, room: _ItemRoom, depth: int) -> tuple[ContextItem, ...]:
    if not item.thread:
        return ()
    if depth == 0:
        room.cut[f"more than {MOST_DEPTH} levels of replies"] = None
        return ()
    if len(item.thread) > room.parts:
        room.cut[f"more than {MOST_PARTS} replies"] = None
    # What was said last counts most.
    parts = item.thread[-room.parts :] if room.parts else ()
    room.parts -= len(parts)
    thread: list[ContextItem] = []
    for part in parts:
        if not isinstance(part, ContextItem):
            raise Misfit(f"whose thread has {type(part).__name__} instead of ContextItem")
        thread.append(_fit_item(part, room, depth - 1))
    return tuple(thread)


def _flat(item: ContextItem) -> ContextItem:
    """Return an item with its discussion as one list, replies after their parents."""
    if not any(part.thread for part in item.thread):
        return item
    return attrs.evolve(item, thread=tuple(_unfold(item.thread)))


def _unfold(parts: Sequence[ContextItem]) -> Iterator[ContextItem]:
    for part in parts:
        yield attrs.evolve(part, thread=()) if part.thread else part
        for reply in _unfold(part.thread):
            is_linked = any(link.relation == "replies_to" for link in reply.links)
            link = Link(ref=part.ref, relation="replies_to")
            yield reply if is_linked else attrs.evolve(reply, links=(*reply.links, link))


def _cut_to(item: ContextItem, most: int) -> ContextItem:
    """Return an item with limited text; its facts say what is missing."""
    if _size(item) <= most:
        return item
    cut = _cut_own_text(item, most)
    parts: list[ContextItem] = []
    left = most - _size(attrs.evolve(cut, thread=()))
    for part in (
        _cut_own_text(each, most) for each in reversed(item.thread)
    ):  # What was said last counts most.
        left -= _size(part)
        if left < 0:
            break
        parts.append(part)
    gone = len(item.thread) - len(parts)
    if gone:
        note = f"the first {gone:,} of {len(item.thread):,} parts of its discussion left out"
        cut = _with_note(cut, note)
    return attrs.evolve(cut, thread=tuple(reversed(parts)))


def _cut_own_text(item: ContextItem, most: int) -> ContextItem:
    """Return an item whose own text is within the limit of one text."""
    longest = min(LONGEST_TEXT, most)
    if len(item.content) <= longest:
        return item
    note = f"cut after {longest:,} of {len(item.content):,} characters"
    return _with_note(attrs.evolve(item, content=item.content[:longest]), note)


def _with_note(item: ContextItem, note: str) -> ContextItem:
    facts = attrs.evolve(item.facts, incomplete=(*item.facts.incomplete, note))
    return attrs.evolve(item, facts=facts)


def _size(item: ContextItem) -> int:
    own = len(item.title) + len(item.content) + len(item.author)
    return own + sum(_size(part) for part in item.thread)


def _first_links(links: Sequence[Link], most: int) -> tuple[Link, ...]:
    return tuple(islice(links, most))


def _check(wrong: Iterator[str]) -> None:
    for problem in wrong:
        raise Misfit(problem)


def _check_size(facts: Facts, room: _ItemRoom) -> None:
    """Raise :class:`Misfit` if facts have far too much text; it counts as text of the item."""
    for value in attrs.astuple(facts, recurse=False):
        texts = value if isinstance(value, tuple) else (value,)
        room.text -= sum(len(each) for each in texts if isinstance(each, str))
    if room.text < 0:
        raise Misfit(f"whose facts has more than {room.most_text} characters")


def _check_values(metadata: Mapping[str, object], room: _ItemRoom) -> None:
    """Raise :class:`Misfit` if metadata contains a value that is not JSON, or far too much of it.

    Text in it counts as text of the item.
    """
    waiting: list[Iterator[object]] = [iter([metadata])]
    while waiting:
        for value in waiting[-1]:
            room.values -= 1
            if room.values < 0 or len(waiting) > MOST_DEPTH * MOST_DEPTH:
                raise Misfit(f"whose metadata has more than {MOST_VALUES} values")
            match value:
                case None | bool() | int() | float():
                    continue
                case str() if len(value) > room.text:
                    raise Misfit(f"whose metadata has more than {room.most_text} characters")
                case str():
                    room.text -= len(value)
                case Mapping() if all(isinstance(name, str) for name in value):
                    waiting.append(iter(value.values()))
                    break
                case list() | tuple():
                    waiting.append(iter(value))
                    break
                case _:
                    raise Misfit("whose metadata contains a value that is not JSON")
        else:
            waiting.pop()
