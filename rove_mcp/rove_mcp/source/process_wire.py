"""MCP with a local server process: scrubbed environment, bounded lines."""

import asyncio
import json
import os
import shlex
import shutil
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attrs import define, field

from rove_core import JSON, MalformedReply, Reply, TimedOut, Unavailable, WrongSetting
from rove_mcp.source.wire import SessionLost

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from rove_core import Clock

_LAUNCH: Final = Path(__file__).with_name("launch.py")
#: What every program may know of the user.
_HARMLESS: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "USER", "SYSTEMROOT")
_LONGEST: Final = 16_000_000
#: Lines that are no answer which are skipped while one is waited for.
_MOST_NOISE: Final = 1_000
#: Seconds after which a server that nobody asks is ended.
_IDLE: Final = 10.0
_GRACE: Final = 2.0


@define(eq=False)
class ProcessWire:
    """Starts a local server on demand, and stops it when idle.

    Attributes:
        command: The command.
        passed: The names of further variables that it is given.
        name: The account, for messages.
        clock: Waits.
        patience: Seconds for an answer; the first one may have to wait for a package.
    """

    command: str
    passed: Sequence[str]
    name: str
    clock: "Clock"
    patience: float = 30.0
    _process: "Process | None" = field(default=None, init=False)
    _turn: asyncio.Lock = field(factory=asyncio.Lock, init=False)
    _ending: "asyncio.Task[None] | None" = field(default=None, init=False)
    _used_at: float = field(default=0.0, init=False)

    async def ask(self, message: Mapping[str, JSON], version: str) -> Mapping[str, JSON]:  # noqa: ARG002  # the message says it
        """Send a request and return the response to it."""
        async with self._turn:
            if self._process is None and message["method"] not in {"initialize", "server/discover"}:
                raise SessionLost(f"{self.name}: the server exited")
            process = await self._running()
            try:
                async with asyncio.timeout(self.patience):
                    await self._write(process, message)
                    return await self._answer(process, message["id"])
            except TimeoutError as error:
                await self.aclose()
                raise TimedOut(f"{self.name}: no answer within {self.patience:g} s") from error
            except BaseException:
                await self.aclose()
                raise
            finally:
                self._used_at = self.clock.monotonic()

    async def notify(self, message: Mapping[str, JSON], version: str) -> None:  # noqa: ARG002  # as above
        """Send a notification."""
        async with self._turn:
            if self._process:
                await self._write(self._process, message)

    def restart(self) -> None:
        """Forget the process; it has ended."""
        self._process = None

    async def aclose(self) -> None:
        """End the server, and all it has started."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin:
            process.stdin.close()
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, number)
            with suppress(TimeoutError):
                async with asyncio.timeout(_GRACE):
                    await process.wait()
                    return

    async def _running(self) -> "Process":
        if self._process is None:
            variables = {
                name: os.environ[name] for name in (*_HARMLESS, *self.passed) if name in os.environ
            }
            words = self._words(variables.get("PATH"))
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-I", str(_LAUNCH), *words),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=asyncio.subprocess.DEVNULL,
                    env=variables,
                    limit=_LONGEST,
                    start_new_session=True,
                )
            except OSError as error:
                raise WrongSetting(f"{self.name}: {words[0]} cannot be started: {error}") from error
            self._ending = asyncio.create_task(self._end_when_idle(self._process))
        return self._process

    def _words(self, path: str | None) -> Sequence[str]:
        """Return the words of the command, whose program exists."""
        try:
            words = shlex.split(self.command)
        except ValueError as error:
            raise WrongSetting(f"{self.name}: no command: {self.command!r}: {error}") from error
        if not words or shutil.which(words[0], path=path) is None:
            raise WrongSetting(
                f"{self.name}: no program {' '.join(words[:1])!r} to start",
                hint=f'Check the command: rove --add-source {self.name} --command "npx ..."',
            )
        return words

    def _exit_error(self) -> Unavailable:
        return Unavailable(
            f"{self.name}: the server exited without an answer",
            hint=f"Run it to see why: {self.command}",
        )

    async def _end_when_idle(self, process: "Process") -> None:
        """Stop the server when it is idle, and when the event loop ends."""
        try:
            self._used_at = self.clock.monotonic()
            while (
                left := self._used_at + _IDLE - self.clock.monotonic()
            ) > 0 or self._turn.locked():
                await self.clock.sleep(max(left, 1.0))
        finally:
            if self._process is process:
                await self.aclose()

    async def _write(self, process: "Process", message: Mapping[str, JSON]) -> None:
        assert process.stdin  # noqa: S101  # it was opened as a pipe
        try:
            process.stdin.write(json.dumps(message).encode() + b"\n")
            await process.stdin.drain()
        except OSError as error:
            raise self._exit_error() from error

    async def _answer(self, process: "Process", number: JSON) -> Mapping[str, JSON]:
        assert process.stdout  # noqa: S101  # it was opened as a pipe
        for _ in range(_MOST_NOISE):
            try:
                line = await process.stdout.readline()
            except ValueError as error:
                raise MalformedReply(f"{self.name} sent more than {_LONGEST / 1e6:g} MB") from error
            if not line:
                raise self._exit_error()
            message = _read(line)
            if message.get("id") == number and ("result" in message or "error" in message):
                return message
        raise MalformedReply(f"{self.name} sent {_MOST_NOISE} lines and no answer")


def _read(line: bytes) -> Mapping[str, JSON]:
    """Return a message; nothing if the line is none."""
    with suppress(MalformedReply):
        message = Reply(200, "", {}, line).json()
        return message if isinstance(message, Mapping) else {}
    return {}
