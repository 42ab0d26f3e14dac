"""Fit memories into the token budget of an answer."""

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import evolve

from rove_memory.memory.model import MemoryItem
from rove_memory.token_budget import ANSWER, first_part, text_tokens, tokens_of

#: The least of a memory's text that is worth showing.
_SHORTEST: Final = 60
#: The tokens that each list of names, such as the tags, may take among other memories.
_NAMES: Final = 60
#: The same for the answer about one memory.
_ALL_NAMES: Final = 1_500
_REASON: Final = 100


def within_budget(items: Sequence[MemoryItem], max_tokens: int) -> Iterator[MemoryItem]:
    """Yield memories within the budget; a long one is cut, with a note.

    Args:
        items: The memories, best first.
        max_tokens: How many tokens they may take together.
    """
    room = max_tokens
    for each in items:
        item = _fewer_names(each, _NAMES)
        cost = tokens_of(item)
        if cost > room:
            if shorter := _cut(item, room):
                yield shorter
            return
        room -= cost
        yield item


def answer_of(item: MemoryItem, offset: int = 0) -> MemoryItem:
    """Return a memory with its text from an offset on, as far as it fits."""
    item, text = _fewer_names(item, _ALL_NAMES), item.content[offset:]
    room = ANSWER - tokens_of(evolve(item, content=_note(item, len(item.content), offset)))
    if text_tokens(text) <= room:
        return evolve(item, content=text)
    part = first_part(text, room)
    note = _note(item, len(text) - len(part), offset + len(part))
    return evolve(item, content=f"{part} {note}")


def _cut(item: MemoryItem, room: int) -> MemoryItem | None:
    """Return a memory with as much of its text as there is room for; None if that is too little.

    Its summary and its names go first.
    """
    bare = evolve(_fewer_names(item, 0), summary="", why="")
    for each in (item, bare):
        left = room - tokens_of(evolve(each, content=_note(each, len(item.content))))
        if left >= _SHORTEST:
            part = first_part(item.content, left * 8 // 9)
            note = _note(each, len(item.content) - len(part))
            return evolve(each, content=f"{part} {note}")
    return None


def _note(item: MemoryItem, rest: int, offset: int | None = None) -> str:
    """Return what stands at the end of a text that was cut."""
    place = "" if offset is None else f" --offset {offset}"
    return f"[... {rest} more characters: rove memory show {item.key}{place}]"


def _fewer_names(item: MemoryItem, max_tokens: int) -> MemoryItem:
    """Return a memory whose lists of names are cut to a number of tokens each."""
    lists = (item.tags, item.related_items, item.contradicts, item.also)
    short_lists = [_first_names(each, max_tokens) for each in lists]
    tags, related_items, contradicts, also = short_lists
    return evolve(
        item,
        tags=tags,
        related_items=related_items,
        contradicts=contradicts,
        also=also,
        why=first_part(item.why, _REASON),
        names_left_out=item.names_left_out + sum(map(len, lists)) - sum(map(len, short_lists)),
    )


def _first_names(names: Sequence[str], max_tokens: int) -> tuple[str, ...]:
    room, head = max_tokens, list[str]()
    for name in names:
        room -= tokens_of(name) + 1
        if room < 0:
            break
        head.append(name)
    return tuple(head)
