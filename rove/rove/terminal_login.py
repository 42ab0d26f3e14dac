"""Logging in at a terminal: what was not given already is asked for there."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click
from attrs import frozen

from rove.streams import tell
from rove_core.login import LoginField
from rove_core.prepared_login import PreparedLogin
from rove_core.secret import Secret


@frozen
class TerminalLogin(PreparedLogin):
    """A log-in of the person at the terminal; where nobody is, only what was given answers."""

    async def ask_secret(self, field: LoginField) -> Secret:
        """Return what was given, or what the person types."""
        if field.name in self.answers or not sys.stdin.isatty():
            return await super().ask_secret(field)
        if field.help:
            tell(field.help)
        return Secret(ask(field.title, hidden=field.secret))

    def show(self, url: str, *, note: str = "") -> None:
        """Print a page to open."""
        tell(" ".join(filter(None, (note, url))))


def ask(title: str, *, hidden: bool = False) -> str:
    """Ask the person at the terminal until there is an answer, and return it."""
    try:
        with _interruptible():
            answer: str = click.prompt(title, hide_input=hidden, err=True, value_proc=_answer)
    except click.Abort:
        # As what it is: a source's own error would be blamed on the source.
        raise KeyboardInterrupt from None
    return answer


def _answer(typed: str) -> str:
    if not typed.strip():
        raise click.UsageError("nothing was typed")
    return typed.strip()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Let Ctrl-C end a prompt at once: asyncio's own handler waits until the loop runs again."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
