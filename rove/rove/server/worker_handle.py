"""The server's handle on a worker process: calls over a socket, supervision by shared memory."""

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Final, Self

from attrs import define, field

from rove.server.arguments import Bounds, WorkerOrders
from rove.server.frames import SCHEDULE, packed, read_message
from rove_core.clock import Clock
from rove_core.errors import PluginFailed
from rove_core.plugins.kept_off import AllKeptOff, KeptOff, deed
from rove_core.plugins.stall import Stall, next_look, thread_times
from rove_core.plugins.watchdog import SIZE, Board
from rove_core.wire.json_types import JSON

_LOG: Final = logging.getLogger("rove.server")
#: Who ends a process with one of these is no plugin.
_FROM_OUTSIDE: Final = frozenset({-signal.SIGKILL, -signal.SIGTERM, -signal.SIGINT})


class WorkerEnded(Exception):  # noqa: N818  # it happens
    """A worker ended before it was done.

    Attributes:
        pid: Which process it was.
        failed: What a plugin did to it; None if no plugin did anything.
        is_new: Whether the worker knew of nothing wrong with the plugin: without it the same
            work may end well.
        refusal: Why it could not open the project, as every door tells it; None if it could.
    """

    def __init__(
        self,
        pid: int,
        failed: PluginFailed | None,
        refusal: JSON,
        *,
        is_new: bool = False,
    ) -> None:
        super().__init__(f"the worker {pid} has ended")
        self.pid = pid
        self.failed = failed
        self.is_new = is_new
        self.refusal = refusal


@define(eq=False, kw_only=True)
class WorkerHandle:
    """One worker process.

    Attributes:
        stamp: What the worker knows of settings and plugins; who has newer ones hires another.
        is_alive: Whether it may still be asked.
    """

    stamp: object
    is_alive: bool = field(default=True, init=False)
    _process: "subprocess.Popen[bytes]"
    _board: Board
    _reader: asyncio.StreamReader
    _writer: asyncio.StreamWriter
    _bounds: Bounds
    _clock: Clock
    _on_schedule: Callable[[JSON], None]
    _on_failure: Callable[[str, KeptOff], None]
    _kept_off: AllKeptOff
    _numbers: "count[int]" = field(factory=lambda: count(1), init=False)
    _waiting: "dict[int, asyncio.Future[JSON]]" = field(factory=dict, init=False)
    _has_begun: bool = field(default=False, init=False)
    _is_stuck: bool = field(default=False, init=False)
    _refusal: JSON = field(default=None, init=False)
    _retiring: asyncio.TimerHandle | None = field(default=None, init=False)
    _life: "asyncio.Task[None]" = field(init=False)

    @classmethod
    async def start(  # noqa: PLR0913  # one place makes them
        cls,
        root: Path,
        *,
        stamp: object,
        bounds: Bounds,
        kept_off: AllKeptOff,
        clock: Clock,
        on_schedule: Callable[[JSON], None] = lambda _: None,
        on_failure: Callable[[str, KeptOff], None] = lambda *_: None,
    ) -> Self:
        """Start a worker for a project.

        ``on_failure`` receives the name of a plugin that ended it, and why to disable the plugin.
        """
        ours, its = socket.socketpair()
        with its, tempfile.TemporaryFile() as file:
            file.truncate(SIZE)
            orders = WorkerOrders(
                root=str(root),
                bounds=bounds,
                server=os.getpid(),
                connection=its.fileno(),
                board=file.fileno(),
                kept_off=kept_off,
            )
            process = subprocess.Popen(  # noqa: ASYNC220, S603  # our own; it is but a moment
                [sys.executable, "-P", "-m", "rove.server.worker", orders.to_text()],
                cwd="/",
                stdin=subprocess.DEVNULL,
                pass_fds=(its.fileno(), file.fileno()),
            )
            board = Board(file.fileno())
        reader, writer = await asyncio.open_connection(sock=ours)
        hired = cls(
            stamp=stamp,
            process=process,
            board=board,
            reader=reader,
            writer=writer,
            bounds=bounds,
            clock=clock,
            on_schedule=on_schedule,
            on_failure=on_failure,
            kept_off=dict(kept_off),
        )
        hired._life = asyncio.create_task(hired._live())
        return hired

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def is_idle(self) -> bool:
        """Whether it is idle."""
        return not self._waiting

    @property
    def has_ended(self) -> bool:
        """Whether its process has ended."""
        return self._life.done()

    async def ask(self, what: str, **details: JSON) -> JSON:
        """Send it a message and return the result; cancelling stops the work.

        Raises:
            WorkerEnded: It ended before.
        """
        self._keep()
        number = next(self._numbers)
        answer: asyncio.Future[JSON] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self._writer.write(packed({"number": number, "ask": what, **details}))
            return await answer
        except asyncio.CancelledError:
            self._writer.write(packed({"number": number, "ask": "stop"}))
            raise
        finally:
            del self._waiting[number]
            self._retire_soon()

    def retire(self) -> None:
        """Let it finish, then end it."""
        self.is_alive = False
        if self._writer.can_write_eof():
            self._writer.write_eof()

    async def aclose(self, seconds: float) -> None:
        """End it, and kill it if that takes too long; or at once if it has done nothing yet."""
        if self.is_alive:
            self.retire()
        if not self._has_begun and self.is_idle:
            self._process.kill()
        await asyncio.wait({self._life}, timeout=seconds)
        if not self._life.done():
            self._process.kill()
            await self._life

    async def _live(self) -> None:
        """Read its messages until it ends, then fail the pending requests."""
        watching = asyncio.create_task(self._watch())
        try:
            await self._listen()
        except Exception:  # noqa: BLE001  # who waits for an answer must not wait for ever
            _LOG.exception("the worker %s sent an invalid message", self.pid)
        watching.cancel()
        self.is_alive = False
        self._keep()
        # It may have closed its end and gone on: nobody listens to it any more.
        self._process.kill()
        code = self._process.wait()
        failed = self._plugin_failure(code)
        is_news = failed is not None and failed.account not in self._kept_off
        if failed:
            _LOG.error("%s", failed.message)
            self._disable(failed)
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(WorkerEnded(self.pid, failed, self._refusal, is_new=is_news))
        self._writer.close()
        self._board.close()

    async def _listen(self) -> None:
        while message := await read_message(self._reader):
            number, result = int(str(message["number"])), message["result"]
            self._has_begun = True
            if number == SCHEDULE:
                self._on_schedule(result)
            elif number == 0:
                self._refusal = result
            elif number in self._waiting and not self._waiting[number].done():
                self._waiting[number].set_result(result)

    async def _watch(self) -> None:
        """Kill the worker when its event loop is stuck, or does not start."""
        stall, pause = Stall(), 0.0
        while True:
            beats = self._board.beats
            stall.look(beats, passed=pause, threads=thread_times(self.pid))
            most = self._bounds.blocked if beats else self._bounds.begin
            if stall.seconds >= most:
                break
            pause = next_look(self._bounds.blocked, left=most - stall.seconds)
            await self._clock.sleep(pause)
        self._is_stuck = True
        self._process.kill()

    def _plugin_failure(self, code: int) -> PluginFailed | None:
        name = self._board.running
        if not name or (code in _FROM_OUTSIDE and not self._is_stuck):
            return None
        seconds = self._bounds.blocked if self._is_stuck else 0.0
        return deed(name, self._board.hook, code, blocked_for=seconds)

    def _disable(self, failed: PluginFailed) -> None:
        board, remark = self._board, "it is not called again until the server restarts"
        reason = KeptOff.after(failed, board.hook, remark=remark, has_no_filter=board.has_no_filter)
        self._on_failure(failed.account, reason)

    def _keep(self) -> None:
        if self._retiring:
            self._retiring.cancel()
            self._retiring = None

    def _retire_soon(self) -> None:
        if self.is_alive and not self._waiting:
            loop = asyncio.get_running_loop()
            self._retiring = loop.call_later(self._bounds.idle, self.retire)
