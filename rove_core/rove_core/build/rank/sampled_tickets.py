"""Tickets of a whole account that were not found, but could explain a found item better.

Of each, only what a comparison needs is known: its most distinctive words, as numbers, and when it
was written and last changed.
"""

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Final, Self, TypeAlias
from zlib import crc32

from attrs import define, field, frozen

from rove_core.build.gather.candidates import Key
from rove_core.build.rank.closeness import Span

#: How like a text some tickets are; they have negative numbers, because candidates have others.
Likenesses: TypeAlias = Mapping[int, float]

#: How many words are known of each ticket: its heaviest ones.
WORDS: Final = 32
#: Types of the stored numbers: each word's number, and its weight.
_NUMBER, _WEIGHT = "I", "f"


@frozen(kw_only=True)
class SampledTicket:
    """A ticket as others are compared with it.

    Attributes:
        key: Its identity.
        role: ``ticket`` or ``change``.
        span: When it was written and when it last changed.
        words: The numbers of its heaviest words; see :func:`pack_words`.
        weights: The weights of these words, in the same order.
    """

    key: Key
    role: str
    span: Span
    words: bytes
    weights: bytes


@frozen(kw_only=True)
class TicketSample:
    """A sample of an account's tickets.

    Attributes:
        tickets: The sampled tickets.
        share: The share of all tickets that were sampled.
    """

    tickets: Sequence[SampledTicket] = field(default=(), repr=False)
    share: float = 1.0

    @classmethod
    def joined(cls, parts: Iterable["TicketSample"]) -> Self:
        """Return the samples of several accounts together."""
        some = [each for each in parts if each.tickets]
        sampled = sum(len(each.tickets) for each in some)
        whole = sum(len(each.tickets) / each.share for each in some)
        tickets = tuple(chain.from_iterable(each.tickets for each in some))
        return cls(tickets=tickets, share=sampled / whole if whole else 1.0)

    def besides(self, role: str, known: Collection[Key]) -> "OtherTickets":
        """Return the sampled tickets of a role that are not known otherwise."""
        others = [each for each in self.tickets if each.role == role and each.key not in known]
        return OtherTickets(tickets=others, times=1 / self.share)


@define(eq=False, slots=False, kw_only=True)
class OtherTickets:
    """Sampled tickets that are not among the candidates.

    Attributes:
        tickets: The tickets.
        times: How many tickets of the account each of them stands for.
    """

    tickets: Sequence[SampledTicket] = ()
    times: float = 1.0

    @property
    def spans(self) -> Mapping[int, Span]:
        """When each ticket was written and last changed, by its number."""
        return {-1 - at: each.span for at, each in enumerate(self.tickets)}

    def having(self, word: str) -> int:
        """Return how many of the tickets have a word among their heaviest."""
        return self._having[word] if self.tickets else 0

    def likenesses(self, texts: Mapping[int, Mapping[str, float]]) -> Mapping[int, Likenesses]:
        """Return how like each of some texts the tickets are that share words with it."""
        index = self._index(chain.from_iterable(texts.values()))
        found: dict[int, Likenesses] = {}
        for at, words in texts.items():
            likeness: dict[int, float] = defaultdict(float)
            for word, weight in words.items():
                for ticket, theirs in zip(*index.get(word, ((), ())), strict=True):
                    likeness[ticket] += weight * theirs
            found[at] = likeness
        return found

    def _index(self, words: Iterable[str]) -> Mapping[str, tuple[list[int], list[float]]]:
        """Return the tickets that have each of some words, and its weights there."""
        wanted = {_number_of(word): word for word in dict.fromkeys(words)} if self.tickets else {}
        found: dict[str, tuple[list[int], list[float]]] = {}
        numbers, weights = self._numbers, self._weights
        # Most words are not wanted, and a comprehension passes them by in half the time.
        for at in [at for at, number in enumerate(numbers) if number in wanted]:
            tickets, theirs = found.setdefault(wanted[numbers[at]], ([], []))
            tickets.append(-1 - at // WORDS)
            theirs.append(weights[at])
        return found

    @cached_property
    def _numbers(self) -> "array[int]":
        return array(_NUMBER, b"".join(each.words for each in self.tickets))

    @cached_property
    def _weights(self) -> "array[float]":
        return array(_WEIGHT, b"".join(each.weights for each in self.tickets))

    @cached_property
    def _having(self) -> "_TicketCounts":
        return _TicketCounts(Counter(self._numbers))


class _TicketCounts(dict[str, int]):
    """How many tickets have each word, computed on first use."""

    def __init__(self, counts: Counter[int]) -> None:
        super().__init__()
        self._counts = counts

    def __missing__(self, word: str) -> int:
        count = self[word] = self._counts[_number_of(word)]
        return count


#: No ticket is known beyond the candidates.
NO_OTHERS = OtherTickets()


def pack_words(words: Mapping[str, float]) -> tuple[bytes, bytes]:
    """Return the numbers and the weights of a ticket's words as they are stored.

    Args:
        words: At most :data:`WORDS` words with their weights.
    """
    numbers = array(_NUMBER, map(_number_of, words))
    weights = array(_WEIGHT, words.values())
    lacking = WORDS - len(words)
    # No word has the number 0.
    numbers.extend([0] * lacking)
    weights.extend([0.0] * lacking)
    return numbers.tobytes(), weights.tobytes()


def _number_of(word: str) -> int:
    """Return a word's number; two of 20,000 words share one in 1 of 20 collections."""
    return crc32(word.encode("utf-8", "surrogatepass")) or 1
