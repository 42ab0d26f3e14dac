"""Text files: prose, code and tables."""

import csv
import io
from typing import Final

from rove_folder.extract.content import ExtractedContent
from rove_folder.extract.text_decoder import decoded
from rove_folder.files.kinds import CODE_SUFFIXES, TABLE_SUFFIXES, suffix_of

#: A field of a table that is longer is a broken quotation mark.
_LONGEST_FIELD: Final = 100_000
_MOST_COLUMNS: Final = 40


def read_text(name: str, data: bytes) -> ExtractedContent:
    """Return the content of a text file."""
    text = decoded(data)
    suffix = suffix_of(name)
    if suffix in TABLE_SUFFIXES:
        return _table(text, tab=suffix == ".tsv")
    form = "code" if suffix in CODE_SUFFIXES else "prose"
    return ExtractedContent(kind="text", text=text, form=form)


def _table(text: str, *, tab: bool) -> ExtractedContent:
    """Return a table with its shape; one that cannot be taken apart is plain text."""
    csv.field_size_limit(_LONGEST_FIELD)
    first = text[: text.find("\n") + 1 or len(text)]
    delimiter = "\t" if tab else max(",;\t|", key=first.count)
    try:
        rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        head = next(rows, [])
        count = sum(1 for row in rows if row)
    except csv.Error:
        return ExtractedContent(kind="text", text=text, form="prose")
    columns = [" ".join(cell.split()) for cell in head[:_MOST_COLUMNS]]
    what = f"Table, {count} rows, {len(head)} columns: {', '.join(columns)}"
    return ExtractedContent(kind="text", text=text, form="table", note=what)
