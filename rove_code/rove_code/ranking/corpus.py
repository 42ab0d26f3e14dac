"""The searchable content of one or more repositories, in one version each.

Files that have been read are in segments, which never change. A corpus says which of their rows are
there now, and under which paths: that is all that a commit changes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Final, Self

import numpy as np
from attrs import define, field, frozen

from rove_code.model import FORMAT, FileVersion, Version
from rove_code.ranking.arrays import Flags, Floats, Ints, bounds
from rove_code.ranking.features import link_name
from rove_code.ranking.files import Places, module_of
from rove_code.ranking.history import CommitRecord, Past
from rove_code.ranking.paths import Kind, kind_of, words_of
from rove_code.ranking.postings import Postings, gathered
from rove_code.ranking.segment import WORDY, Segment
from rove_code.ranking.shelves import Shelf, Source
from rove_code.ranking.text_scores import LONG, SHORT, TOLD, Sizes
from rove_code.ranking.words import exact

#: Changed whenever segments would be written otherwise.
_FORMAT: Final = 5
_NEEDED: Final = (
    *("alive", "entries", "lines", "lengths", "paths", "kind_numbers"),
    *("often", "touched", "path_order", "places", "modules", "_by_link"),
    *("sizes", "document_sizes", "path_sizes", "message_sizes"),
)
#: These depend on nothing but how files are called: few commits change that.
_OF_NAMES: Final = ("numbers", "path_order", "paths", "places", "modules", "_by_link")


@frozen(eq=False)
class ChangedFiles:
    """The current files among those that each change touched.

    Attributes:
        starts: Where the files of each change begin, and where those of the last one end.
        files: The files of all changes, by number.
    """

    starts: Ints
    files: Ints

    def by(self, changes: Ints) -> tuple[Ints, Ints]:
        """Return the changed files, preceded by the position of each one's change."""
        which, places = gathered(self.starts[changes], self.starts[changes + 1])
        return which, self.files[places]


@define(eq=False, slots=False)
class CodeCorpus:
    """An immutable searchable corpus; a changed version makes a new one.

    A *document* is a content, a *row* is a chunk of one, an *entry* is a chunk of a file. There are
    fewer rows than entries when a file has copies, and more when contents are gone.

    Attributes:
        sources: The versions of the repositories.
        shelves: Their segments.
        pasts: What was changed before; for fewer repositories than there are when it is not known.
        files: Each file, with the number of its repository and its own number there.
        document: The document that each file has.
        starts: The first row of each document, and the end of the last.
    """

    sources: tuple[Source, ...] = field(repr=False)
    shelves: tuple[Shelf, ...] = field(repr=False)
    pasts: tuple[Past, ...] = field(repr=False)
    files: tuple[tuple[int, int, FileVersion], ...] = field(repr=False)
    document: Ints = field(repr=False)
    starts: Ints = field(repr=False)

    @classmethod
    def of(
        cls,
        sources: Sequence[Source],
        histories: Sequence[Iterable[CommitRecord]] = (),
        *,
        previous: "CodeCorpus | None" = None,
        folder: Path | None = None,
    ) -> Self:
        """Assemble it.

        Args:
            sources: The versions that it is of.
            histories: The changes that led to each of them, the newest first.
            previous: What was there before: what has not changed is taken from it.
            folder: Where large segments are kept for other processes.
        """
        names = [version.repository for version in previous.versions] if previous else []
        shelves_before = dict(zip(names, previous.shelves, strict=True)) if previous else {}
        pasts_before = dict(zip(names, previous.pasts, strict=False)) if previous else {}
        shelves = tuple(
            Shelf.of(
                source, shelves_before.get(source.version.repository), _snapshot(folder, source)
            )
            for source in sources
        )
        pasts = tuple(
            Past.of(changes, pasts_before.get(source.version.repository))
            for source, changes in zip(sources, histories, strict=False)
        )
        made = cls(tuple(sources), shelves, pasts, *_laid_out(sources, shelves))
        if previous and previous.names == made.names:
            vars(made).update({name: getattr(previous, name) for name in _OF_NAMES})
        # Each question needs these: worked out now, none has to wait for them.
        for name in _NEEDED:
            getattr(made, name)
        return made

    @cached_property
    def versions(self) -> tuple[Version, ...]:
        """The versions of the repositories."""
        return tuple(source.version for source in self.sources)

    @cached_property
    def segments(self) -> tuple[tuple[int, Segment], ...]:
        """All segments, with their first row."""
        found, row = [], 0
        for shelf in self.shelves:
            for segment in shelf.segments:
                found.append((row, segment))
                row += int(segment.starts[-1])
        return tuple(found)

    @cached_property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.starts[-1])

    @cached_property
    def document_of(self) -> Ints:
        """The document of each row."""
        return np.repeat(np.arange(self.starts.size - 1), np.diff(self.starts))

    @cached_property
    def alive(self) -> Flags:
        """For each row, whether any file has it now."""
        there = np.zeros(self.starts.size - 1, np.bool_)
        there[self.document] = True
        return there[self.document_of]

    @cached_property
    def entries(self) -> tuple[Ints, Ints, Ints]:
        """The row of each entry, its file, and its number there."""
        firsts = self.starts[self.document]
        which, rows = gathered(firsts, self.starts[self.document + 1])
        return rows, which, rows - firsts[which]

    @cached_property
    def spans(self) -> Ints:
        """The first entry of each file, and the end of the last."""
        return bounds(self.starts[self.document + 1] - self.starts[self.document])

    @cached_property
    def names(self) -> Sequence[tuple[int, str]]:
        """The repository and the path of each file."""
        return [(at, file.path) for at, _, file in self.files]

    @cached_property
    def numbers(self) -> Mapping[tuple[int, str], int]:
        """The files by their repository and path."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def path_order(self) -> Ints:
        """The place of each file when all are sorted by path."""
        order = sorted(range(len(self.names)), key=self.names.__getitem__)
        places = np.empty(len(order), np.int64)
        places[order] = np.arange(len(order))
        return places

    @cached_property
    def often(self) -> Floats:
        """Number of changes of each file."""
        return self.by_file([past.often() for past in self.pasts])

    @cached_property
    def touched(self) -> Sequence[ChangedFiles]:
        """The files touched by each past commit, repository by repository."""
        return [self._touched(at, past) for at, past in enumerate(self.pasts)]

    @cached_property
    def lines(self) -> Ints:
        """The line that each row begins at in its file."""
        return self._rowwise([segment.lines for _, segment in self.segments])

    @cached_property
    def lengths(self) -> Mapping[str, Ints]:
        """Number of words of each row, by field."""
        return {
            name: self._rowwise([segment.lengths(name) for _, segment in self.segments])
            for name in WORDY
        }

    @cached_property
    def sizes(self) -> Mapping[str, Sizes]:
        """The sizes of rows, by field."""
        long = {"body": LONG}
        return {
            name: Sizes(lengths, self.alive, long.get(name, SHORT))
            for name, lengths in self.lengths.items()
        }

    @cached_property
    def document_sizes(self) -> Sizes:
        """The sizes of documents."""
        count = self.starts.size - 1
        alive = np.zeros(count, np.bool_)
        alive[self.document] = True
        return Sizes(np.bincount(self.document_of, self.lengths["body"], count), alive, LONG)

    @cached_property
    def path_sizes(self) -> Sizes:
        """The sizes of paths."""
        return Sizes.of_all(np.bincount(self.paths.rows, self.paths.counts, len(self.files)))

    @cached_property
    def message_sizes(self) -> Sizes:
        """The sizes of all that was said of each file's changes."""
        lengths = np.zeros(len(self.files))
        for past, touched in zip(self.pasts, self.touched, strict=True):
            each, files = touched.by(np.arange(len(past.paths)))
            lengths += np.bincount(files, (past.lengths * past.shares)[each], lengths.size)
        return Sizes(lengths, lengths > 0, TOLD)

    @cached_property
    def paths(self) -> Postings:
        """The words of paths; its rows are files."""
        return Postings.of_counts([words_of(path) for _, path in self.names])

    @cached_property
    def places(self) -> Places:
        """The files by their paths."""
        return Places.of(path for _, path in self.names)

    @cached_property
    def modules(self) -> Places:
        """The files by their paths without endings, as modules are named."""
        return Places.of(module_of(path) for _, path in self.names)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The role of each file."""
        generated = np.concatenate([each.generated for _, each in self.segments])[self.document]
        return tuple(
            Kind.FOREIGN if machine else kind_of(path)
            for machine, (_, path) in zip(generated.tolist(), self.names, strict=True)
        )

    @cached_property
    def kind_numbers(self) -> Ints:
        """The same, as places among all kinds."""
        numbers = {kind: number for number, kind in enumerate(Kind)}
        return np.array([numbers[kind] for kind in self.kinds], np.int64)

    def linked(self, names: Ints) -> tuple[Ints, Ints]:
        """Return the files that links mean: the place of each name, and the first row of a file."""
        found = [
            (place, int(self.starts[self.document[file]]))
            for place, name in enumerate(names.tolist())
            for file in self._by_link.get(name, ())
        ]
        pairs = np.array(found, np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    def links_to(self, rows: Ints) -> tuple[Ints, Ints]:
        """Return the names that rows are linked by: the place of each row, and a name."""
        firsts = self.starts[self.document]
        found: list[tuple[int, int]] = []
        for place, row in enumerate(rows.tolist()):
            files = np.flatnonzero(firsts == row)[:1] if row in self._firsts else ()
            found += [(place, exact(link_name(self.names[int(file)][1]))) for file in files]
        pairs = np.array(found, np.int64).reshape(-1, 2)
        return pairs[:, 0], pairs[:, 1]

    @cached_property
    def _firsts(self) -> frozenset[int]:
        """The first rows of files."""
        return frozenset(self.starts[self.document].tolist())

    @cached_property
    def _by_link(self) -> Mapping[int, Sequence[int]]:
        """The files by the numbers of the names that they are linked by."""
        found: dict[int, list[int]] = {}
        for number, (_, path) in enumerate(self.names):
            found.setdefault(exact(link_name(path)), []).append(number)
        return found

    def find(self, kind: str, terms: Ints) -> tuple[Ints, Ints, Ints]:
        """Return where terms are: the place of each among those wanted, rows and counts."""
        found = zip(*self.find_by_segment(kind, terms), strict=True)
        which, rows, counts = (np.concatenate(each) for each in found)
        return which, rows, counts

    def find_by_segment(self, kind: str, terms: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
        """Yield the same, segment by segment: no row is in two of them."""
        for offset, segment in self.segments:
            which, rows, counts = getattr(segment, kind).find(terms)
            rows = np.add(rows, offset, dtype=np.int64)
            if not self.alive[offset : offset + int(segment.starts[-1])].all():
                there = self.alive[rows]
                which, rows, counts = which[there], rows[there], counts[there]
            yield which, rows, counts

    def named(self, kind: str, rows: Ints) -> tuple[Ints, Ints, Ints]:
        """Return what rows name: the place of each among those given, names and bits."""
        found = []
        for offset, segment in self.segments:
            here = np.flatnonzero((rows >= offset) & (rows < offset + int(segment.starts[-1])))
            which, names, bits = getattr(segment, kind).find(rows[here] - offset)
            found.append((here[which], names, bits))
        which, names, bits = (np.concatenate(each) for each in zip(*found, strict=True))
        return which, names, bits

    def by_file(self, found: Sequence[Mapping[str, float]]) -> Floats:
        """Return values by path as an array over all files."""
        values = np.zeros(len(self.files))
        for at, each in enumerate(found):
            for path, value in each.items():
                number = self.numbers.get((at, path))
                if number is not None:
                    values[number] = value
        return values

    def _touched(self, repository: int, past: Past) -> ChangedFiles:
        there = [
            [
                number
                for path in paths
                if (number := self.numbers.get((repository, path))) is not None
            ]
            for paths in past.paths
        ]
        sizes = np.array([len(files) for files in there], np.int64)
        return ChangedFiles(bounds(sizes), np.array([*chain.from_iterable(there)], np.int64))

    def _rowwise(self, arrays: Sequence[Ints]) -> Ints:
        return np.concatenate([np.zeros(0, "<u4"), *arrays])


def _laid_out(
    sources: Sequence[Source], shelves: Sequence[Shelf]
) -> tuple[tuple[tuple[int, int, FileVersion], ...], Ints, Ints]:
    """Return all files, the document of each, and the first rows of all documents."""
    files, document, first = [], [], 0
    for number, (source, shelf) in enumerate(zip(sources, shelves, strict=True)):
        keys = [key for segment in shelf.segments for key in segment.keys]
        documents = {key: at for at, key in enumerate(keys, first)}
        for at, file in enumerate(source.version.files):
            files.append((number, at, file))
            document.append(documents[source.key(file)])
        first += len(keys)
    sizes = [np.diff(each.starts) for shelf in shelves for each in shelf.segments]
    starts = bounds(np.concatenate([np.zeros(0, "<u4"), *sizes]))
    return tuple(files), np.array(document, np.int64), starts


def _snapshot(folder: Path | None, source: Source) -> Path | None:
    if folder is None:
        return None
    name = sha256(source.version.repository.encode()).hexdigest()[:16]
    return folder / f"{name}.{FORMAT}.{_FORMAT}"
