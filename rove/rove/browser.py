"""Opening a page in the person's browser, where there is one."""

import os
import subprocess
import sys
import threading
from typing import Final

#: What a desktop, or a person with wishes, has set.
_DESKTOPS: Final = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
_SECONDS: Final = 15.0


def open_page(url: str) -> None:
    """Try to open a page, and wait for nothing; where it does not open, its address was printed.

    Only at a terminal, and not where the only browser would take the terminal for itself.
    """
    desktop = sys.platform == "darwin" or any(map(os.environ.get, _DESKTOPS))
    if desktop and sys.stdin.isatty():
        threading.Thread(target=_open, args=(url,), daemon=True).start()


def _open(url: str) -> None:
    """Open a page from a process of its own, which takes no module of the folder it is in."""
    with open(os.devnull, "r+b") as nowhere:  # noqa: PTH123  # a device
        try:
            subprocess.run(  # noqa: S603  # our own interpreter
                [sys.executable, "-I", "-m", "webbrowser", url],
                stdin=nowhere,
                stdout=nowhere,
                stderr=nowhere,
                start_new_session=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return
