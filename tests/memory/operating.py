"""Calling the package's operations as an agent does."""

from typing import TYPE_CHECKING, Any

from rove_core import run
from rove_memory.operations import operations

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject

OPERATIONS = {each.name: each for each in operations()}


def call(rove: "LocalProject", name: str, **arguments: object) -> Any:  # noqa: ANN401  # JSON
    """Return what an operation gives, as JSON."""
    return run(OPERATIONS[name].call(rove, arguments))  # type: ignore[arg-type]  # JSON
