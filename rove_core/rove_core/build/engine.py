"""The interface of engines: the five language questions of a build."""

from collections.abc import Sequence
from typing import Protocol

from rove_core.build.compose.outline import OpenQuestion, Statement, Topic
from rove_core.build.gather.candidates import Candidate, RankedItem
from rove_core.items import ContextItem


class Engine(Protocol):
    """Answers questions about words; it never gives a link, a path or a text of its own.

    What it returns names its input by position: nothing else gets into a document.
    """

    async def keywords(self, ticket: ContextItem, seen: Sequence[ContextItem]) -> Sequence[str]:
        """Return the words that tell a ticket from others, best first.

        Args:
            ticket: The ticket.
            seen: What else was seen so far; what is in all of it tells nothing.
        """

    async def relevance(
        self, ticket: ContextItem, candidates: Sequence[Candidate]
    ) -> Sequence[RankedItem]:
        """Return the candidates with how much each matters, best first; none is left out."""

    async def same(self, texts: Sequence[str]) -> Sequence[int | None]:
        """Return for each text which earlier one says the same already; None for what is new."""

    async def place(
        self, statements: Sequence[Statement], topics: Sequence[Topic]
    ) -> Sequence[int]:
        """Return for each statement which topic it belongs to; ``len(topics)`` for none of them."""

    async def gaps(
        self, ticket: ContextItem, statements: Sequence[Statement]
    ) -> Sequence[OpenQuestion]:
        """Return what somebody who implements the ticket would still have to ask."""
