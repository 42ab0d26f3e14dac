"""Read an existing document: people's edits, and when each source was last queried."""

import re
from collections.abc import Sequence
from typing import Final

import attrs

from rove_core.build.compose.outline import ConsultedSource
from rove_core.build.write.base import DocumentBase
from rove_core.build.write.blocks import DocumentPiece, cut, front_of
from rove_core.build.write.digest import digest
from rove_core.build.write.merge import BlockRecord, find_owners
from rove_core.build.write.sources_table import table_row

_QUOTE: Final = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_MARK: Final = re.compile(r"(?<!\\)[ \t]*\[[0-9]{1,9}\]")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")


def words_of_people(text: str, base: DocumentBase) -> tuple[str, ...]:
    """Return the pieces that people wrote into a document; of quotes, only the words."""
    pieces = cut(text[len(front_of(text)) :])
    owned = find_owners(base.blocks, pieces)
    return tuple(
        _ESCAPE.sub(r"\1", _MARK.sub("", _QUOTE.sub("", each.piece.words)))
        for each in owned
        if each.key is None and each.piece.words
    )


def ask_again(
    text: str, base: DocumentBase, consulted: Sequence[ConsultedSource]
) -> tuple[str, DocumentBase]:
    """Return a document and its base with only the rows of its sources updated.

    Args:
        text: The document.
        base: Its saved base.
        consulted: The accounts that were queried.
    """
    rows = {row.key: row for row in map(table_row, consulted)}
    front = front_of(text)
    blocks = dict(base.blocks)
    pieces: list[DocumentPiece] = []
    for placed in find_owners(base.blocks, cut(text[len(front) :])):
        row = rows.get(placed.key or "")
        if row is None or blocks[row.key].held:
            pieces.append(placed.piece)
        else:
            pieces.append(attrs.evolve(placed.piece, words=row.text))
            blocks[row.key] = BlockRecord(digest(row.text))
    return front + "".join(map(str, pieces)), attrs.evolve(base, blocks=blocks)
