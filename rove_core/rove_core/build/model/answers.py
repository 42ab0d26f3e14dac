"""Parse a model's answer: the result is JSON or a ValueError."""

import json
from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from rove_core.wire.json_types import JSON

Answer: TypeAlias = Mapping[str, JSON]

#: Maximum characters of an answer that are read.
_LONGEST: Final = 200_000
_CLOSING: Final = {"{": "}", "[": "]"}
_LONGEST_NUMBER: Final = 6


def read_answer(text: str) -> Answer:
    """Return the JSON object of an answer; one that was cut off, up to its last whole entry.

    Small models think aloud, explain and put their answer into a fence: that is skipped.

    Raises:
        ValueError: The answer has no JSON object.
    """
    answer = text[:_LONGEST].rpartition("</think>")[2]
    begin = answer.find("{")
    if begin < 0:
        raise ValueError("the answer has no JSON object")
    try:
        value = _decode(answer[begin:])
    except RecursionError as error:
        raise ValueError("the answer is nested too deep") from error
    if not isinstance(value, dict):
        raise ValueError("the answer is not a JSON object")  # noqa: TRY004  # what was sent is wrong, not a type of ours
    return value


def entries(answer: Answer, key: str) -> list[JSON]:
    """Return the entries of an answer's list; none if it has no such list."""
    value = answer.get(key)
    return value if isinstance(value, list) else []


def numbered(answer: Answer, key: str, *names: str) -> Iterator[tuple[int, ...]]:
    """Yield the numbers that each entry of an answer's list has under some names.

    Entries that lack one are skipped, and so are repeated entries, by the number of the first
    name.
    """
    seen: set[int] = set()
    for entry in entries(answer, key):
        found = [number(entry.get(name)) for name in names] if isinstance(entry, Mapping) else []
        numbers = tuple(each for each in found if each is not None)
        if numbers and len(numbers) == len(names) and numbers[0] not in seen:
            seen.add(numbers[0])
            yield numbers


def number(value: JSON) -> int | None:
    """Return a whole number from a model's answer, quoted or not; else None."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value) if len(value) <= _LONGEST_NUMBER else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _decode(text: str) -> object:
    try:
        return json.JSONDecoder().raw_decode(text)[0]
    except json.JSONDecodeError:
        return json.loads(_close_json(text))


def _close_json(text: str) -> str:
    """Return JSON that was cut off, cut back to its last whole entry and closed."""
    open_ones: list[str] = []
    end, depth, in_text, escaped = 0, 0, False, False
    for at, letter in enumerate(text):
        if in_text:
            in_text = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            in_text = True
        elif letter in _CLOSING:
            open_ones.append(_CLOSING[letter])
        elif open_ones and letter == open_ones[-1]:
            open_ones.pop()
            end, depth = at + 1, len(open_ones)
    return text[:end] + "".join(reversed(open_ones[:depth]))
