"""Past commits and their messages."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, Protocol, Self

import numpy as np
from attrs import frozen

from rove_code.ranking.arrays import Floats, Ints
from rove_code.ranking.features import MOST
from rove_code.ranking.postings import Postings, joint
from rove_code.ranking.text_scores import Sizes
from rove_code.ranking.words import counted

#: Who changes more files than this changes all of something, whatever the words are.
_WIDE: Final = 30
#: After so many changes one counts half.
_HALF: Final = 300.0


class CommitRecord(Protocol):
    """A commit."""

    @property
    def id(self) -> str:
        """Its name."""

    @property
    def message(self) -> str:
        """The commit message."""

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it changed."""


@frozen(eq=False, slots=False)
class Past:
    """The changes that led to a version, the newest first.

    Attributes:
        messages: The terms of each change's message and how often each is there, by its name.
        words: Them, the other way round; the rows are changes.
        lengths: How many words each message has.
        paths: The files that each changed.
    """

    messages: Mapping[str, tuple[Ints, Ints]]
    words: Postings
    lengths: Ints
    paths: Sequence[tuple[str, ...]]

    @classmethod
    def of(cls, changes: Iterable[CommitRecord], previous: "Past | None" = None) -> Self:
        """Return the history of changes, newest first, extending the known one."""
        before = previous.messages if previous else {}
        telling = [change for change in changes if 0 < len(change.paths) <= _WIDE]
        messages = {
            change.id: before.get(change.id) or _message_terms(change.message) for change in telling
        }
        sizes = [terms.size for terms, _ in messages.values()]
        words = Postings.of(
            joint([terms for terms, _ in messages.values()], "<u4"),
            np.repeat(np.arange(len(messages)), sizes),
            joint([counts for _, counts in messages.values()], "<u1"),
        )
        lengths = np.bincount(words.rows, words.counts, len(messages)).astype(np.int64)
        return cls(messages, words, lengths, [change.paths for change in telling])

    @cached_property
    def sizes(self) -> Sizes:
        """The sizes of messages."""
        return Sizes.of_all(self.lengths)

    @cached_property
    def shares(self) -> Floats:
        """The weight of each commit for one of its files; large commits count less."""
        return np.array([len(paths) ** -0.5 for paths in self.paths], np.float64)

    def often(self) -> Mapping[str, float]:
        """Return how often files were changed, with less weight for old changes."""
        found: dict[str, float] = {}
        for number, paths in enumerate(self.paths):
            for path in paths:
                found[path] = found.get(path, 0.0) + 0.5 ** (number / _HALF)
        return found


def _message_terms(message: str) -> tuple[Ints, Ints]:
    counts = counted([message])
    return np.array([*counts], "<u4"), np.minimum([*counts.values()], MOST).astype("<u1")
