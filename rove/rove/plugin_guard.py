"""Run a command's plugins in a supervised child process, as the server does.

The command goes on in the child, at the same terminal. Whoever ended or blocked it is kept off,
and the command is run once more; its exit code is the last child's.
"""

import io
import os
import select
import signal
import sys
from contextlib import suppress
from math import inf
from typing import Final, NoReturn, TextIO

from attrs import define, field

from rove.plugin_output import collect_descriptor
from rove.server.confinement import die_with, limit_memory
from rove.streams import print_line
from rove_core.clock import SYSTEM
from rove_core.errors import PluginFailed
from rove_core.plugins.kept_off import AllKeptOff, KeptOff, deed
from rove_core.plugins.limits import plugin_memory, plugin_seconds
from rove_core.plugins.stall import Stall, next_look, thread_times
from rove_core.plugins.watchdog import ANONYMOUS, Board, show_on

#: What standard output was before plugins ran.
_former_streams: Final[list[TextIO]] = []
#: Seconds that a child has to end when its user presses Ctrl-C.
_GRACE: Final = 5.0
#: Seconds between two looks for a signal where the system has no better way.
_SLICE: Final = 0.05
_HEEDED: Final = frozenset({signal.SIGCHLD, signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
_FROM_OUTSIDE: Final = frozenset({signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
_ONCE_MORE: Final = "repeating without it"


_kept_off: AllKeptOff | None = None


def enter(*, again: bool) -> AllKeptOff:
    """Continue in a child process, and return the disabled plugins there.

    The parent does not return: it watches the child, and ends as it ends. In a child already it
    does nothing.

    Args:
        again: Whether the command may be run once more when a plugin has ended it.

    Raises:
        PluginFailed: A plugin ended it, and it may not.
    """
    global _kept_off  # noqa: PLW0603  # a process is the child or is not
    if _kept_off is not None:
        return _kept_off
    if os.environ.get("ROVE_ISOLATION") == "0" or os.environ.get("ROVE_DEBUG"):
        return {}
    kept_off: dict[str, KeptOff] = {}
    while child := _fork():
        failed = child.failed_plugin()
        if failed is None:
            _end_as(child.code)
        if failed.account in kept_off or not again:
            raise failed
        print_line(f"rove: {failed.message}; {_ONCE_MORE}")
        kept_off[failed.account] = KeptOff.after(
            failed, child.hook, remark="it was left out", has_no_filter=child.has_no_filter
        )
    _kept_off = kept_off
    return kept_off


def is_child() -> bool:
    """Return whether this process is the child."""
    return _kept_off is not None


def end_child(code: int) -> NoReturn:
    """End the child at once: what plugins have left behind holds nothing up."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


@define(eq=False)
class _GuardedChild:
    """A child process, as its parent sees it."""

    pid: int
    board: Board
    code: int = field(default=0, init=False)
    hook: str = field(default="", init=False)
    has_no_filter: bool = field(default=False, init=False)
    _seconds: float = field(factory=plugin_seconds)
    _kill_at: float = field(default=inf, init=False)
    _signal: int = field(default=0, init=False)

    def failed_plugin(self) -> PluginFailed | None:
        """Wait for the child's end, and return the plugin failure that ended it, if any."""
        is_stuck = self._watch()
        name, self.hook = self.board.running, self.board.hook
        self.has_no_filter = self.board.has_no_filter
        self.board.close()
        if self._signal:
            self.code = self.code if self.code >= 0 else -self._signal
            return None
        if not name or (-self.code in _FROM_OUTSIDE and not is_stuck):
            return None
        return deed(name, self.hook, self.code, blocked_for=self._seconds if is_stuck else 0.0)

    def _watch(self) -> bool:
        """Wait until it has ended; return whether it was killed as a plugin blocked it."""
        stall, pause = Stall(), 0.0
        look_at = SYSTEM.monotonic()
        while not self._has_ended():
            self._forward_signal(max(0.0, look_at - SYSTEM.monotonic()))
            now = SYSTEM.monotonic()
            if now >= self._kill_at:
                os.kill(self.pid, signal.SIGKILL)
            if now < look_at:
                continue
            name, beats = shown = self.board.running, self.board.beats
            stall.look(shown, passed=pause, threads=thread_times(self.pid))
            # Until its loop turns it imports plugins, which may take twice as long.
            most = self._seconds if beats else 2 * self._seconds
            if name and stall.seconds >= most:
                os.kill(self.pid, signal.SIGKILL)
                self._has_ended(wait=True)
                return True
            pause = next_look(self._seconds, left=most - stall.seconds)
            look_at = now + pause
        return False

    def _has_ended(self, *, wait: bool = False) -> bool:
        pid, status = os.waitpid(self.pid, 0 if wait else os.WNOHANG)
        if pid:
            self.code = os.waitstatus_to_exitcode(status)
        return bool(pid)

    def _forward_signal(self, seconds: float) -> None:
        """Wait for a signal, and pass it on; a child that does not end then is killed.

        Ctrl-C at a terminal has reached the child already: a second one would break off its end.
        """
        number, is_of_terminal = _signal_within(seconds)
        if number in (0, signal.SIGCHLD):
            return
        if not is_of_terminal:
            os.kill(self.pid, number)
        self._signal = number
        self._kill_at = min(self._kill_at, SYSTEM.monotonic() + _GRACE)


def _signal_within(seconds: float) -> tuple[int, bool]:
    """Return the next signal within some time, and whether it is of the terminal; else 0."""
    if hasattr(signal, "sigtimedwait"):
        found = signal.sigtimedwait(_HEEDED, seconds)
        return (found.si_signo, found.si_pid == 0) if found else (0, False)
    select.select((), (), (), min(seconds, _SLICE))
    if pending := signal.sigpending() & _HEEDED:
        return int(signal.sigwait(pending)), sys.stdin.isatty()
    return 0, False


def _fork() -> _GuardedChild | None:
    """Return the child in its parent, and None in the child."""
    sys.stdout.flush()
    sys.stderr.flush()
    board = Board(ANONYMOUS)
    parent = os.getpid()
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, _HEEDED)
    if pid := os.fork():
        return _GuardedChild(pid, board)
    signal.pthread_sigmask(signal.SIG_SETMASK, set(usual) - _HEEDED)
    die_with(parent)
    limit_memory(plugin_memory())
    _keep_results_apart()
    show_on(board)
    return None


def _keep_results_apart() -> None:
    """Keep standard output for results: what C code or a process of a plugin's prints is none."""
    with suppress(OSError, io.UnsupportedOperation):
        results = os.dup(sys.stdout.fileno())
        encoding, errors = sys.stdout.encoding, sys.stdout.errors
        # It may own descriptor 1, which it would close when nobody holds it any more.
        _former_streams.append(sys.stdout)
        collect_descriptor(lambda said: os.write(2, said))
        sys.stdout = open(results, "w", encoding=encoding, errors=errors)  # noqa: PTH123, SIM115  # it stays open


def _end_as(code: int) -> NoReturn:
    """End as the child has ended."""
    os._exit(code if code >= 0 else 128 - code)
