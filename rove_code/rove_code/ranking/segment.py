"""What several files are found by, in arrays that never change and can be read from a file."""

import mmap
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import numpy as np
from attrs import astuple, field, frozen

from rove_code.ranking.arrays import Ints, bounds, joined, parted
from rove_code.ranking.features import Features, Field
from rove_code.ranking.postings import Postings, gathered, joint, spread


@frozen(eq=False)
class Forward:
    """What each row has: the other way round.

    Attributes:
        starts: Where each row's begin, and where those of the last one end.
        terms: Them.
        counts: How often, or bits that tell how.
    """

    starts: Ints
    terms: Ints
    counts: Ints

    @classmethod
    def of_fields(cls, fields: Sequence[Field]) -> Self:
        """Make it from one part of several files."""
        terms, _, counts = spread(fields)
        sizes = joint([each.sizes for each in fields], "<u4")
        return cls(bounds(sizes).astype("<u4"), terms, counts)

    def find(self, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """Return what rows have: the place of each row among those asked for, terms and counts."""
        which, places = gathered(self.starts[rows], self.starts[rows + 1])
        return which, self.terms[places], self.counts[places]


@frozen(eq=False)
class Segment:
    """Files, of which each chunk is a row.

    Attributes:
        keys: What each file's content is called.
        starts: The first row of each file, and the end of the last.
        lines: The line of its file that each row begins at.
        generated: For each file, whether a machine wrote it.
        body: Words.
        names: Words of what is declared.
        containers: Words of what it stands in.
        declared: Exact names.
        uses: Exact names.
        bases: Exact names.
        uses_of: The exact names that a row refers to.
        declared_in: The exact names that a row declares.
        numbers: The number of each file, by its key.
    """

    keys: tuple[str, ...]
    starts: Ints
    lines: Ints
    generated: Ints
    body: Postings
    names: Postings
    containers: Postings
    declared: Postings
    uses: Postings
    bases: Postings
    uses_of: Forward
    declared_in: Forward
    numbers: Mapping[str, int] = field(init=False, repr=False)

    @numbers.default
    def _number(self) -> Mapping[str, int]:
        return {key: number for number, key in enumerate(self.keys)}

    @classmethod
    def of(cls, files: Iterable[tuple[str, bytes]]) -> Self:
        """Make it from files' features, by the keys of their content."""
        kept = [(key, Features.unpack(data)) for key, data in files]
        each = [features for _, features in kept]
        uses = [features.uses for features in each]
        declared = [features.declared for features in each]
        return cls(
            keys=tuple(key for key, _ in kept),
            starts=bounds(np.array([features.lines.size for features in each], "<u4")).astype(
                "<u4"
            ),
            lines=joint([features.lines for features in each], "<u4"),
            generated=joint([features.is_generated for features in each], "<u1"),
            body=Postings.of_fields([features.body for features in each]),
            names=Postings.of_fields([features.names for features in each]),
            containers=Postings.of_fields([features.containers for features in each]),
            declared=Postings.of_fields(declared),
            uses=Postings.of_fields(uses),
            bases=Postings.of_fields([features.bases for features in each]),
            uses_of=Forward.of_fields(uses),
            declared_in=Forward.of_fields(declared),
        )

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read it where it lies; its arrays come into memory when they are looked at."""
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        keys, starts, lines, generated, *others = parted(memoryview(data))
        indexes = (Postings(*others[at : at + 4]) for at in range(0, 24, 4))
        body, names, containers, declared, uses, bases = indexes
        uses_of, declared_in = (Forward(*others[at : at + 3]) for at in range(24, 30, 3))
        return cls(
            keys=tuple(keys.tobytes().decode().splitlines()),
            starts=starts,
            lines=lines,
            generated=generated,
            body=body,
            names=names,
            containers=containers,
            declared=declared,
            uses=uses,
            bases=bases,
            uses_of=uses_of,
            declared_in=declared_in,
        )

    def save(self, path: Path) -> None:
        """Write it, all or nothing, and remove what an older Rove or a killed one left there."""
        keys = np.frombuffer("\n".join(self.keys).encode(), "<u1")
        _, starts, lines, generated, *indexes, _ = astuple(self, recurse=False)
        arrays = [array for index in indexes for array in astuple(index, recurse=False)]
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"{path.name}.{os.getpid()}")
        draft.write_bytes(joined([keys, starts, lines, generated, *arrays]))
        # Another process that writes it may have taken the draft for one that was left there.
        with suppress(FileNotFoundError):
            draft.replace(path)
        for other in path.parent.glob(f"{path.name.partition('.')[0]}.*"):
            if other != path:
                other.unlink(missing_ok=True)
