"""Plain JSON, read so that nothing odd in it does harm: what is not there is empty."""

from collections.abc import Iterator, Mapping, Sequence

from rove_core import JSON


def mapping(value: JSON) -> Mapping[str, JSON]:
    """Return an object; an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def listed(value: JSON) -> Sequence[JSON]:
    """Return a list; an empty one in place of anything else."""
    return value if isinstance(value, list) else ()


def objects(value: JSON) -> Iterator[Mapping[str, JSON]]:
    """Yield the objects of a list."""
    return (each for each in listed(value) if isinstance(each, dict))


def text(value: JSON, *path: str) -> str:
    """Return the text that stands at a path of keys; an empty one where there is none."""
    for key in path:
        value = mapping(value).get(key)
    return value if isinstance(value, str) else ""


def leaves(value: JSON, key: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text, in its order and however deep it stands, with the key it stands under."""
    left: list[tuple[str, JSON]] = [(key, value)]
    while left:
        name, each = left.pop()
        if isinstance(each, str):
            yield name, each
        elif isinstance(each, dict):
            left.extend(reversed(list(each.items())))
        else:
            left.extend((name, one) for one in reversed(listed(each)))
