"""Run a command's plugins in a child process."""

import sys

TYPE_CHECKING = False

if TYPE_CHECKING:
    from rove_core.plugins.kept_off import AllKeptOff

_is_requested = False


def want_isolation() -> None:
    """Run plugins in a child process from now on."""
    global _is_requested  # noqa: PLW0603  # it is the process that is one command, or is not
    _is_requested = True


def isolated(*, again: bool = True) -> "AllKeptOff":
    """Call this before plugins are loaded; return those that are not to be.

    Args:
        again: Whether the command may be run once more when a plugin has ended it.
    """
    if not _is_requested:
        return {}
    from rove.plugin_guard import enter  # noqa: PLC0415  # most commands load no plugin

    return enter(again=again)


def end_isolated(code: int) -> None:
    """End this process at once if plugins run in it."""
    if (guard := sys.modules.get("rove.plugin_guard")) and guard.is_child():
        guard.end_child(code)
