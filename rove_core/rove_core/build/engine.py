"""The interface of engines: the five language questions of a build."""

from collections.abc import Sequence
from typing import Protocol

from rove_core.build.compose.outline import OpenQuestion, Statement, Topic
from rove_core.build.gather.candidates import Candidate, RankedItem
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.items import ContextItem


class Engine(Protocol):
    """Answers questions about texts, never with new text, links or paths.

    What it returns names its input by position: nothing else gets into a document.
    """

    async def keywords(self, ticket: ContextItem, seen: Sequence[ContextItem]) -> Sequence[str]:
        """Return the words that distinguish a ticket from others, best first.

        Args:
            ticket: The ticket.
            seen: What else was seen so far; what is in all of it tells nothing.
        """

    async def relevance(
        self,
        ticket: ContextItem,
        candidates: Sequence[Candidate],
        everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
    ) -> Sequence[RankedItem]:
        """Return the candidates with how much each matters, best first; none is left out.

        Args:
            ticket: The ticket.
            candidates: What was found.
            everywhere: How common words are in all that could have been found.
        """

    async def same(self, texts: Sequence[str]) -> Sequence[int | None]:
        """Return for each text an earlier one that says the same; None if there is none."""

    async def place(
        self, statements: Sequence[Statement], topics: Sequence[Topic]
    ) -> Sequence[int]:
        """Return the topic of each statement; ``len(topics)`` if none fits."""

    async def gaps(
        self, ticket: ContextItem, statements: Sequence[Statement]
    ) -> Sequence[OpenQuestion]:
        """Return the open questions of somebody who implements the ticket."""
