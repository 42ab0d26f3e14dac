"""Markdown out of docstrings and tables."""

import inspect
import re
from collections.abc import Iterable, Sequence

from rove_core.wire.parameters import described


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(_cell(cell) for cell in line)} |" for line in lines)


def first_line(thing: object) -> str:
    """Return the first line of what a docstring says, as Markdown."""
    return prose(inspect.getdoc(thing) or "").partition("\n")[0]


def body(doc: str) -> str:
    """Return a docstring as Markdown: its text, and its arguments as a list."""
    text = re.split(r"\n(?:Args|Attributes|Raises|Returns):\n", inspect.cleandoc(doc))[0]
    arguments = described(doc, "Args")
    lines = [f"- `{name}`: {words}" for name, words in arguments.items()]
    return prose("\n".join([text.strip(), *(["", *lines] if lines else [])]))


def prose(text: str) -> str:
    """Return text with Markdown's marks instead of those of docstrings."""
    text = re.sub(r":\w+:`~?(?:[\w.]*\.)?(\w+)`", r"`\1`", text)
    return text.replace("``", "`")


def code(text: object) -> str:
    """Return text as code; nothing for nothing."""
    return f"`{text}`" if str(text) else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
