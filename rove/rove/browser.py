"""Open a page in the user's browser, if there is one."""

import os
import subprocess
import sys
import threading
from typing import Final

#: What a desktop, or a person with wishes, has set.
_DESKTOPS: Final = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
_SECONDS: Final = 15.0


def open_page(url: str) -> None:
    """Try to open a page without waiting; its URL was printed in case this fails.

    Only at a terminal, and not where the only browser would take the terminal for itself.
    """
    if has_browser():
        threading.Thread(target=_open, args=(url,), daemon=True).start()


def start_browser(url: str) -> bool:
    """Open a page in a browser that outlives this process, and return whether one was started."""
    if not has_browser():
        return False
    try:
        with open(os.devnull, "r+b") as nowhere:  # noqa: PTH123  # a device
            subprocess.Popen(  # noqa: S603  # our own interpreter
                _command(url),
                stdin=nowhere,
                stdout=nowhere,
                stderr=nowhere,
                start_new_session=True,
            )
    except OSError:
        return False
    return True


def has_browser() -> bool:
    """Return whether this is an interactive session with a graphical browser."""
    desktop = sys.platform == "darwin" or any(map(os.environ.get, _DESKTOPS))
    return desktop and sys.stdin.isatty()


def _open(url: str) -> None:
    """Open a page and wait until the browser has taken it."""
    with open(os.devnull, "r+b") as nowhere:  # noqa: PTH123  # a device
        try:
            subprocess.run(  # noqa: S603  # our own interpreter
                _command(url),
                stdin=nowhere,
                stdout=nowhere,
                stderr=nowhere,
                start_new_session=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return


def _command(url: str) -> list[str]:
    """Return what opens a page in a process that takes no module of the folder it is in."""
    return [sys.executable, "-I", "-m", "webbrowser", url]
