"""Segments of a version: large permanent ones, and a small one of changes."""

import logging
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final, Protocol, Self

from attrs import frozen

from rove_code.model import FileVersion, ParsedFile, Version
from rove_code.ranking.segment import Segment

#: So much of a version may be outside its large segments before they get one more.
_OUTSIDE: Final = 0.1
#: So much of a large segment must still be there, or the rest of it is put elsewhere. Both
#: together keep large segments few: each has at least one file in twenty.
_THERE: Final = 0.5
#: So many bytes of source are put in order at once: all of a large repository would take memory
#: several times its size.
_AT_ONCE: Final = 1 << 24
_SUFFIX: Final = ".segment"
_log = logging.getLogger(__name__)


class Source(Protocol):
    """A version of a repository, with the features of its files."""

    @property
    def version(self) -> Version:
        """The version."""

    def key(self, file: FileVersion) -> str:
        """Return a one-line key for everything that a file's features depend on."""

    def features(self, files: Sequence[FileVersion]) -> Iterable[bytes]:
        """Return files' features, in their order."""

    def parsed(self, files: Sequence[FileVersion]) -> Iterable[ParsedFile]:
        """Return files, taken apart, in their order."""


@frozen(eq=False)
class Shelf:
    """The segments that a version's files are in.

    Attributes:
        large: Most of them.
        small: Those that were not there yet when the large ones were made.
    """

    large: tuple[Segment, ...]
    small: Segment

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All of them."""
        return (*self.large, self.small)

    @classmethod
    def of(cls, source: Source, previous: "Shelf | None", snapshot: Path | None) -> Self:
        """Put a version's files in segments.

        Args:
            source: The version.
            previous: The segments of the version before: what they have is not made again.
            snapshot: Where large segments are kept for other processes: how their files begin.
        """
        by_key = {source.key(file): file for file in source.version.files}
        before = previous.large if previous else _loaded(snapshot)
        large = tuple(each for each in before if _is_worth_it(each, by_key))
        new = sorted(by_key.keys() - set[str]().union(*(each.keys for each in large)))
        if len(new) > _OUTSIDE * len(by_key):
            large, new = (*large, *_made(source, by_key, new, snapshot)), []
            if snapshot:
                _tidy(large, snapshot)
        if previous and previous.small.keys == tuple(new):
            return cls(large, previous.small)
        return cls(large, _segment(source, by_key, new))


def _is_worth_it(segment: Segment, by_key: Mapping[str, FileVersion]) -> bool:
    return sum(key in by_key for key in segment.keys) >= _THERE * len(segment.keys)


def _made(
    source: Source,
    files: Mapping[str, FileVersion],
    keys: Iterable[str],
    snapshot: Path | None,
) -> Iterator[Segment]:
    """Yield large segments; each is in its file before the next one is made."""
    for some in _portions(files, keys):
        made = partial(_segment, source, files, some)
        yield _saved(made(), snapshot) if snapshot else made()


def _portions(files: Mapping[str, FileVersion], keys: Iterable[str]) -> Iterator[list[str]]:
    portion: list[str] = []
    size = 0
    for key in keys:
        portion.append(key)
        size += files[key].size
        if size >= _AT_ONCE:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _segment(source: Source, files: Mapping[str, FileVersion], keys: Sequence[str]) -> Segment:
    data = source.features([files[key] for key in keys])
    return Segment.of(zip(keys, data, strict=True))


def _saved(segment: Segment, snapshot: Path) -> Segment:
    """Return the segment mapped from its file, so that the system can evict it."""
    path = _file(segment, snapshot)
    try:
        segment.save(path)
    except OSError as error:
        _log.warning("%s cannot be written (%s): kept in memory only", path, error)
        return segment
    return _load(path) or segment


def _loaded(snapshot: Path | None) -> tuple[Segment, ...]:
    """Return the large segments that are kept, in the order in which they were made at once."""
    if snapshot is None:
        return ()
    found = map(_load, snapshot.parent.glob(f"{snapshot.name}.*{_SUFFIX}"))
    return tuple(sorted(filter(None, found), key=lambda segment: segment.keys))


def _load(path: Path) -> Segment | None:
    try:
        return Segment.load(path)
    except FileNotFoundError:
        # Another process has another version, and has tidied up.
        return None
    except (OSError, ValueError, IndexError, TypeError, struct.error) as error:
        _log.warning("%s is not readable (%s): rebuilding it", path, error)
        return None


def _tidy(segments: Iterable[Segment], snapshot: Path) -> None:
    """Remove leftovers of other versions and killed processes."""
    files = {_file(segment, snapshot) for segment in segments}
    for path in snapshot.parent.glob(f"{snapshot.name.partition('.')[0]}.*"):
        if path not in files:
            path.unlink(missing_ok=True)


def _file(segment: Segment, snapshot: Path) -> Path:
    """Return the path of a segment; equal segments of several processes share a file."""
    content = sha256("\n".join(segment.keys).encode()).hexdigest()[:16]
    return snapshot.with_name(f"{snapshot.name}.{content}{_SUFFIX}")
