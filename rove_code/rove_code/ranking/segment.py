"""Search features of several files, in immutable arrays that can be memory-mapped."""

import mmap
import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

import numpy as np
from attrs import astuple, frozen

from rove_code.ranking.arrays import Ints, bounds, parted, pieces
from rove_code.ranking.features import Features, FieldTerms
from rove_code.ranking.postings import Postings, gathered, joint, spread


@frozen(eq=False)
class Forward:
    """The columns of each row.

    Attributes:
        starts: Where each row's begin, and where those of the last one end.
        terms: Them.
        counts: How often, or bits that tell how.
    """

    starts: Ints
    terms: Ints
    counts: Ints

    @classmethod
    def of_fields(cls, fields: Sequence[FieldTerms]) -> Self:
        """Make it from one part of several files."""
        terms, _, counts = spread(fields)
        sizes = joint([each.sizes for each in fields], "<u4")
        return cls(bounds(sizes).astype("<u4"), terms, counts)

    def find(self, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the terms of rows: position among the rows, term and count."""
        which, places = gathered(self.starts[rows], self.starts[rows + 1])
        return which, self.terms[places], self.counts[places]


#: The parts that have words; in the others stand names.
WORDY: Final = ("body", "names", "containers")


@frozen(eq=False)
class Segment:
    """Files, of which each chunk is a row.

    Attributes:
        keys: What each file's content is called.
        starts: The first row of each file, and the end of the last.
        lines: The line of its file that each row begins at.
        sizes: How many words each row has: of all rows in one part, then in the next (``WORDY``).
        generated: For each file, whether a machine wrote it.
        body: Words.
        names: Words of what is declared.
        containers: Words of what it stands in.
        declared: Exact names.
        uses: Exact names.
        bases: Exact names.
        literals: Sequences of words in string literals.
        uses_of: The exact names that a row refers to.
        declared_in: The exact names that a row declares.
    """

    keys: tuple[str, ...]
    starts: Ints
    lines: Ints
    sizes: Ints
    generated: Ints
    body: Postings
    names: Postings
    containers: Postings
    declared: Postings
    uses: Postings
    bases: Postings
    literals: Postings
    uses_of: Forward
    declared_in: Forward

    @classmethod
    def of(cls, files: Iterable[tuple[str, bytes]]) -> Self:
        """Make it from files' features, by the keys of their content."""
        pairs = [(key, Features.unpack(data)) for key, data in files]
        each = [features for _, features in pairs]
        body = [features.body for features in each]
        names = [features.names for features in each]
        containers = [features.containers for features in each]
        uses = [features.uses for features in each]
        declared = [features.declared for features in each]
        return cls(
            keys=tuple(key for key, _ in pairs),
            starts=bounds(np.array([features.lines.size for features in each], "<u4")).astype(
                "<u4"
            ),
            lines=joint([features.lines for features in each], "<u4"),
            sizes=joint([_sizes(part) for part in (body, names, containers)], "<u4"),
            generated=joint([features.is_generated for features in each], "<u1"),
            body=Postings.of_fields(body),
            names=Postings.of_fields(names),
            containers=Postings.of_fields(containers),
            declared=Postings.of_fields(declared),
            uses=Postings.of_fields(uses),
            bases=Postings.of_fields([features.bases for features in each]),
            literals=Postings.of_fields([features.literals for features in each]),
            uses_of=Forward.of_fields(uses),
            declared_in=Forward.of_fields(declared),
        )

    @classmethod
    def load(cls, path: Path) -> Self:
        """Map the file into memory; its arrays are loaded on access."""
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        keys, starts, lines, sizes, generated, *others = parted(memoryview(data))
        indexes = (Postings(*others[at : at + 4]) for at in range(0, 28, 4))
        body, names, containers, declared, uses, bases, literals = indexes
        uses_of, declared_in = (Forward(*others[at : at + 3]) for at in range(28, 34, 3))
        return cls(
            keys=tuple(keys.tobytes().decode().splitlines()),
            starts=starts,
            lines=lines,
            sizes=sizes,
            generated=generated,
            body=body,
            names=names,
            containers=containers,
            declared=declared,
            uses=uses,
            bases=bases,
            literals=literals,
            uses_of=uses_of,
            declared_in=declared_in,
        )

    def lengths(self, part: str) -> Ints:
        """Return how many words each row has in a part."""
        rows = int(self.starts[-1])
        first = WORDY.index(part) * rows
        return self.sizes[first : first + rows]

    def save(self, path: Path) -> None:
        """Write it, all or nothing."""
        keys = np.frombuffer("\n".join(self.keys).encode(), "<u1")
        _, starts, lines, sizes, generated, *indexes = astuple(self, recurse=False)
        arrays = [array for index in indexes for array in astuple(index, recurse=False)]
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        try:
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.writelines(pieces([keys, starts, lines, sizes, generated, *arrays]))
            # Another process that writes one may have taken the draft for what was left there.
            with suppress(FileNotFoundError):
                draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def _sizes(fields: Sequence[FieldTerms]) -> Ints:
    """Return how many words each chunk of several files has."""
    ends = np.cumsum(joint([each.sizes for each in fields], "<u4"), dtype=np.int64)
    before = bounds(joint([each.counts for each in fields], "<u1"))
    return np.diff(before[ends], prepend=0).astype("<u4")
