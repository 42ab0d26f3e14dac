"""End a process that a plugin has filled, so that the plugin is named and another one goes on.

A plugin that keeps what it takes leaves no memory for whoever has to say so: after it, anybody's
next allocation fails, and the wrong one would be blamed.
"""

import mmap
import os
from typing import Final

from rove_core.plugins.watchdog import is_watched, step

#: What a process with a full memory ends with.
FULL: Final = 83
#: Bytes that whoever goes on needs at least.
_ROOM: Final = 64 << 20


def end_if_full(name: str, hook: str = "") -> None:
    """End this process if a plugin filled its memory and a supervisor continues without it.

    Args:
        name: The account, or the plugin.
        hook: Which of its hooks ran.
    """
    if not is_watched():
        return
    try:
        # Taken from the system and given back: the allocator's own reserve does not count.
        mmap.mmap(-1, _ROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OSError, MemoryError):
        with step(name, hook):
            os._exit(FULL)
