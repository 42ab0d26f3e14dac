"""Progress of builds: a live block on a terminal, plain lines elsewhere."""

import os
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import TextWrapper
from time import monotonic  # noqa: TID251  # a person waits in real time
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rove import streams
from rove.reports import printable
from rove_core.terminal.screen import shortened
from rove_core.terminal.tables import counted

if TYPE_CHECKING:
    from rove_core.events import Event, Listener

#: Seconds between two drawings, unless something happens.
_TICK: Final = 0.5
#: Moves the cursor up to the first line of the block, and clears what is below it.
_UP: Final = "\x1b[{lines}F\x1b[J"
#: How many of many ids are told.
_FEW: Final = 5


@define
class _Source:
    """One account in one build.

    Attributes:
        found: How many items its searches brought.
        read: How many of them were read in full.
        doing: What it does now; empty when it is done.
        waits: Until when it waits for its limit; empty when it does not.
        failed: Why it did not answer.
        copy: Which copy of it is used because it was not reached; empty if it was.
    """

    found: int = 0
    read: int = 0
    doing: str = "searching"
    waits: str = ""
    failed: str = ""
    copy: str = ""

    def describe(self) -> str:
        """Return the state of the source in a few words."""
        counts = [f"{self.found} found"] if self.found else []
        counts += [f"{self.read} read"] if self.read else []
        done = ", ".join(counts) or self.copy or "nothing new"
        if self.failed:
            return f"failed: {self.failed}" + (f" ({done})" if counts else "")
        if self.doing:
            return ", ".join([self.doing, *counts])
        return f"done: {done}"


@define
class _Build:
    """One document that is being built."""

    ticket: str = ""
    sources: dict[str, _Source] = field(factory=dict)
    silent: set[str] = field(factory=set)
    gave: set[str] = field(factory=set)
    step: str = ""
    written: str = ""

    def take(self, event: "Event") -> None:
        """Note one event."""
        if event.stage == "ticket":
            self.ticket = event.note
        if event.stage in {"write", "note", "hop"}:
            self._step(event)
        if event.account:
            self._source(event, self.sources.setdefault(event.account, _Source()))

    @property
    def is_complete(self) -> bool:
        """Whether it is written and all sources are done."""
        return bool(self.written) and not any(each.doing for each in self.sources.values())

    def describe(self) -> str:
        """Return what its sources do, in one line, those that wait first."""
        waiting: dict[str, list[str]] = {}
        for name, source in self.sources.items():
            if source.waits:
                waiting.setdefault(source.waits, []).append(name)
        limits = [f"{', '.join(names)} {until}" for until, names in sorted(waiting.items())]
        parts = [f"waiting: {'; '.join(limits)}"] if limits else []
        parts += [
            f"{name} {source.describe()}"
            for name, source in self.sources.items()
            if (source.doing or source.failed) and not source.waits
        ]
        return "; ".join(parts) or "written"

    def _step(self, event: "Event") -> None:
        if event.stage == "hop":
            self.step = f"reference {event.done} of {event.total} deep: {few(event.note)}"
        elif event.stage == "write":
            self.step, self.written = "", event.note
            for source in self.sources.values():
                source.doing = source.doing if source.waits else ""

    def _source(self, event: "Event", source: _Source) -> None:
        source.waits = event.note if event.stage == "waiting" else source.waits
        source.copy = event.note if event.stage == "copy" else source.copy
        if event.stage == "search":
            source.found += event.done
            source.doing, source.waits = "reading", ""
            source.failed = event.note
        elif event.stage == "read":
            source.read += event.done
            source.failed = ""
        elif event.stage == "ticket":
            source.doing, source.waits = "reading the ticket", ""
        elif event.stage == "waiting":
            source.doing, source.failed = f"waiting {event.note} (rate limit)", ""


@define
class LineProgress:
    """Prints progress as plain lines on standard error, each with its ticket: for logs and pipes.

    What an account brings comes in several rounds and is one line, when all have come. Whether
    it has nothing is known at the end alone: a limit may keep it from being asked in the first
    pass. Of its waits within one minute only the first is told.
    """

    _builds: dict[str, _Build] = field(factory=dict, init=False)
    _waits: set[tuple[str, str, str]] = field(factory=set, init=False)

    def __call__(self, event: "Event") -> None:
        """Print an event, or keep it for the next line of its account."""
        build = self._builds.setdefault(event.task, _Build())
        before = {name: source.failed for name, source in build.sources.items()}
        build.take(event)
        if event.stage == "search" and event.note and event.note != before.get(event.account):
            _line(build, event.account, f"FAILED: {event.note}")
        elif event.stage == "ticket" and event.account and not build.written:
            _line(build, event.account, "reading the ticket")
        elif event.stage == "waiting":
            self._print_wait(build, event)
        elif event.stage == "hop":
            _line(build, "hop", f"{event.done} of {event.total}: {few(event.note)}")
        elif event.stage == "write":
            self._print_found(build)
            _line(build, "write", event.note)
        elif event.stage not in {"search", "read", "ticket"}:
            _line(build, event.account or event.stage, event.note)

    def _print_wait(self, build: _Build, event: "Event") -> None:
        minute = event.note.rpartition(":")[0]
        wait = (event.task, event.account, minute)
        if wait not in self._waits:
            self._waits.add(wait)
            _line(build, event.account, f"waiting for its limit {event.note}")

    def _print_found(self, build: _Build) -> None:
        for account, source in build.sources.items():
            counts = [f"{source.found} found"] if source.found else []
            counts += [f"{source.read} read"] if source.read else []
            if counts:
                after = " before it failed" if source.failed else ""
                _line(build, account, f"{', '.join(counts)}{after}")
            elif not (source.failed or source.copy):
                build.silent.add(account)
        gave = {name for name, source in build.sources.items() if source.found or source.read}
        build.gave |= gave
        build.sources.clear()

    def end(self) -> None:
        """Report accounts without results."""
        for build in self._builds.values():
            for account in sorted(build.silent - build.gave):
                _line(build, account, "nothing new")


@define
class LiveBlock:
    """Draws progress on a terminal: a line for each source, or for each ticket when several.

    Attributes:
        expected: How many builds there will be, as far as is known: not all begin at once.
    """

    expected: int = 1
    _builds: dict[str, _Build] = field(factory=dict, init=False)
    _began: float = field(factory=monotonic, init=False)
    _drawn: int = field(default=0, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _ended: threading.Event = field(factory=threading.Event, init=False)

    def __call__(self, event: "Event") -> None:
        """Note an event, and draw."""
        with self._lock:
            if event.task:
                self._builds.setdefault(event.task, _Build()).take(event)
        if event.stage == "note" or not event.task:
            streams.print_line(f"{event.account or event.stage} {printable(event.note)}".strip())
        with self._lock:
            self._draw()

    def run(self) -> None:
        """Draw again and again, until the end: the time goes on while nothing happens."""
        while True:
            with self._lock:
                self._draw()
            if self._ended.wait(_TICK):
                return

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Make room for something that is printed above the block."""
        with self._lock:
            self._erase()
            yield
            self._draw()

    def end(self) -> None:
        """Replace the block by a summary."""
        self._ended.set()
        with self._lock:
            self._erase()
            columns, _ = shutil.get_terminal_size()
            wrapper = TextWrapper(
                columns - 1, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
            )
            for line in self._summary():
                _print(wrapper.fill(line))

    def _draw(self) -> None:
        if self._ended.is_set():
            return
        columns, rows = shutil.get_terminal_size()
        lines = [shortened(line, columns - 1) for line in self._block()]
        if len(lines) >= rows:
            more = len(lines) - rows + 2
            lines = [*lines[: rows - 2], shortened(f"  and {more} more", columns - 1)]
        self._erase()
        _print("\n".join(lines))
        self._drawn = len(lines)

    def _erase(self) -> None:
        if self._drawn:
            _print(_UP.format(lines=self._drawn), end="")
        self._drawn = 0

    def _block(self) -> Iterator[str]:
        builds = list(self._builds.values())
        if not builds:
            yield f"starting  {self._elapsed_time}"
            return
        if len(builds) == self.expected == 1:
            (build,) = builds
            name, step = build.ticket or "build", printable(build.step)
            yield f"{name}  {self._elapsed_time}  {step}".rstrip()
            for account, source in build.sources.items():
                yield f"  {account:9} {printable(source.describe())}"
            return
        written = sum(bool(build.written) for build in builds)
        incomplete = sum(bool(build.written) and not build.is_complete for build in builds)
        more = f", {incomplete} being completed" if incomplete else ""
        yield f"{self._elapsed_time}  {written} of {max(len(builds), self.expected)} written{more}"
        width = max(len(build.ticket) for build in builds)
        for build in builds:
            yield f"  {build.ticket:{width}}  {printable(build.describe())}"

    def _summary(self) -> Iterator[str]:
        """Yield three lines: the documents, the results of each source, and what is missing."""
        if not any(build.written for build in self._builds.values()):
            return  # Why there is no document is said by the error.
        totals: dict[str, _Source] = {}
        for build in self._builds.values():
            for account, source in build.sources.items():
                total = totals.setdefault(account, _Source(doing=""))
                total.found += source.found
                total.read += source.read
                total.failed = total.failed or source.failed
                total.copy = total.copy or source.copy
        tickets = list(dict.fromkeys(each.ticket for each in self._builds.values() if each.written))
        count = counted(len(tickets), "document")
        yield f"{count} in {self._elapsed_time}: {few(', '.join(tickets))}"
        counts = [
            f"{account} {source.found} found, {source.read} read"
            for account, source in totals.items()
            if source.found or source.read
        ]
        silent = [
            account
            for account, source in totals.items()
            if not (source.found or source.read or source.failed or source.copy)
        ]
        nothing = [f"nothing new from {', '.join(silent)}"] if silent else []
        if counts or nothing:
            yield "; ".join([*counts, *nothing])
        copies = [f"{account} {source.copy}" for account, source in totals.items() if source.copy]
        yield from map(printable, copies)
        missing = [
            f"{account} ({source.failed})" for account, source in totals.items() if source.failed
        ]
        if missing or not copies:
            yield printable(f"missing: {'; '.join(missing)}" if missing else "all sources answered")

    @property
    def _elapsed_time(self) -> str:
        minutes, seconds = divmod(int(monotonic() - self._began), 60)
        return f"{minutes}:{seconds:02}"


@contextmanager
def shown_progress(*, quiet: bool = False, expected: int = 1) -> Iterator["Listener"]:
    """Yield a listener that shows progress on standard error.

    Args:
        quiet: Show none.
        expected: How many tasks there will be, as far as is known.
    """
    if quiet:
        yield lambda _: None
    elif not _is_terminal():
        lines = LineProgress()
        try:
            yield lines
        finally:
            lines.end()
    else:
        block = LiveBlock(expected)
        drawing = threading.Thread(target=block.run, daemon=True, name="rove-progress")
        drawing.start()
        try:
            with streams.printing_beside(block.beside):
                yield block
        finally:
            block.end()
            drawing.join()


def few(ids: str) -> str:
    """Return the first of some ids, and how many more there are."""
    each = ids.split(", ")
    more = len(each) - _FEW
    return ids if more <= 1 else f"{', '.join(each[:_FEW])} and {more} more"


def _is_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def _line(build: _Build, who: str, text: str) -> None:
    ticket = f"{printable(build.ticket)}  " if build.ticket else ""
    streams.print_line(f"{ticket}{who:9} {printable(text)}".rstrip())


def _print(text: str, end: str = "\n") -> None:
    try:
        sys.stderr.write(text + end)
        sys.stderr.flush()
    except OSError:
        streams.print_line("")
