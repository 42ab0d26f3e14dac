"""Check from outside whether a project's server is running.

A server holds a lock on one file as long as it lives, and writes into it who it is.
"""

import fcntl
import json
import os
from datetime import datetime
from pathlib import Path
from typing import Final

from attrs import frozen

_LOCK: Final = "daemon.lock"
_LONGEST: Final = 1_000


@frozen(kw_only=True)
class ServerStatus:
    """State of a server.

    Attributes:
        running: Whether it does.
        pid: Its process; None when that is not known.
        version: Of which Rove it is; empty when that is not known.
        started_at: When it was started; None when that is not known.
    """

    running: bool
    pid: int | None = None
    version: str = ""
    started_at: datetime | None = None


def server_state(rove: Path) -> ServerStatus:
    """Return whether a server runs for a project.

    Args:
        rove: The project's ``.rove``.
    """
    try:
        file = os.open(rove / _LOCK, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return ServerStatus(running=False)
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _reported_state(os.read(file, _LONGEST))
    except OSError:
        return ServerStatus(running=False)
    finally:
        os.close(file)
    return ServerStatus(running=False)


def _reported_state(line: bytes) -> ServerStatus:
    """Return a server's own report of its state, which may be missing at first."""
    try:
        report = json.loads(line)
        return ServerStatus(
            running=True,
            pid=int(report["pid"]),
            version=str(report["version"]),
            started_at=datetime.fromisoformat(report["started_at"]),
        )
    except (ValueError, TypeError, KeyError, RecursionError):
        return ServerStatus(running=True)
