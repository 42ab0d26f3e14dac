"""What keeps a worker process within bounds: how much memory it may need, and how long it lives."""

import ctypes
import os
import resource
import signal
import sys
from contextlib import suppress
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_NICER: Final = 5


def die_with(parent: int) -> None:
    """Let the kernel kill this process when its parent dies, whatever this one is busy with.

    Where the kernel cannot do that, a worker ends when the connection to its parent does.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # It died before.
        os._exit(1)


def limit_memory(most: int) -> None:
    """Let what needs more memory fail in this process, before the machine has none left.

    Only Linux keeps to it.

    Args:
        most: How many bytes of data this process may have.
    """
    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def give_way() -> None:
    """Let whoever answers questions have the processor first, where there is not enough of it."""
    os.nice(_NICER)
