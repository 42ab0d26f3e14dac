"""Read a number at a terminal that shows digits alone: people paste tokens at any prompt."""

import os
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from typing import Final

_ENTER: Final = frozenset({b"\r", b"\n"})
_ERASE: Final = frozenset({b"\x7f", b"\x08"})
_ERASE_ALL: Final = b"\x15"
_END: Final = frozenset({b"", b"\x04"})


def read_number(prompt: str, *, digits: int) -> str:
    """Print a prompt and return the line that is typed; other characters than digits stay unseen.

    Args:
        prompt: The prompt.
        digits: The most digits that are shown.

    Raises:
        EOFError: The terminal ends, or its person pressed Ctrl-D.
    """
    with _hidden_input() as terminal:
        # Only now: what is pasted at the prompt must not be shown.
        _show(prompt)
        typed, shown = b"", 0
        while (key := os.read(terminal, 1)) not in _ENTER:
            if key in _END:
                raise EOFError
            typed = _typed_with(typed, key)
            before, shown = shown, _digits_at_start(typed, digits)
            _show("\b \b" * (before - shown) + key.decode("latin-1") * (shown - before))
        if len(typed) > shown:
            # The lines after a pasted one would go to the next prompt, or to the shell.
            termios.tcflush(terminal, termios.TCIFLUSH)
    return typed.decode(errors="replace")


def _typed_with(typed: bytes, key: bytes) -> bytes:
    if key in _ERASE:
        return typed[:-1]
    return b"" if key == _ERASE_ALL else typed + key


def _digits_at_start(typed: bytes, most: int) -> int:
    return min(most, sum(1 for _ in takewhile(bytes.isdigit, (bytes([each]) for each in typed))))


@contextmanager
def _hidden_input() -> Iterator[int]:
    """Yield a terminal that shows nothing of what is typed, and gives each character at once."""
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal, termios.TCSADRAIN)
    try:
        yield terminal
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)
        _show("\n")


def _show(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
