"""Full-text search over documents and over the items found for them."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from rove_core.store.documents import DocumentRecord, scored_documents
from rove_core.store.values import storable


@frozen
class DocumentHit:
    """A document that a search found.

    Attributes:
        document: The document.
        score: How well it matches: above 0, at most 1.
    """

    document: DocumentRecord
    score: float


@frozen(kw_only=True)
class DocumentExcerpt:
    """A few words of a document around a search hit.

    Attributes:
        text: The words, on one line.
        hits: The words in it that match.
        account: The account of the item that says it; empty if the document itself does.
        item: The item's id.
        url: Where a person reads the item.
    """

    text: str
    hits: tuple[str, ...]
    account: str = ""
    item: str = ""
    url: str = ""


_MOST_WORDS: Final = 20
#: A shorter word is the beginning of too many others.
_SHORTEST_PREFIX: Final = 3
#: How many words an excerpt has.
EXCERPT_WORDS: Final = 24
#: What stands around a hit in what SQLite cuts out of a text.
HIT_BEGIN: Final = "\x02"
HIT_END: Final = "\x03"
_MARKED: Final = re.compile(f"{HIT_BEGIN}(.*?){HIT_END}", re.DOTALL)
#: Scripts that put no blanks between words: Thai to Khmer, and Chinese, Japanese and Korean.
_UNSPACED: Final = re.compile("[\u0e00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")

#: The worth of one word in each document. Where it is an entire word it counts in two parts.
_WORTH: Final = """
WITH body AS MATERIALIZED (
    SELECT rowid AS id, bm25(document_texts) AS distance FROM document_texts
    WHERE document_texts MATCH 'body : (' || :word || ')'
), found (id, worth) AS (
    SELECT rowid, 1.0 FROM document_texts
        WHERE document_texts MATCH 'ticket_id : (' || :word || ')'
    UNION ALL SELECT rowid, 0.3 FROM document_texts
        WHERE document_texts MATCH 'keywords : (' || :word || ')'
    UNION ALL SELECT rowid, 0.3 FROM document_texts
        WHERE document_texts MATCH 'keywords : ' || :whole
    UNION ALL SELECT rowid, 0.2 FROM document_texts
        WHERE document_texts MATCH 'title : (' || :word || ')'
    UNION ALL SELECT rowid, 0.2 FROM document_texts
        WHERE document_texts MATCH 'title : ' || :whole
    UNION ALL SELECT id, 0.1 + 0.2 * distance / min(distance) OVER () FROM body
    UNION ALL SELECT context_file_id, 0.05 + 0.05 * max(kept) FROM (
            SELECT rowid AS row FROM item_texts WHERE item_texts MATCH :word
            ORDER BY rank LIMIT 1000
        ) JOIN items ON items.rowid = row JOIN document_items USING (account, id, version)
        GROUP BY context_file_id
)
SELECT id, min(1.0, sum(worth)) FROM found GROUP BY id
"""

#: The same for a word of a script without blanks, which SQLite does not cut into words.
_WORTH_UNSPACED: Final = """
SELECT rowid, min(1.0, (instr(lower(ticket_id), :word) > 0) + 0.6 * (instr(keywords, :word) > 0)
    + 0.4 * (instr(title, :word) > 0) + 0.2 * (instr(body, :word) > 0)) AS worth
FROM document_texts WHERE worth > 0
"""

_EXCERPT_OF_BODY: Final = f"""
SELECT snippet(document_texts, 3, '{HIT_BEGIN}', '{HIT_END}', '…', {EXCERPT_WORDS}), '', '', ''
FROM document_texts, context_files
WHERE document_texts MATCH 'body : (' || :words || ')' AND document_texts.rowid = context_files.id
AND account = :account AND context_files.ticket_id = :ticket
"""  # noqa: S608  # constants

_EXCERPT_OF_ITEM: Final = f"""
SELECT snippet(item_texts, -1, '{HIT_BEGIN}', '{HIT_END}', '…', {EXCERPT_WORDS}),
    items.account, items.id, items.url
FROM item_texts JOIN items ON items.rowid = item_texts.rowid
JOIN document_items USING (account, id, version)
JOIN context_files ON context_files.id = context_file_id
WHERE item_texts MATCH :words AND context_files.account = :account AND ticket_id = :ticket
ORDER BY kept DESC, item_texts.rank LIMIT 1
"""  # noqa: S608  # constants


def search_documents(
    db: sqlite3.Connection, words: str, limit: int = 20
) -> tuple[DocumentHit, ...]:
    """Return the documents that match some of the words, best first.

    A word counts 1 in the ticket's id, 0.6 as a keyword, 0.4 in the title, up to 0.3 in the
    document and up to 0.1 in what was found for it; the score is the mean over the words. Words
    match whatever their ending, and as the beginning of longer ones.
    """
    terms = searched_words(words)
    scores: dict[int, float] = {}
    for word in terms:
        for row, worth in _worths(db, word):
            scores[row] = scores.get(row, 0.0) + worth / len(terms)
    rounded = {row: max(0.01, round(score, 2)) for row, score in scores.items()}
    return tuple(DocumentHit(*each) for each in scored_documents(db, rounded, limit))


def excerpt_of(
    db: sqlite3.Connection, document: DocumentRecord, words: str
) -> DocumentExcerpt | None:
    """Return where a document says some of the words, or an item found for it; None if none does.

    Args:
        db: The index.
        document: The document.
        words: The words of the search.
    """
    terms = searched_words(words)
    spaced = [_any_form(word) for word in terms if not _UNSPACED.search(word)]
    named = {
        "words": " OR ".join(spaced),
        "account": document.account,
        "ticket": storable(document.ticket_id),
    }
    for query in (_EXCERPT_OF_BODY, _EXCERPT_OF_ITEM) if spaced else ():
        if row := db.execute(query, named).fetchone():
            return marked_excerpt(*row)
    return next(filter(None, (_excerpt_around(db, document, word) for word in terms)), None)


def marked_excerpt(marked: str, account: str, item: str, url: str) -> DocumentExcerpt:
    """Return a text with the hits that SQLite marked in it.

    Args:
        marked: The text, with :data:`HIT_BEGIN` and :data:`HIT_END` around each hit.
        account: The account of the item that says it; empty if a document itself does.
        item: The item's id.
        url: Where a person reads the item.
    """
    text = " ".join(marked.split())
    hits = tuple(dict.fromkeys(_MARKED.findall(text)))
    return DocumentExcerpt(
        text=text.replace(HIT_BEGIN, "").replace(HIT_END, ""),
        hits=hits,
        account=account,
        item=item,
        url=url,
    )


def searched_words(text: str) -> Sequence[str]:
    """Return the words to look for, each once; a control character or a quote is none."""
    plain = "".join(c if c.isprintable() else " " for c in storable(text).casefold())
    words = {word for word in plain.split() if any(map(str.isalnum, word))}
    return sorted(words)[:_MOST_WORDS]


def _worths(db: sqlite3.Connection, word: str) -> Iterator[tuple[int, float]]:
    if _UNSPACED.search(word):
        yield from db.execute(_WORTH_UNSPACED, {"word": word})
    else:
        yield from db.execute(_WORTH, {"word": _any_form(word), "whole": _quote(word)})


def _any_form(word: str) -> str:
    """Return what matches a word in FTS5, also at the beginning of longer words."""
    return f"{_quote(word)} *" if len(word) >= _SHORTEST_PREFIX else _quote(word)


def _quote(word: str) -> str:
    doubled = word.replace('"', '""')
    return f'"{doubled}"'


def _excerpt_around(
    db: sqlite3.Connection, document: DocumentRecord, word: str
) -> DocumentExcerpt | None:
    """Return the text around a word in a script without spaces."""
    if not _UNSPACED.search(word):
        return None
    named = [word, word, word, document.account, storable(document.ticket_id)]
    row = db.execute(
        "SELECT substr(body, max(1, instr(body, ?) - 40), 80 + length(?)) FROM document_texts"
        " JOIN context_files ON context_files.id = document_texts.rowid"
        " WHERE instr(body, ?) > 0 AND account = ? AND context_files.ticket_id = ?",
        named,
    ).fetchone()
    return DocumentExcerpt(text=" ".join(row[0].split()), hits=(word,)) if row else None
