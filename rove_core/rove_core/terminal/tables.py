"""Tables for people, as wide as the terminal."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Final

from rove_core.safety.active import inactive, inactive_code
from rove_core.terminal.screen import columns_of, is_terminal, shortened, styled, width

_GAP: Final = "  "
#: Columns are left out before any is narrower than the first, and rows take several lines before
#: any is narrower than the second.
_COMFORTABLE: Final = 24
_NARROWEST: Final = 16
#: What the further lines of a row begin with.
_BELOW: Final = "    "
#: More than any line needs.
_UNLIMITED: Final = 1_000_000


def columns(
    rows: Iterable[Sequence[str]],
    *,
    shrink: Sequence[int] = (),
    drop: Sequence[int] = (),
    styles: Mapping[int, str] | None = None,
    room: int | None = None,
) -> list[str]:
    """Return a line for each row, its cells aligned; what vendors wrote has no effect there.

    Where the terminal is too narrow, columns are shortened and left out, and at last a row goes on
    below its first line; a pipe gets all.

    Args:
        rows: The cells, the most important column first.
        shrink: The columns that may be shortened; all but the first unless given.
        drop: The columns that may be left out, the least important first.
        styles: How a column looks, by its number.
        room: How many columns of the screen there are; as many as the terminal has unless given.
    """
    cells = [[visible(cell) for cell in row] for row in rows]
    if not cells:
        return []
    widths = [max(map(columns_of, column)) for column in zip_longest(*cells, fillvalue="")]
    room = room or width()
    whole = {number for row in cells for number, cell in enumerate(row) if _is_place(cell)}
    able = [number for number in shrink or range(1, len(widths)) if number not in whole]
    fitted = _fit_widths(widths, room, shrink=able, drop=drop)
    shown = [number for number, wide in enumerate(fitted) if wide]
    looks = styles or {}
    if room is not None and len(shown) > 1 and _total(fitted) > room:
        return [_stacked(row, widths, room, shown, looks) for row in cells]
    return [
        ReadyLine(
            _GAP.join(
                _cell(row[number], fitted[number], looks.get(number, ""))
                for number in shown
                if number < len(row)
            ).rstrip()
        )
        for row in cells
    ]


def _stacked(
    row: Sequence[str],
    widths: Sequence[int],
    room: int,
    shown: Sequence[int],
    looks: Mapping[int, str],
) -> "ReadyLine":
    """Return a row whose last cells stand below its first ones; a path or address is not cut."""
    lines, used = [""], 0
    is_head = True
    for number in (each for each in shown if each < len(row) and row[each]):
        text, wide = row[number], widths[number]
        gap = len(_GAP) if lines[-1].strip() else 0
        is_head = is_head and used + gap + wide <= room
        if not is_head:
            wide = columns_of(text)
            if len(lines) == 1 or used + len(_GAP) + wide > room:
                lines, used, gap = [*lines, _BELOW], len(_BELOW), 0
            if not _is_place(text):
                text = shortened(text, room - used - gap)
            wide = columns_of(text)
        lines[-1] += " " * gap + _cell(text, wide, looks.get(number, ""))
        used += gap + wide
    return ReadyLine("\n".join(line.rstrip() for line in lines if line.strip()))


def _is_place(text: str) -> bool:
    """Return whether a text is a path or an address, of which a part is of no use."""
    return (text.startswith(("/", "~")) or "://" in text) and " " not in text


def entries(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the lines of each row: the last cell is a sentence, which nothing is cut from.

    It goes on below itself, or, where the terminal is too narrow, below the other cells.
    """
    cells = [[visible(cell) for cell in row] for row in rows]
    heads = columns((row[:-1] for row in cells), room=_UNLIMITED)
    indent = max(map(columns_of, heads), default=0) + len(_GAP)
    room = width() or _UNLIMITED
    return [_entry(head, row[-1], indent, room) for head, row in zip(heads, cells, strict=True)]


def _entry(head: str, text: str, indent: int, room: int) -> list[str]:
    beside = wrapped(text, room - indent, indent="")
    fits = len(beside) == 1 and columns_of(beside[0]) <= room - indent
    if room - indent < _COMFORTABLE and not fits:
        return [head, *(ReadyLine(f"    {line}") for line in wrapped(text, room - 4, indent=""))]
    return [_beside(head if not at else "", line, indent) for at, line in enumerate(beside)]


def _beside(head: str, line: str, indent: int) -> str:
    return ReadyLine(head + " " * (indent - columns_of(head)) + line)


class ReadyLine(str):
    """A line in which all that others wrote has been made :func:`visible`, maybe with styles."""

    __slots__ = ()


def styled_line(text: str, *names: str) -> ReadyLine:
    """Return a line in a style for :func:`page`, without what others could wish to style in it.

    Args:
        text: The line.
        names: Its styles: ``bold``, ``dim``, ``yellow`` ...
    """
    return ReadyLine(styled(_plain(text), *names))


def page(lines: Iterable[str]) -> str:
    """Return lines as one text that has no effect on a terminal or an agent, but for our styles."""
    return "\n".join(line if isinstance(line, ReadyLine) else _plain(line) for line in lines)


def sentences(lines: Iterable[str]) -> str:
    """Return lines as one text as wide as the terminal, each with its indent, if it has one."""
    return "\n".join(part for line in lines for part in _indented(line))


def _indented(line: str) -> list[str]:
    room, plain = width(), page([line])
    if isinstance(line, ReadyLine) or room is None or columns_of(plain) <= room:
        return [plain]
    head = line[: len(line) - len(line.lstrip())]
    return [f"{head}{part}" for part in wrapped(line, room - len(head))]


def wrapped(text: str, room: int | None = None, *, indent: str = "  ") -> list[str]:
    """Return a sentence in lines as wide as the terminal; a pipe gets one line.

    A command to paste, which follows a colon, stays on one line if one is wide enough.

    Args:
        text: The sentence.
        room: How wide the lines may be; as wide as the terminal unless given.
        indent: What all lines but the first begin with.
    """
    line, room = visible(text), room or width()
    if room is None or columns_of(line) <= room:
        return [line]
    from rove_core.terminal.line_breaks import (  # noqa: PLC0415  # most lines are short enough
        wrapped_words,
    )

    return wrapped_words(line, room, indent=indent)


def visible(cell: str) -> str:
    """Return a text as one line that moves no cursor and has no effect on an agent."""
    return _inert("".join(filter(str.isprintable, " ".join(cell.split()))))


def _plain(line: str) -> str:
    """Return a line that controls no terminal, with its indent."""
    return _inert("".join(filter(str.isprintable, line)))


def _inert(line: str) -> str:
    """Return a line without what agents act on; a person at a terminal sees ``<b>`` as it is."""
    return inactive_code(line) if is_terminal() else inactive(line)


def _fit_widths(
    widths: Sequence[int], room: int | None, *, shrink: Collection[int], drop: Sequence[int]
) -> Sequence[int]:
    """Return how wide each column may be; 0 leaves it out."""
    fitted = [*widths]
    if room is None:
        return fitted
    for number in drop:
        if _narrow(fitted, room, shrink=shrink, least=_COMFORTABLE):
            return fitted
        if number < len(fitted):
            fitted[number] = 0
    for least in (_COMFORTABLE, _NARROWEST):
        if _narrow(fitted, room, shrink=shrink, least=least):
            break
    return fitted


def _narrow(fitted: list[int], room: int, *, shrink: Collection[int], least: int) -> bool:
    """Make the widest columns narrower, and return whether all of them have room now."""
    trial = [*fitted]
    while (over := _total(trial) - room) > 0:
        able = [each for each in shrink if each < len(trial) and trial[each] > least]
        if not able:
            if least == _NARROWEST:
                fitted[:] = trial
            return False
        widest = max(able, key=lambda each: trial[each])
        trial[widest] = max(least, trial[widest] - max(1, min(over, trial[widest] // 4)))
    fitted[:] = trial
    return True


def _total(widths: Sequence[int]) -> int:
    shown = [each for each in widths if each]
    return sum(shown) + len(_GAP) * (len(shown) - 1)


def _cell(text: str, wide: int, style: str) -> str:
    cut = shortened(text, wide)
    return styled(cut, *style.split()) + " " * (wide - columns_of(cut))


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: ``1 file``, ``2 files``, ``3 memories``.

    Args:
        number: How many there are.
        noun: What is counted.
        plural: Its plural; the noun with an s unless given.
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
