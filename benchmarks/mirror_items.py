"""Mirrors of generated items, whose words are as common and as rare as those of people."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate, islice
from typing import Final

from rove_core import Container, ContextItem, Facts, ItemRef, ListedChange
from rove_core.mirror.mirror import Mirror
from rove_core.mirror.scope import MirrorScope

#: The time of the newest item, and the container of all.
AT: Final = datetime(2026, 3, 1, tzinfo=UTC)
CONTAINER: Final = "TB"
BATCH: Final = 200
_WORDS: Final = 60_000
_CHARACTERS: Final = 580
_PEOPLE: Final = 400


def fill_with_items(mirror: Mirror, count: int) -> None:
    """Fill a new mirror."""
    items = generated_items(count)
    scope, containers = (
        MirrorScope(containers=(CONTAINER,), budget=10**12),
        [Container(name=CONTAINER)],
    )
    with mirror.writing() as writer:
        writer.choose(scope, containers, owner="", now=AT)
        while batch := [ListedChange(item=each, whole=True) for each in islice(items, BATCH)]:
            writer.store_changes(CONTAINER, batch, cursor="", is_check=False, now=AT)
        writer.end_listing(CONTAINER, AT)
        writer.count_words(AT)


def generated_items(count: int, seed: int = 1) -> Iterator[ContextItem]:
    """Yield items whose words are as common and as rare as those of people."""
    chance = random.Random(seed)  # noqa: S311  # nothing secret
    words = [_word(number) for number in range(_WORDS)]
    weights = [*accumulate(1 / (rank + 2.7) for rank in range(_WORDS))]
    for number in range(count):
        word_list: list[str] = []
        length = 0
        while length < _CHARACTERS:
            chosen = chance.choices(words, cum_weights=weights, k=20)
            if chance.random() < 1 / 20:
                chosen.append(f"{CONTAINER}-{chance.randrange(count)}")
            word_list += chosen
            length += sum(map(len, chosen)) + len(chosen)
        at = AT - timedelta(minutes=number)
        yield ContextItem(
            ref=ItemRef(account="team", kind="ticket", id=f"{CONTAINER}-{number}"),
            source="team",
            role="ticket",
            title=" ".join(word_list[:8]),
            content=" ".join(word_list)[:_CHARACTERS],
            timestamp=at,
            author=f"Person {_word(chance.randrange(_PEOPLE))}",
            facts=Facts(created=at),
        )


def _word(number: int) -> str:
    """Return a word that no other number has, and that looks like one."""
    syllables = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an", "ir")]
    word = ""
    number += len(syllables)
    while number:
        number, which = divmod(number, len(syllables))
        word += syllables[which]
    return word
