"""Samples of a mirror, among them of its tickets: many can be compared with an item at once."""

import sqlite3
from collections.abc import Iterator, Sequence
from heapq import nlargest
from math import log, sqrt
from typing import Final

from attrs import frozen

from rove_core.build.rank.closeness import span_of
from rove_core.build.rank.corpus import words_of
from rove_core.build.rank.sampled_tickets import WORDS, SampledTicket, TicketSample, pack_words
from rove_core.build.rank.word_frequencies import WordFrequencies
from rove_core.items import ContextItem
from rove_core.mirror.copies import read_rows
from rove_core.mirror.frequencies import WordSample, sample_words, write_frequencies
from rove_core.mirror.state import write_fact

#: Maximum tickets: comparing what was found with 3,500 of them takes .1 s of CPU.
_MOST: Final = 4_000
#: A word in more than one of this many items tells no tickets apart, as in ranking.
_COMMON: Final = 3
_FACT: Final = "tickets"


@frozen(kw_only=True)
class MirrorSamples:
    """What ranking needs to know of all items of a mirror, by estimate.

    Attributes:
        frequencies: How common words are.
        tickets: A sample of the tickets, as rows of their table.
        whole: The number of all tickets.
    """

    frequencies: WordFrequencies
    tickets: Sequence[tuple[object, ...]]
    whole: float


def draw_samples(db: sqlite3.Connection, account: str) -> MirrorSamples:
    """Return the samples of a mirror as it is now."""
    sample = sample_words(db, account)
    weights = _Weights(sample)
    rows = sample.tickets[:: -(-len(sample.tickets) // _MOST) or 1]
    tickets = [
        (row, item.role, *(span_of(item) or (None, None)), *weights.packed(item))
        for row, item in ((row, each.item) for row, each in read_rows(db, account, rows))
    ]
    return MirrorSamples(
        frequencies=sample.frequencies,
        tickets=tickets,
        whole=len(sample.tickets) / sample.share,
    )


def write_samples(db: sqlite3.Connection, samples: MirrorSamples) -> None:
    """Store samples in place of earlier ones, in the caller's transaction."""
    write_frequencies(db, samples.frequencies)
    forget_tickets(db)
    db.executemany(
        "INSERT INTO tickets (row, id, role, first, last, words, weights)"
        " SELECT row, id, ?2, ?3, ?4, ?5, ?6 FROM items WHERE row = ?1",
        samples.tickets,
    )
    write_fact(db, _FACT, repr(samples.whole))


def read_tickets(db: sqlite3.Connection, account: str) -> TicketSample:
    """Return the stored sample of an account's tickets; an empty one before the first count."""
    found = db.execute("SELECT value FROM facts WHERE name = ?", [_FACT]).fetchone()
    tickets = tuple(_read(db, account)) if found else ()
    whole = float(found[0]) if found else 0.0
    return TicketSample(tickets=tickets, share=min(1.0, len(tickets) / whole) if whole else 1.0)


def forget_tickets(db: sqlite3.Connection) -> None:
    """Delete the sample, in the caller's transaction."""
    db.execute("DELETE FROM tickets")
    db.execute("DELETE FROM facts WHERE name = ?", [_FACT])


def _read(db: sqlite3.Connection, account: str) -> Iterator[SampledTicket]:
    query = "SELECT id, role, first, last, words, weights FROM tickets ORDER BY row"
    for name, role, first, last, words, weights in db.execute(query):
        yield SampledTicket(
            key=(account, name),
            role=role,
            span=() if first is None else (first, last),
            words=words,
            weights=weights,
        )


class _Weights(dict[str, float]):
    """How well each word distinguishes the items of a mirror, as ranking measures it."""

    def __init__(self, sample: WordSample) -> None:
        super().__init__()
        self._sample, self._items = sample, sample.frequencies.items

    def __missing__(self, word: str) -> float:
        count = self._sample.having(word)
        tells = 1 < count <= max(2, self._items // _COMMON)
        rarity = log(1 + (self._items - count + 0.5) / (count + 0.5)) if tells else 0.0
        self[word] = rarity
        return rarity

    def packed(self, ticket: ContextItem) -> tuple[bytes, bytes]:
        """Return the heaviest words of a ticket as they are stored."""
        heavy = [
            (weight * (1 + log(times) if times > 1 else times), word)
            for word, times in words_of(ticket).items()
            if (weight := self[word])
        ]
        size = sqrt(sum(weight * weight for weight, _ in heavy)) or 1.0
        return pack_words({word: weight / size for weight, word in nlargest(WORDS, heavy)})
