"""The interface of engines: the five language questions of a build."""

from collections.abc import Sequence
from typing import Protocol

from rove_core.build.compose.outline import OpenQuestion, Statement, Topic
from rove_core.build.gather.candidates import Candidate, RankedItem
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.items import ContextItem


class Engine(Protocol):
    """Answers questions about texts, never with new text, links or paths.

    Its answers refer to the input by position: nothing else gets into a document.
    """

    async def keywords(self, ticket: ContextItem, seen: Sequence[ContextItem]) -> Sequence[str]:
        """Return the words that distinguish a ticket from others, best first.

        Args:
            ticket: The ticket.
            seen: Other items seen so far; a word in all of them distinguishes nothing.
        """

    async def relevance(
        self,
        ticket: ContextItem,
        candidates: Sequence[Candidate],
        everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
    ) -> Sequence[RankedItem]:
        """Return all candidates with their relevance, best first.

        Args:
            ticket: The ticket.
            candidates: The candidates found.
            everywhere: Word frequencies across everything that could have been found.
        """

    async def same(self, texts: Sequence[str]) -> Sequence[int | None]:
        """Return for each text the position of an earlier one that says the same, or None."""

    async def place(
        self, statements: Sequence[Statement], topics: Sequence[Topic]
    ) -> Sequence[int]:
        """Return the topic of each statement; ``len(topics)`` if none fits."""

    async def gaps(
        self, ticket: ContextItem, statements: Sequence[Statement]
    ) -> Sequence[OpenQuestion]:
        """Return the questions left open for whoever implements the ticket."""
