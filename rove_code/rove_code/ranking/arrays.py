"""Arrays as bytes, read from a store or a mapped file without copying."""

import struct
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import array

Ints: TypeAlias = npt.NDArray[np.integer[Any]]
Floats: TypeAlias = npt.NDArray[np.floating[Any]]
Flags: TypeAlias = npt.NDArray[np.bool_]

#: Arrays begin where any processor reads any number in one step.
_ALIGNED: Final = 8
_PADDING: Final = tuple(bytes(size) for size in range(_ALIGNED))
_TYPES: Final = tuple(np.dtype(name) for name in ("<u1", "<u2", "<u4", "<f4"))
_NUMBERS: Final = {kind: number for number, kind in enumerate(_TYPES)}
_CODES: Final = {"B": _NUMBERS[np.dtype("<u1")], "I": _NUMBERS[np.dtype("<u4")]}
_WIDTHS: Final = tuple(kind.itemsize for kind in _TYPES)
_COUNT: Final = struct.Struct("<Q")


def joined(arrays: Sequence[Ints | Floats]) -> bytes:
    """Return arrays of numbers of one, two or four bytes as one text of bytes."""
    return b"".join(pieces(arrays))


def pieces(arrays: Sequence[Ints | Floats]) -> Iterator[bytes]:
    """Yield the same piece by piece: all of it may be too much to have at once."""
    table = [number for each in arrays for number in (_NUMBERS[each.dtype], each.size)]
    yield struct.pack(f"<Q{len(table)}Q", len(arrays), *table)
    for each in arrays:
        if each.size:
            yield _padded(each.tobytes())


def joined_columns(columns: "Sequence[array.array[int]]") -> bytes:
    """Return columns of numbers of one (``B``) or four bytes (``I``), joined like arrays.

    For the few numbers of a file this takes a fraction of the time that numpy takes.
    """
    table = [number for each in columns for number in (_CODES[each.typecode], len(each))]
    chunks = [struct.pack(f"<Q{len(table)}Q", len(columns), *table)]
    for each in filter(None, columns):
        if sys.byteorder == "big":
            each.byteswap()
        data = each.tobytes()
        chunks += (data, _PADDING[-len(data) % _ALIGNED])
    return b"".join(chunks)


def parted(data: bytes | memoryview) -> Iterator[Ints]:
    """Yield the arrays that were joined; they are read in place."""
    (count,) = _COUNT.unpack_from(data)
    at = _COUNT.size * (1 + 2 * count)
    table = iter(struct.unpack_from(f"<{2 * count}Q", data, _COUNT.size))
    for kind, size in zip(table, table, strict=True):
        yield np.frombuffer(data, _TYPES[kind], size, at)
        at += _up(size * _WIDTHS[kind])


def bounds(sizes: Ints) -> Ints:
    """Return where things of these sizes begin, and where the last one ends."""
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes, dtype=np.int64)])


def _padded(data: bytes) -> bytes:
    return data.ljust(_up(len(data)), b"\0")


def _up(size: int) -> int:
    return -(-size // _ALIGNED) * _ALIGNED
