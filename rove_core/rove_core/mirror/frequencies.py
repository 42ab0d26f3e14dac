"""Word frequencies of a mirror, counted in a sample of its items as ranking counts them.

The full-text index has its own counts, but of its own stems, which differ from those of ranking.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from attrs import field, frozen

from rove_core.build.rank.corpus import words_of
from rove_core.build.rank.standings import COMPARED_ROLES
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.mirror.copies import read_rows
from rove_core.mirror.state import count_items, write_fact

#: Size of the sample, spread over the whole time of a larger mirror.
_SAMPLE: Final = 4_000
#: Rarer words are left out: they may be one person's, and the items found show how rare they are.
_SHARED: Final = 5
_FACT: Final = "frequencies"


@frozen(kw_only=True)
class WordSample:
    """What a sample of a mirror's items says about all of them.

    Attributes:
        frequencies: The word frequencies of the mirror.
        tickets: The rows of the sampled tickets and changes.
        share: The share of the items that were sampled.
        counts: The number of sampled items that have each word.
    """

    frequencies: WordFrequencies = UNKNOWN_FREQUENCIES
    tickets: Sequence[int] = ()
    share: float = 1.0
    counts: Mapping[str, int] = field(factory=dict, repr=False)

    def having(self, word: str) -> int:
        """Return how many items have a word, by estimate; rare words included."""
        return round(self.counts.get(word, 0) / self.share)


def sample_words(db: sqlite3.Connection, account: str) -> WordSample:
    """Return the word frequencies of a mirror, from a sample."""
    items = count_items(db)
    by_time = db.execute("SELECT row FROM items ORDER BY at")
    rows = [row for (row,) in islice(by_time, 0, None, max(1, items // _SAMPLE))]
    counts, length, tickets = Counter[str](), 0.0, list[int]()
    for row, copied in read_rows(db, account, rows):
        words = words_of(copied.item)
        counts.update(words.keys())
        length += sum(words.values())
        if copied.item.role in COMPARED_ROLES:
            tickets.append(row)
    if not rows:
        return WordSample()
    share = len(rows) / items
    frequencies = WordFrequencies(
        items=items,
        length=length / len(rows),
        having={word: round(n / share) for word, n in counts.items() if n >= _SHARED},
    )
    return WordSample(frequencies=frequencies, tickets=tickets, share=share, counts=counts)


def write_frequencies(db: sqlite3.Connection, frequencies: WordFrequencies) -> None:
    """Store word frequencies, in the caller's transaction."""
    db.execute("DELETE FROM word_frequencies")
    db.executemany("INSERT INTO word_frequencies VALUES (?, ?)", frequencies.having.items())
    write_fact(db, _FACT, json.dumps([frequencies.items, frequencies.length]))


def read_frequencies(db: sqlite3.Connection) -> WordFrequencies:
    """Return the stored word frequencies of a mirror; unknown ones before the first count."""
    found = db.execute("SELECT value FROM facts WHERE name = ?", [_FACT]).fetchone()
    if found is None:
        return UNKNOWN_FREQUENCIES
    items, length = json.loads(found[0])
    # One value instead of ten thousand rows, because each build reads them.
    (having,) = db.execute("SELECT json_group_object(word, items) FROM word_frequencies").fetchone()
    return WordFrequencies(items=int(items), length=float(length), having=json.loads(having))
