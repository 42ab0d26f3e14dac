"""Escape Markdown blocks: code, and anything that would start a block."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import frozen

from rove_core.safety.active import inactive_code
from rove_core.safety.lazy_pattern import lazy_pattern

_MARKERS: Final = r"(?:(?:[-+*]|\d{1,9}[.)])[ \t]+(?=\S))*"
_FENCE: Final = lazy_pattern(
    rf"(?P<before>[ \t]*{_MARKERS})(?P<fence>`{{3,}}(?![^\n]*`)|~{{3,}})(?P<info>.*)"
)
_RULE: Final = r"(?:-[ \t]*)+|(?:\*[ \t]*)+|(?:_[ \t]*){3,}|=+[ \t]*|\+{3,}[ \t]*"
_BEGUN: Final = r"#{1,6}(?:[ \t]|$)|>|~{3}|(?=[^-\n]*-)[ \t:|-]+$"
#: Where a line begins that would open more than a paragraph or a list. It begins with a character
#: so that the engine can pass over all others.
_STRUCTURE: Final = lazy_pattern(
    rf"\n([ \t]*+(?:{_MARKERS}+)??)(?=(?:{_RULE}|\+[ \t]*)$|{_BEGUN})(\S)",
    re.MULTILINE,
)
#: Stands for a backslash of ours until the structure that it hides is shown in another way: the
#: backslashes of others mean what they say. No cleaned text has it.
OURS: Final = "\x02"
#: The head of a table, and the escaped rule below it.
_TABLE: Final = lazy_pattern(rf"(?<![^\n])(\|[^\n]*\n){OURS}(\|[ \t:|-]+)(?=\n\|)")
_LIST: Final = lazy_pattern(rf"[ \t]*(?!(?:{_RULE})$)(?:[-+*]|\d{{1,9}}[.)])[ \t]+\S")
_INDENTED: Final = lazy_pattern(r"\n(?: {0,3}\t| {4})")
_TICKS: Final = lazy_pattern("`+")
#: What is drawn, and not shown, where a fence is called so.
_DRAWN: Final = frozenset(
    {"mermaid", "math", "geojson", "topojson", "stl", "dataview", "dataviewjs"}
)
#: What would end the fence's line, and what some readers take for the head of a table before all.
_IN_INFO: Final = str.maketrans("`|", "'/")


@frozen
class Code:
    """A code block.

    Attributes:
        lines: The code.
        info: What language it is in, in the words of who wrote it.
    """

    lines: Sequence[str]
    info: str = ""

    def __str__(self) -> str:
        """Return it between fences that nothing in it can close."""
        longest = max((len(run) for line in self.lines for run in _TICKS.findall(line)), default=0)
        fence = "`" * max(3, longest + 1)
        return "\n".join((fence + self.info, *map(inactive_code, self.lines), fence))


def blocks(text: str) -> Iterator[str | Code]:
    """Yield the parts of Markdown in order: code, and everything else."""
    if not _may_be_code(text):
        yield text
        return
    lines = text.split("\n")
    at = done = 0
    blank, listed = True, False
    while at < len(lines):
        line = lines[at]
        after, code = at, None
        if fence := _FENCE.fullmatch(line):
            after, code = _read_fenced(lines, at, fence)
        elif blank and not listed and _is_indented(line):
            after, code = _read_indented(lines, at)
        if code is None:
            at += 1
            blank = not line.strip(" \t")
            listed = bool(_LIST.match(line)) or (listed and (blank or line[0] in " \t"))
            continue
        words = [*lines[done:at], *([fence["before"]] if fence and fence["before"].strip() else ())]
        if words:
            yield "\n".join(words)
        yield code
        at = done = after
        blank, listed = True, False
    if done < len(lines):
        yield "\n".join(lines[done:])


def escape_lines(text: str) -> str:
    """Return Markdown in which no line opens anything but a paragraph or a list.

    Each backslash put in is :data:`OURS`, until :func:`show_backslashes`.
    """
    return _STRUCTURE.sub(rf"\n\1{OURS}\2", f"\n{text}")[1:]


def show_backslashes(text: str) -> str:
    """Return Markdown with the backslashes that :func:`escape_lines` put in."""
    return text.replace(OURS, "\\")


def show_tables(text: str) -> str:
    """Return what :func:`escape_lines` gave with its tables as tables: rows that begin with a bar.

    No other line can be taken for the rule below a table's head.
    """
    return _TABLE.sub(r"\1\2", text) if "|" in text else text


def _may_be_code(text: str) -> bool:
    return "```" in text or "~~~" in text or bool(_INDENTED.search(f"\n{text}"))


def _read_fenced(lines: Sequence[str], at: int, fence: re.Match[str]) -> tuple[int, Code]:
    close = re.compile(rf"[ \t]*{re.escape(fence['fence'])}{re.escape(fence['fence'][0])}*[ \t]*")
    column = len(fence["before"].expandtabs(4))
    end = next((n for n in range(at + 1, len(lines)) if close.fullmatch(lines[n])), len(lines))
    info = fence["info"].translate(_IN_INFO).strip()
    if info.split(" ")[0].lower() in _DRAWN:
        info = f"text {info}"
    return end + 1, Code([_dedent(line, column) for line in lines[at + 1 : end]], info)


def _read_indented(lines: Sequence[str], at: int) -> tuple[int, Code]:
    end = at
    for number in range(at, len(lines)):
        if _is_indented(lines[number]):
            end = number + 1
        elif lines[number].strip(" \t"):
            break
    return end, Code([_dedent(line, 4) for line in lines[at:end]])


def _is_indented(line: str) -> bool:
    words = line.lstrip(" \t")
    return bool(words) and len(line[: len(line) - len(words)].expandtabs(4)) >= 4


def _dedent(line: str, column: int) -> str:
    """Return a line without its white space up to a column."""
    words = line.lstrip(" \t")
    space = line[: len(line) - len(words)].expandtabs(4)
    return space[column:] + words
