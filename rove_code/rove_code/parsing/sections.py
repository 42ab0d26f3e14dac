"""Turn headings into sections."""

from collections.abc import Iterator, Sequence
from typing import Final

from attrs import evolve

from rove_code.parsing.captures import Definition


def sections(definitions: Sequence[Definition], end: int) -> Iterator[Definition]:
    """Return definitions; a heading's lasts until the next one of its level, or until the end."""
    open_: list[Definition] = []
    for definition in sorted(definitions, key=lambda each: each.span):
        if not definition.kind.startswith(_HEADING):
            yield definition
            continue
        while open_ and open_[-1].kind >= definition.kind:
            yield _section(open_.pop(), definition.span[0])
        open_.append(definition)
    while open_:
        yield _section(open_.pop(), end)


def _section(heading: Definition, end: int) -> Definition:
    return evolve(heading, kind="section", span=(heading.span[0], end), body=heading.span[1])


_HEADING: Final = "heading"
