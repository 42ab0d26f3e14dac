"""Search features of a file: counts of words and names for each chunk.

They depend on the file's text alone. Equal files at several paths have them once.
"""

import zlib
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final, Self

from attrs import frozen

from rove_code.compression import compressed
from rove_code.model import Chunk, ParsedFile, TypeRelation
from rove_code.ranking.arrays import Ints, joined_columns, parted
from rove_code.ranking.literals import sequences
from rove_code.ranking.words import counted, exact

#: How a chunk names something: what is called or built on says more than a word that is there too.
KINDS: Final = ("name", "call", "type", "import", "link")
_BITS: Final = {kind: 1 << bit for bit, kind in enumerate(KINDS)}
RELATIONS: Final = (TypeRelation.EXTENDS, TypeRelation.IMPLEMENTS)
#: Files that are called by their folder.
_INDEXES: Final = frozenset({"index", "README", "__init__", "mod"})
#: A count, or the bits of how something is named, are kept in a byte.
MOST: Final = 255
_NOTHING: Final[Mapping[int, int]] = {}


@frozen(eq=False)
class FieldTerms:
    """The terms of each chunk of a file in one of its parts: its body, its names, its containers.

    Attributes:
        sizes: How many terms each chunk has.
        terms: Them, chunk after chunk.
        counts: How often each is there.
    """

    sizes: Ints
    terms: Ints
    counts: Ints


@frozen(eq=False)
class Features:
    """The search features of a file.

    Attributes:
        body: The words of each chunk.
        names: The words of what each chunk declares.
        containers: The words of what each chunk stands in.
        declared: The exact names that each chunk declares.
        uses: The exact names that each chunk refers to; instead of a count stands how, as bits.
        bases: The exact names that what each chunk declares is built on; again with bits.
        literals: Sequences of words in each chunk's string literals.
        lines: The first line of each chunk.
        is_generated: One number: whether a machine wrote the file.
    """

    body: FieldTerms
    names: FieldTerms
    containers: FieldTerms
    declared: FieldTerms
    uses: FieldTerms
    bases: FieldTerms
    literals: FieldTerms
    lines: Ints
    is_generated: Ints

    @classmethod
    def unpack(cls, data: bytes) -> Self:
        """Return the features from their packed form."""
        arrays = list(parted(zlib.decompress(data)))
        lines, is_generated = arrays[-2:]
        fields = (FieldTerms(*arrays[at : at + 3]) for at in range(0, len(arrays) - 2, 3))
        body, names, containers, declared, uses, bases, literals = fields
        return cls(body, names, containers, declared, uses, bases, literals, lines, is_generated)


def features(parsed: ParsedFile, text: str) -> bytes:
    """Return the search features of a file, packed."""
    declared = [_declared(parsed, chunk) for chunk in parsed.chunks]
    texts = [text[chunk.place.start : chunk.place.end] for chunk in parsed.chunks]
    fields: tuple[Sequence[Mapping[int, int]], ...] = (
        [counted((each,)) for each in texts],
        [counted(names) if names else _NOTHING for names in declared],
        [counted(chunk.containers) if chunk.containers else _NOTHING for chunk in parsed.chunks],
        [dict.fromkeys(map(exact, sorted(set(names))), 1) for names in declared],
        _uses(parsed),
        [_bases(parsed, chunk) for chunk in parsed.chunks],
        [sequences(each, parsed.language) for each in texts],
    )
    lines = array("I", [chunk.place.first for chunk in parsed.chunks])
    is_generated = array("B", [parsed.is_generated])
    columns = [*chain.from_iterable(_columns(each) for each in fields), lines, is_generated]
    return compressed(joined_columns(columns))


def _columns(chunks: Sequence[Mapping[int, int]]) -> "Iterator[array[int]]":
    """Yield the columns of :class:`FieldTerms` for the counts of each chunk's terms."""
    yield array("I", [*map(len, chunks)])
    terms = [*chain.from_iterable(chunks)]
    yield array("I", terms)
    if terms:
        counts = [*chain.from_iterable([each.values() for each in chunks])]
        yield array("B", counts if max(counts) <= MOST else [min(each, MOST) for each in counts])
    else:
        yield array("B")


def _declared(parsed: ParsedFile, chunk: Chunk) -> Sequence[str]:
    return [parsed.declarations[number].name for number in chunk.declarations]


def _uses(parsed: ParsedFile) -> list[dict[int, int]]:
    chunks: list[dict[int, int]] = [{} for _ in parsed.chunks]
    for reference in parsed.references:
        names = chunks[reference.chunk]
        is_link = reference.kind == "link"
        name = exact(link_name(reference.name) if is_link else reference.name)
        names[name] = names.get(name, 0) | _BITS[reference.kind]
    return chunks


def link_name(path: str) -> str:
    """Return the index key of a link's target: its file name without folders and suffix.

    What a file is called from elsewhere depends on where that is; the file's text alone is known.
    """
    folder, _, file = path.rstrip("/").rpartition("/")
    stem = file.rpartition(".")[0] or file
    if stem in _INDEXES and folder.strip("./"):
        stem = folder.rpartition("/")[2]
    return f"/{stem}"


def _bases(parsed: ParsedFile, chunk: Chunk) -> Mapping[int, int]:
    found: dict[int, int] = {}
    for number in chunk.declarations:
        for base in parsed.declarations[number].bases:
            name = exact(base.name.rpartition(".")[2])
            found[name] = found.get(name, 0) | 1 << RELATIONS.index(base.relation)
    return found
