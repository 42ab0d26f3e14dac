"""Become a local server that ends when its caller does: ``python launch.py COMMAND...``.

It stands alone: nothing of Rove is loaded in the process that becomes somebody else's program.
"""

import os
import sys
from contextlib import suppress

_DIE_WITH_PARENT = 1
_KILL = 9

if __name__ == "__main__":
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            import ctypes

            ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, _KILL)
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606  # the user's own command
