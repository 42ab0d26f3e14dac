"""Which segments hold the files of a version: a large one that lasts, a small one of changes."""

import logging
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Protocol, Self

from attrs import frozen

from rove_code.model import FileVersion, Parsed, Version
from rove_code.ranking.segment import Segment

#: So much of a version may be outside its large segment before that is made anew.
_OUTSIDE: Final = 0.1
#: So much of the large segment may be gone before it is made anew.
_GONE: Final = 0.5
_log = logging.getLogger(__name__)


class Source(Protocol):
    """A version of a repository, with the features of its files."""

    @property
    def version(self) -> Version:
        """The version."""

    def key(self, file: FileVersion) -> str:
        """Return what stands for all that a file's features depend on, in one line."""

    def features(self, files: Sequence[FileVersion]) -> Iterable[bytes]:
        """Return files' features, in their order."""

    def parsed(self, files: Sequence[FileVersion]) -> Iterable[Parsed]:
        """Return files, taken apart, in their order."""


@frozen(eq=False)
class Shelf:
    """The segments that a version's files are in.

    Attributes:
        large: Most of them.
        small: Those that were not there yet when the large one was made.
    """

    large: Segment
    small: Segment

    @classmethod
    def of(cls, source: Source, known: "Shelf | None", snapshot: Path | None) -> Self:
        """Put a version's files in segments.

        Args:
            source: The version.
            known: The segments of the version before: what they have is not made again.
            snapshot: Where the large segment is kept for other processes.
        """
        wanted = {source.key(file): file for file in source.version.files}
        large = known.large if known else _loaded(snapshot)
        new = sorted(wanted.keys() - large.numbers.keys())
        gone = len(large.keys) - (len(wanted) - len(new))
        if len(new) > _OUTSIDE * len(wanted) or gone > _GONE * len(large.keys):
            large, new = _segment(source, wanted, sorted(wanted)), []
            if snapshot:
                large = _saved(large, snapshot)
        if known and known.small.keys == tuple(new):
            return cls(large, known.small)
        return cls(large, _segment(source, wanted, new))


def _segment(source: Source, files: dict[str, FileVersion], keys: Sequence[str]) -> Segment:
    data = source.features([files[key] for key in keys])
    return Segment.of(zip(keys, data, strict=True))


def _saved(segment: Segment, snapshot: Path) -> Segment:
    """Return the segment as it lies in a file: it takes memory only while there is enough of it."""
    segment.save(snapshot)
    # Another process may have put another version there.
    loaded = _loaded(snapshot)
    return loaded if loaded.keys == segment.keys else segment


def _loaded(snapshot: Path | None) -> Segment:
    if snapshot is None or not snapshot.exists():
        return Segment.of(())
    try:
        return Segment.load(snapshot)
    except (OSError, ValueError, IndexError, TypeError, struct.error) as error:
        _log.warning("%s is not readable (%s): it is made anew", snapshot, error)
        return Segment.of(())
