"""Log in at a terminal: prompt for every answer that was not given."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import click
from attrs import frozen

from rove.browser import open_page
from rove.streams import print_line, print_sentence
from rove.terminal_number import read_number
from rove_core.auth.oauth_callback import listening
from rove_core.auth.prepared_login import PreparedLogin
from rove_core.login import LoginField, LoginRedirect
from rove_core.safety.secret import Secret

#: More than any terminal gives as one line.
_LONGEST_LINE: Final = 65_536


@frozen
class TerminalLogin(PreparedLogin):
    """A login at the terminal; without a terminal, only given answers count."""

    async def ask_secret(self, field: LoginField) -> Secret:
        """Return the given secret, or the one that the person types."""
        if field.name in self.answers or not sys.stdin.isatty():
            return await super().ask_secret(field)
        if field.help:
            print_sentence(field.help)
        if field.choices:
            return Secret(choose(field.title, field.choices))
        return Secret(ask(field.title, hidden=field.secret))

    def show(self, url: str, *, note: str = "") -> None:
        """Print a page, and try to open it."""
        print_sentence(" ".join(filter(None, (note, url))))
        open_page(url)

    async def redirect(
        self, authorize: Callable[[str, str], str], *, port: int = 0
    ) -> LoginRedirect:
        """Log in through a browser here, or elsewhere by pasting the address."""
        if not sys.stdin.isatty():
            return await super().redirect(authorize, port=port)
        async with listening(port) as loopback:
            page = authorize(loopback.uri, loopback.state)
            print_line(f"Approve the login in your browser, on this page:\n\n  {page}\n")
            print_line(
                "If it ends on a page that cannot be displayed, because the browser is on another\n"
                f"machine, paste that page's address here; it starts with {loopback.uri}"
            )
            open_page(page)

            def pasted(line: str) -> None:
                if not loopback.take(line):
                    print_line(f"Not the right address: this login's starts with {loopback.uri}")

            with _typed_lines(pasted):
                return await loopback.redirected()


def ask(title: str, *, hidden: bool = False) -> str:
    """Ask the person at the terminal until there is an answer, and return it."""
    return _prompt(title, _answer, hidden=hidden)


def choose(title: str, choices: Sequence[str]) -> str:
    """Ask the person to choose one by number; Enter picks the first.

    A token that is pasted here by mistake is neither shown nor repeated.
    """
    numbered = {str(number): choice for number, choice in enumerate(choices, start=1)}
    last = str(len(choices))
    print_line("\n".join([title, *(f"  {number}  {numbered[number]}" for number in numbered)]))
    try:
        with _interruptible():
            while True:
                typed = read_number("Number [1]: ", digits=len(last)).strip() or "1"
                if typed in numbered:
                    return numbered[typed]
                print_line(f"Error: type a number from 1 to {last}; all else stays hidden here")
    except EOFError:
        raise KeyboardInterrupt from None


def _prompt(title: str, read: Callable[[str], str], *, hidden: bool = False) -> str:
    try:
        with _interruptible():
            answer: str = click.prompt(title, hide_input=hidden, err=True, value_proc=read)
    except click.Abort:
        # As what it is: a source's own error would be blamed on the source.
        raise KeyboardInterrupt from None
    return answer


def _answer(typed: str) -> str:
    if not typed.strip():
        raise click.UsageError("no input")
    return typed.strip()


@contextmanager
def _interruptible() -> Iterator[None]:
    """Make Ctrl-C end a prompt at once."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _typed_lines(take: Callable[[str], None]) -> Iterator[None]:
    """Yield typed lines without blocking the loop."""
    loop, terminal = asyncio.get_running_loop(), sys.stdin.fileno()

    def read() -> None:
        line = os.read(terminal, _LONGEST_LINE)
        if not line:
            loop.remove_reader(terminal)
        elif typed := line.decode(errors="replace").strip():
            take(typed)

    loop.add_reader(terminal, read)
    try:
        yield
    finally:
        loop.remove_reader(terminal)
