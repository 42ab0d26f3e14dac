"""Local servers that mean no good: each is bounded, named and ended."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from rove_core import JSON, MalformedReply, RoveError, TimedOut, Unavailable
from rove_core.clock import SYSTEM
from rove_mcp.source.process_wire import ProcessWire

pytestmark = pytest.mark.anyio

_ASKED: Final[Mapping[str, JSON]] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {},
}
_PROGRAMS: Final[tuple[tuple[str, type[RoveError], str], ...]] = (
    ("sys.stdin.read()", TimedOut, "no answer within 0.5 s"),
    ("sys.stdin.readline()", Unavailable, "exited without an answer"),
    ("while True: print('noise', flush=True)", MalformedReply, "sent 1000 lines and no answer"),
    ("print('x' * 17_000_000, flush=True)", MalformedReply, "sent more than 16 MB"),
    ("print('[' * 100_000, flush=True)", Unavailable, "exited without an answer"),
)


async def test_a_hostile_process_is_named_and_ended(tmp_path: Path) -> None:
    """Silence, an early end, endless noise, an endless line and nonsense cost one answer each."""
    for number, (program, error, said) in enumerate(_PROGRAMS):
        pid, script = tmp_path / f"{number}.pid", tmp_path / f"{number}.py"
        script.write_text(
            f"import os, sys\nopen({str(pid)!r}, 'w').write(str(os.getpid()))\n{program}\n", "utf-8"
        )
        patience = 0.5 if error is TimedOut else 180.0
        command = f"{sys.executable} -I {script}"
        wire = ProcessWire(command, (), "mcp:files", SYSTEM, patience)
        with pytest.raises(error, match=f"mcp:files.*{said}"):
            await wire.ask(_ASKED, "")
        if pid.exists():  # One that is slow to start has written none before its time is up.
            with pytest.raises(ProcessLookupError):
                os.kill(int(pid.read_text("utf-8")), 0)
