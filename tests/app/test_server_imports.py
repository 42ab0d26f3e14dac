"""The server answers and plans without the code that calls plugins or reads their items."""

import subprocess
import sys

_PROGRAM = "import sys, rove.server.server; print(*sys.modules)"
#: Each costs memory for as long as the server runs, in every project.
_NEEDLESS = {"rove_core.items", "rove_core.plugins.calls", "rove_core.plugins.loader", "pluggy"}


def test_the_server_imports_nothing_that_calls_plugins() -> None:
    """Neither the callers of hooks nor the types of items are imported."""
    printed = subprocess.run(  # noqa: S603  # our own program, above
        [sys.executable, "-c", _PROGRAM], capture_output=True, text=True, check=True
    ).stdout

    assert _NEEDLESS & set(printed.split()) == set()
