"""Word frequencies of a mirror, counted in a sample of its items as ranking counts them.

The full-text index has its own counts, but of its own stems, which differ from those of ranking.
"""

import json
import sqlite3
from collections import Counter
from itertools import islice
from typing import Final

from rove_core.build.rank.corpus import words_of
from rove_core.build.rank.word_frequencies import UNKNOWN_FREQUENCIES, WordFrequencies
from rove_core.mirror.copies import read_copies
from rove_core.mirror.state import count_items, write_fact

#: Size of the sample, spread over the whole time of a larger mirror.
_SAMPLE: Final = 4_000
#: Rarer words are left out: they may be one person's, and the items found show how rare they are.
_SHARED: Final = 5
_FACT: Final = "frequencies"


def sample_frequencies(db: sqlite3.Connection, account: str) -> WordFrequencies:
    """Return the word frequencies of a mirror, from a sample."""
    items = count_items(db)
    by_time = db.execute("SELECT row FROM items ORDER BY at")
    rows = [row for (row,) in islice(by_time, 0, None, max(1, items // _SAMPLE))]
    counts, length, sampled = Counter[str](), 0.0, 0
    for copied in read_copies(db, account, rows):
        words = words_of(copied.item)
        counts.update(words.keys())
        length += sum(words.values())
        sampled += 1
    if not sampled:
        return UNKNOWN_FREQUENCIES
    share = items / sampled
    return WordFrequencies(
        items=items,
        length=length / sampled,
        having={word: round(n * share) for word, n in counts.items() if n >= _SHARED},
    )


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
