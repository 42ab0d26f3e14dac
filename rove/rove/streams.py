"""Repair the standard streams, whatever state they are in."""

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TextIO

from rove_core.terminal.screen import ESCAPES, is_terminal, width

#: What makes room for a line, the last one first.
_beside: list[Callable[[], AbstractContextManager[object]]] = [nullcontext]


@contextmanager
def usable_streams() -> Iterator[None]:
    """Make standard streams usable in any locale, even closed or broken ones.

    Results are UTF-8; a file name that is none comes out as the bytes that it is.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  # it stays open
    _encode(sys.stdin, errors="surrogateescape")
    _encode(sys.stdout, errors="surrogateescape")
    _encode(sys.stderr, errors="backslashreplace")
    try:
        yield
    finally:
        # What is left in a buffer that cannot be written would be tried, and told of, again.
        _leave(sys.stdout)
        _leave(sys.stderr)


def print_result(text: str) -> None:
    """Print a line to standard output."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def print_line(text: str) -> None:
    """Print a line to standard error, ignoring write errors."""
    with _beside[-1]():
        try:
            shown = text if is_terminal(sys.stderr) else ESCAPES.sub("", text)
            sys.stderr.write(f"{shown}\n")
            sys.stderr.flush()
        except OSError:
            _leave(sys.stderr)


def print_sentence(text: str, *, indent: str = "  ") -> None:
    """Print a sentence to standard error, in lines as wide as the terminal.

    Args:
        text: The sentence, made harmless already.
        indent: What its first line begins with, if anything, and all others too.
    """
    room = width(sys.stderr)
    if room is not None and len(text) > room:
        from rove_core.terminal.tables import wrapped  # noqa: PLC0415  # most lines are short

        head = text[: len(text) - len(text.lstrip())]
        lines = wrapped(text.lstrip(), room - len(head), indent=indent[len(head) :])
        text = "\n".join(head + line for line in lines)
    print_line(text)


@contextmanager
def printing_beside(block: Callable[[], AbstractContextManager[object]]) -> Iterator[None]:
    """Print lines above the live display."""
    _beside.append(block)
    try:
        yield
    finally:
        _beside.remove(block)


def _encode(stream: TextIO, *, errors: str) -> None:
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors=errors)


def _leave(stream: TextIO) -> None:
    try:
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
