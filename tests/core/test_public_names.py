"""The public names of ``rove_core``: listed once for people, once for mypy, loaded when used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import rove_core


@pytest.mark.parametrize("name", rove_core.__all__)
def test_each_name_is_there(name: str) -> None:
    """Every public name can be imported."""
    assert hasattr(rove_core, name)


def test_mypy_sees_the_same_names() -> None:
    """What type checkers are shown is what there is."""
    (checked,) = [
        node
        for node in ast.parse(Path(rove_core.__file__).read_text("utf-8")).body
        if isinstance(node, ast.If)
    ]
    shown = [node.names[0].name for node in checked.body if isinstance(node, ast.ImportFrom)]

    assert sorted(shown) == sorted(rove_core.__all__) == sorted(dir(rove_core))


def test_nothing_is_loaded_before_it_is_used() -> None:
    """Importing ``rove_core`` loads only what makes it lazy."""
    code = "import sys, rove_core; print([n for n in sys.modules if n.startswith('rove_core.')])"

    run = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )

    assert run.stdout == "['rove_core._lazy']\n"


def test_a_name_that_is_not_there() -> None:
    """A misspelled name is an AttributeError, as of any module."""
    with pytest.raises(AttributeError, match="no attribute 'Sauce'"):
        getattr(rove_core, "Sauce")  # noqa: B009  # mypy knows that it is not there
