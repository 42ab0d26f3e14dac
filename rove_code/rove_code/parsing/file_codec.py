"""Compact storage of parsed files, decoded in parts on demand.

References are left out: what a file is found by has them, and nothing else needs them again.
"""

import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import Final, TypeAlias, TypeVar, overload

from rove_code.compression import compressed
from rove_code.model import (
    FORMAT,
    Base,
    Chunk,
    Declaration,
    NameReference,
    ParsedFile,
    Place,
    Role,
    TypeRelation,
)

Each = TypeVar("Each")
_Fields: TypeAlias = tuple[
    str, tuple[Declaration, ...], tuple[Chunk, ...], tuple[NameReference, ...], bool
]


def pack(parsed: ParsedFile) -> bytes:
    """Return a file's declarations and chunks as bytes."""
    pool = _Pool()
    declared = chain.from_iterable(_declared(each, pool) for each in parsed.declarations)
    cut = chain.from_iterable(_cut(each, pool) for each in parsed.chunks)
    language = pool.names[parsed.language]
    rows = [*declared, *cut]
    counts = (len(parsed.declarations), len(parsed.chunks), len(pool.numbers), len(pool.names))
    head = (FORMAT, parsed.is_generated, language, *counts)
    numbers = array(_NUMBER, (*head, *rows, *pool.numbers, *map(len, pool.names)))
    words = "".join(pool.names).encode(*_ENCODING)
    return compressed(numbers.tobytes() + words)


def unpack(data: bytes) -> ParsedFile:
    """Return what :func:`pack` was given, without references.

    Each declaration and each chunk is made when it is first asked for.

    Raises:
        ValueError: The bytes are of another format.
    """
    unpacked = _UnpackedFile(data)
    if unpacked.format != FORMAT:
        raise ValueError(f"the index has format {unpacked.format}, not {FORMAT}: rebuild it")
    return unpacked


class _UnpackedFile(ParsedFile):
    """A file as it was taken apart earlier."""

    _data: bytes
    _numbers: memoryview

    def __init__(self, data: bytes) -> None:
        # What is frozen cannot be set; nor could the fields of the class be, as they are made here.
        plain = zlib.decompress(data)
        even = len(plain) // _BYTES * _BYTES
        vars(self).update(
            _data=plain, _numbers=memoryview(plain)[:even].cast(_NUMBER), references=()
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ParsedFile) and _whole(self) == _whole(other)

    def __hash__(self) -> int:
        return hash(ParsedFile(*_whole(self)))

    @property
    def format(self) -> int:
        return self._numbers[0]

    @property
    def is_generated(self) -> bool:
        return bool(self._numbers[1])

    @cached_property
    def language(self) -> str:
        return self._name(self._numbers[2])

    @property
    def references(self) -> Sequence[NameReference]:
        return ()

    @cached_property
    def declarations(self) -> Sequence[Declaration]:
        return _Lazily(self._numbers[3], self._declaration)

    @cached_property
    def chunks(self) -> Sequence[Chunk]:
        return _Lazily(self._numbers[4], self._chunk)

    def around(self, first: int, last: int) -> Sequence[Declaration]:
        places = enumerate(zip(self._column(_FIRST), self._column(_LAST), strict=True))
        return self._chosen(at for at, (start, end) in places if start <= first and last <= end)

    def named(self, name: str) -> Sequence[int]:
        return self._those(_NAME, lambda number: self._name(number) == name)

    def members(self, declaration: Declaration) -> Sequence[Declaration]:
        inside = (*declaration.containers, declaration.name)
        return self._chosen(self._those(_CONTAINERS, lambda at: self._names(at) == inside))

    def built_on_others(self) -> Sequence[Declaration]:
        return self._chosen(self._those(_BASES, bool))

    def _chosen(self, numbers: Iterable[int]) -> Sequence[Declaration]:
        return [self.declarations[at] for at in numbers]

    def _those(self, column: int, is_meant: Callable[[int], bool]) -> Sequence[int]:
        """Return the numbers of the declarations with a matching value in a column."""
        values = self._column(column)
        meant = {value for value in set(values) if is_meant(value)}
        return [at for at, value in enumerate(values) if value in meant]

    def _column(self, number: int) -> Sequence[int]:
        return self._numbers[_HEAD + number : self._starts[0] : _DECLARATION].tolist()

    @cached_property
    def _starts(self) -> tuple[int, int, int]:
        """Starts of chunks, and lengths of lists and names."""
        chunks = _HEAD + self._numbers[3] * _DECLARATION
        pool = chunks + self._numbers[4] * _CHUNK
        return chunks, pool, pool + self._numbers[5]

    @cached_property
    def _words(self) -> tuple[str, list[int]]:
        """All names one after the other, and where each begins."""
        start = self._starts[2]
        end = start + self._numbers[6]
        words = self._data[end * _BYTES :].decode(*_ENCODING)
        return words, [*accumulate(self._numbers[start:end], initial=0)]

    def _name(self, number: int) -> str:
        words, starts = self._words
        return words[starts[number] : starts[number + 1]]

    def _several(self, at: int) -> Iterator[int]:
        start = self._starts[1] + at
        return iter(self._numbers[start + 1 : start + 1 + self._numbers[start]])

    def _names(self, at: int) -> tuple[str, ...]:
        return tuple(map(self._name, self._several(at))) if at else ()

    def _declaration(self, number: int) -> Declaration:
        start = _HEAD + number * _DECLARATION
        name, kind, containers, bases, *places = self._numbers[start : start + _DECLARATION]
        names = iter(self._names(bases))
        return Declaration(
            self._name(name),
            self._name(kind),
            self._names(containers),
            Place(*places[:4]),
            Place(*places[4:8]),
            Place(*places[8:]) if places[-1] else None,
            tuple(Base(base, TypeRelation(how)) for base, how in zip(names, names, strict=True)),
        )

    def _chunk(self, number: int) -> Chunk:
        start = self._starts[0] + number * _CHUNK
        role, declarations, containers, *place = self._numbers[start : start + _CHUNK]
        return Chunk(
            Place(*place),
            Role(self._name(role)),
            tuple(self._several(declarations)),
            self._names(containers),
        )


class _Lazily(Sequence[Each]):
    """Values that are computed once, on first use."""

    def __init__(self, count: int, make: Callable[[int], Each]) -> None:
        self._count = count
        self._make = make
        self._made: dict[int, Each] = {}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Each]:
        return map(self._get, range(self._count))

    @overload
    def __getitem__(self, at: int) -> Each: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Each, ...]: ...

    def __getitem__(self, at: int | slice) -> Each | tuple[Each, ...]:
        places = range(self._count)[at]
        return self._get(places) if isinstance(places, int) else tuple(map(self._get, places))

    def _get(self, at: int) -> Each:
        made = self._made.get(at)
        if made is None:
            made = self._made[at] = self._make(at)
        return made


def _whole(parsed: ParsedFile) -> _Fields:
    parts = (tuple(parsed.declarations), tuple(parsed.chunks), tuple(parsed.references))
    return (parsed.language, *parts, parsed.is_generated)


class _Names(dict[str, int]):
    """Numbers for words, in order of first use."""

    def __missing__(self, name: str) -> int:
        self[name] = number = len(self)
        return number


class _Pool:
    """A pool that stores equal sequences once; the first one is empty."""

    def __init__(self) -> None:
        self.names = _Names()
        self.numbers = [0]
        self._positions: dict[tuple[int, ...], int] = {(): 0}

    def keep(self, numbers: Iterable[int]) -> int:
        """Return the position of a sequence, storing it if it is new."""
        key = tuple(numbers)
        position = self._positions.get(key)
        if position is None:
            self._positions[key] = position = len(self.numbers)
            self.numbers += (len(key), *key)
        return position

    def keep_names(self, names: Iterable[str]) -> int:
        return self.keep(map(self.names.__getitem__, names))


def _declared(declaration: Declaration, pool: _Pool) -> tuple[int, ...]:
    return (
        pool.names[declaration.name],
        pool.names[declaration.kind],
        pool.keep_names(declaration.containers),
        pool.keep_names(
            text for base in declaration.bases for text in (base.name, base.relation.value)
        )
        if declaration.bases
        else 0,
        *_placed(declaration.place),
        *_placed(declaration.signature),
        *(_placed(declaration.doc) if declaration.doc else _NOWHERE),
    )


def _cut(chunk: Chunk, pool: _Pool) -> tuple[int, ...]:
    return (
        pool.names[chunk.role.value],
        pool.keep(chunk.declarations),
        pool.keep_names(chunk.containers),
        *_placed(chunk.place),
    )


def _placed(place: Place) -> tuple[int, ...]:
    return place.start, place.end, place.first, place.last


_NUMBER: Final = "I"
_BYTES: Final = array(_NUMBER).itemsize
#: Format, whether a machine wrote it, its language, and how much there is of everything.
_HEAD: Final = 7
#: How many numbers each has.
_DECLARATION: Final = 16
#: Which of a declaration's numbers these are.
_NAME: Final = 0
_CONTAINERS: Final = 2
_BASES: Final = 3
_FIRST: Final = 6
_LAST: Final = 7
_CHUNK: Final = 7
#: No place: lines count from 1.
_NOWHERE: Final = (0, 0, 0, 0)
#: What is not a text in any encoding can still stand in a string.
_ENCODING: Final = ("utf-8", "surrogatepass")
