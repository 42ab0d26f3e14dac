"""End a process whose memory a plugin has filled, so that the plugin is named.

Another process continues without it. If this one went on, anybody's next allocation would fail,
and the wrong code would be blamed.
"""

import mmap
import os
from typing import Final

from rove_core.plugins.watchdog import is_watched, step

#: Exit code of a process with full memory.
FULL: Final = 83
#: Minimum bytes needed to go on.
_ROOM: Final = 64 << 20


def end_if_full(name: str, hook: str = "") -> None:
    """End this process if a plugin filled its memory and a supervisor continues without it.

    Args:
        name: The account, or the plugin.
        hook: The hook that ran.
    """
    if not is_watched():
        return
    try:
        # Taken from the system and given back: the allocator's own reserve does not count.
        mmap.mmap(-1, _ROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except (OSError, MemoryError):
        with step(name, hook):
            os._exit(FULL)
