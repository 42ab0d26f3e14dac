"""The extractive engine: local, deterministic, without a model."""

from collections.abc import Sequence
from typing import Final

from attrs import field, frozen

from rove_core.build.compose.outline import OpenQuestion, Statement, Topic
from rove_core.build.compose.questions import gaps
from rove_core.build.compose.topics import place
from rove_core.build.gather.candidates import Candidate, RankedItem
from rove_core.build.rank.copies import same_as
from rove_core.build.rank.corpus import TicketCorpus
from rove_core.build.rank.ranking import rank
from rove_core.build.rank.weights import RankWeights
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.build.rank.words import written
from rove_core.items import ContextItem

_MOST_KEYWORDS: Final = 12
#: Weight of a title word: the author chose it to tell the ticket from others.
_IN_TITLE: Final = 3.0


@frozen
class Extractive:
    """Answers from the words of the sources themselves.

    Attributes:
        weights: The weights of the relevance signals.
    """

    weights: RankWeights = field(factory=RankWeights)

    async def keywords(self, ticket: ContextItem, seen: Sequence[ContextItem]) -> Sequence[str]:
        """Return the words that distinguish a ticket from others, best first.

        Args:
            ticket: The ticket.
            seen: Other items seen so far; a word in all of them distinguishes nothing.
        """
        corpus = TicketCorpus.of(ticket, [Candidate(item=item) for item in seen])
        titled = {word.stem for word in written(ticket.title)}
        telling = {
            word: times * corpus.rarity(word) * (_IN_TITLE if word in titled else 1.0)
            for word, times in corpus.own.items()
        }
        best: dict[str, str] = {}
        for part in (ticket, *ticket.thread):
            for word in written(f"{part.title}\n{part.content}"):
                best.setdefault(word.stem, word.text)
        ranked = sorted(telling, key=lambda word: (-telling[word], word))
        return [best[word] for word in ranked if word in best][:_MOST_KEYWORDS]

    async def relevance(
        self,
        ticket: ContextItem,
        candidates: Sequence[Candidate],
        everywhere: WordFrequencies = UNKNOWN_FREQUENCIES,
    ) -> Sequence[RankedItem]:
        """Return all candidates with their relevance, best first."""
        return rank(ticket, candidates, self.weights, everywhere=everywhere)

    async def same(self, texts: Sequence[str]) -> Sequence[int | None]:
        """Return for each text the position of an earlier one that says the same, or None."""
        return same_as(texts)

    async def place(
        self, statements: Sequence[Statement], topics: Sequence[Topic]
    ) -> Sequence[int]:
        """Return the topic of each statement; ``len(topics)`` if none fits."""
        return place(statements, topics)

    async def gaps(
        self, ticket: ContextItem, statements: Sequence[Statement]
    ) -> Sequence[OpenQuestion]:
        """Return the questions left open for whoever implements the ticket."""
        return gaps(ticket, statements)
