"""Check the server's socket."""

import os
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rove.doctor.findings import FIX, Finding, fixed, ok, problem, warning
from rove.doctor.subject import Subject

#: How many bytes the path of a socket may have.
_LONGEST: Final = 103 if sys.platform == "darwin" else 107
_PATIENCE: Final = 1.0


def check_socket(subject: Subject) -> Iterator[Finding]:
    """Yield whether a server answers; a stale socket is removed."""
    path = subject.places.socket
    if not subject.is_safe:
        return
    length = len(os.fsencode(path))
    is_long = length > _LONGEST
    if is_long:
        found = f"its path has {length} bytes; systems allow at most {_LONGEST}"
        yield warning("socket", found, "Use the path from within the project: .rove/api.sock")
    if not path.exists() and not path.is_symlink():
        if not is_long:
            yield ok("socket", f"no server is running here; its path would have {length} bytes")
        return
    if not stat.S_ISSOCK(path.lstat().st_mode):
        yield problem("socket", f"{path} is not a socket", f"Look at it: ls -ld {path}")
    elif not is_long:
        yield _check_answer(path, fix=subject.fix)


def _check_answer(path: Path, *, fix: bool) -> Finding:
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(_PATIENCE)
        try:
            caller.connect(str(path))
        except ConnectionRefusedError:
            if not fix:
                return warning("socket", f"{path} is left over: no server is running", FIX)
            path.unlink()
            return fixed("socket", f"{path} was left over; removed")
        except OSError as error:
            return problem("socket", f"{path} cannot be connected to: {error.strerror or error}")
    return ok("socket", f"a server answers at {path}")
