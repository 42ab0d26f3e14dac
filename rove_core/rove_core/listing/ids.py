"""Compact text form of id sets."""

import re
from collections.abc import Collection, Iterator, Mapping

from attrs import define, field


@define
class KnownIds:
    """A set of ids with a short text form: ``TB-1`` to ``TB-500`` is one range."""

    _numbers: dict[str, set[int]] = field(factory=dict)
    _others: set[str] = field(factory=set)

    @classmethod
    def of(cls, value: object) -> "KnownIds":
        """Return the ids in a text by :meth:`to_json`; none for other texts."""
        ids = cls()
        for prefix, ranges in value.items() if isinstance(value, Mapping) else ():
            if not prefix and isinstance(ranges, list):
                ids._others.update(each for each in ranges if isinstance(each, str))
            elif isinstance(ranges, str):
                ids._numbers[prefix] = {*_numbers_in(ranges)}
        return ids

    def to_json(self) -> dict[str, str | list[str]]:
        """Return the ids as JSON."""
        ranges = {prefix: _ranges(each) for prefix, each in self._numbers.items() if each}
        return {**ranges, **({"": sorted(self._others)} if self._others else {})}

    def add(self, name: str) -> None:
        """Add an id."""
        prefix, number = _split_number(name)
        if prefix:
            self._numbers.setdefault(prefix, set()).add(number)
        else:
            self._others.add(name)

    def discard(self, name: str) -> None:
        """Remove an id that may be there."""
        prefix, number = _split_number(name)
        self._numbers.get(prefix, set()).discard(number)
        self._others.discard(name)

    def __contains__(self, name: str) -> bool:
        prefix, number = _split_number(name)
        return number in self._numbers.get(prefix, ()) if prefix else name in self._others

    def __iter__(self) -> Iterator[str]:
        for prefix, numbers in self._numbers.items():
            yield from (f"{prefix}{number}" for number in sorted(numbers))
        yield from sorted(self._others)

    def __len__(self) -> int:
        return len(self._others) + sum(map(len, self._numbers.values()))


def _numbers_in(ranges: str) -> Iterator[int]:
    for first, last in re.findall(r"([0-9]{1,15})(?:-([0-9]{1,15}))?", ranges):
        yield from range(int(first), int(last or first) + 1)


def _ranges(numbers: Collection[int]) -> str:
    """Return numbers as ranges: ``1-5,7``."""
    ends: list[list[int]] = []
    for number in sorted(numbers):
        if ends and ends[-1][1] == number - 1:
            ends[-1][1] = number
        else:
            ends.append([number, number])
    return ",".join(f"{first}-{last}" if first < last else f"{first}" for first, last in ends)


def _split_number(name: str) -> tuple[str, int]:
    """Return the prefix and the trailing number of an id; an empty prefix if it has none."""
    found = re.fullmatch(r"(.+?)(0|[1-9][0-9]{0,14})", name, re.DOTALL)
    return (found[1], int(found[2])) if found and not found[1][-1].isdigit() else ("", 0)
