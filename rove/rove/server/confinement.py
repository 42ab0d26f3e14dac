"""Memory and lifetime limits of a worker process."""

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_NICER: Final = 5
_M_ARENA_MAX: Final = -8


def die_with(parent: int) -> None:
    """Make the kernel kill this process when its parent dies.

    Where the kernel cannot do that, a worker ends when the connection to its parent does.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # It died before.
        os._exit(1)


def limit_memory(most: int) -> None:
    """Limit this process's memory.

    Only Linux keeps to it.

    Args:
        most: How many bytes of data this process may have.
    """
    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def share_heap() -> None:
    """Let all threads of this process share one heap.

    A heap of its own keeps what its thread once used. Only the C library of most Linux systems has
    several.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 1)


def give_way() -> None:
    """Lower this process's priority."""
    os.nice(_NICER)
