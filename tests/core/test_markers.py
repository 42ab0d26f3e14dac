"""The marker of hooks is pluggy's, without importing pluggy."""

import subprocess
import sys

import pluggy
import pytest

from rove_core import hookimpl


@pytest.mark.parametrize(
    "options", [{}, {"wrapper": True}, {"tryfirst": True, "specname": "rove_sources"}], ids=str
)
def test_marks_as_pluggy_does(options: dict[str, object]) -> None:
    """A marked function has the options that pluggy's own marker would give it."""

    def own() -> None: ...

    def theirs() -> None: ...

    hookimpl(**options)(own)  # type: ignore[call-overload]  # one option or several
    pluggy.HookimplMarker("rove")(**options)(theirs)  # type: ignore[call-overload]  # the same

    assert vars(own) == vars(theirs)


def test_loads_no_pluggy() -> None:
    """A package that marks its hooks does not load pluggy."""
    program = "import sys; from rove_core import hookimpl; print('pluggy' in sys.modules)"
    command = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {program}"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # our own

    assert run.stdout == "False\n"
