"""The tables of a mirror, as numbered migrations: a script is never changed once it is released.

The text index stores no text of its own. To remove an item from it, SQLite needs the words that
went in; :mod:`rove_core.mirror.indexed_text` derives them from the item again. A change of what is
indexed needs a migration that rebuilds ``texts``.
"""

from typing import Final

_FIRST: Final = """
CREATE TABLE facts (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE containers (
    name TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    since REAL,          -- where its listings begin; bound to their cursors
    cursor TEXT NOT NULL DEFAULT '',
    copied_at REAL,      -- when the first copy was whole
    updated_at REAL,     -- when a listing last came to its end
    check_cursor TEXT,   -- where a check of everything goes on; NULL while none is under way
    check_began REAL,
    checked_at REAL
) STRICT, WITHOUT ROWID;

CREATE TABLE items (
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    container TEXT NOT NULL,
    at REAL NOT NULL,
    seen REAL NOT NULL,
    whole INTEGER NOT NULL,
    listed BLOB NOT NULL,  -- digest of the item as it was listed
    body BLOB NOT NULL   -- compressed JSON
) STRICT;
CREATE INDEX items_of_container ON items(container, at);
CREATE INDEX items_by_time ON items(at);
CREATE INDEX items_in_part ON items(container, at) WHERE NOT whole;

CREATE TABLE parts (
    id TEXT PRIMARY KEY,
    row INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
    target TEXT NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (target, row)
) STRICT, WITHOUT ROWID;

CREATE TABLE people (
    name TEXT NOT NULL,
    at REAL NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (name, at, row)
) STRICT, WITHOUT ROWID;

CREATE TABLE common_words (
    term TEXT PRIMARY KEY,
    items INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE texts USING fts5(
    title, content, content = '', tokenize = "porter unicode61 remove_diacritics 2"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(texts, 'row');
"""

_SECOND: Final = """
CREATE TABLE word_frequencies (
    word TEXT PRIMARY KEY,  -- as ranking compares words
    items INTEGER NOT NULL  -- how many items have it, by a sample
) STRICT, WITHOUT ROWID;
DELETE FROM facts WHERE name = 'counted';
"""

#: A check counts, because times of items listed before and after a change of the clock do not
#: compare. An old time is no number of a check, so all items are listed again before one is missed.
_THIRD: Final = """
ALTER TABLE items RENAME COLUMN seen TO check_number;  -- of the container when it was last listed
ALTER TABLE containers DROP COLUMN check_began;
ALTER TABLE containers ADD COLUMN check_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE containers ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;  -- order of listings
ALTER TABLE containers ADD COLUMN check_turn INTEGER NOT NULL DEFAULT 0;  -- and of checks
ALTER TABLE containers ADD COLUMN failure TEXT NOT NULL DEFAULT '';  -- of the last listing or check
UPDATE containers SET check_cursor = NULL;

CREATE TABLE unread (  -- items that could not be read or filtered
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    container TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    again_at REAL NOT NULL
) STRICT, WITHOUT ROWID;
"""

_FOURTH: Final = """
ALTER TABLE containers ADD COLUMN check_since REAL;  -- as `since`, of the check that is under way
ALTER TABLE containers ADD COLUMN private INTEGER NOT NULL DEFAULT 0;  -- as it was last named
"""

_FIFTH: Final = """
CREATE TABLE tickets (  -- a sample, as ranking compares tickets with items
    row INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    role TEXT NOT NULL,
    first REAL,            -- in days; NULL if unknown
    last REAL,
    words BLOB NOT NULL,   -- numbers of its heaviest words
    weights BLOB NOT NULL  -- of these words
) STRICT;
DELETE FROM facts WHERE name = 'counted_at';  -- the next count draws the sample
"""

_SIXTH: Final = """
CREATE TABLE unconfirmed (  -- items that the cursor of their container may lack
    id TEXT PRIMARY KEY,
    container TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX unconfirmed_of_container ON unconfirmed(container);
"""

_SEVENTH: Final = """
ALTER TABLE containers ADD COLUMN began_at REAL;  -- of the listing under way, once it has a cursor
"""

MIGRATIONS: Final = (_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH, _SIXTH, _SEVENTH)
