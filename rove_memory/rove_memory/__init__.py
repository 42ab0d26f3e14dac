"""What a coding agent must not forget: sessions, memory, plans and acceptance criteria."""

from typing import TYPE_CHECKING

from rove_core import hookimpl
from rove_memory.settings import CRITERIA, MEMORY, SESSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rove_core import Operation
    from rove_core.project.settings.sections import AnySettingsSection

__all__ = ["rove_api", "rove_operations", "rove_settings"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_settings() -> "Sequence[AnySettingsSection]":
    """Bring ``[memory]``, ``[session]`` and ``[acceptance_criteria]``."""
    return [MEMORY, SESSION, CRITERIA]


@hookimpl
def rove_operations() -> "Sequence[Operation]":
    """Bring plans, dependencies and what is ready."""
    from rove_memory.operations import operations  # noqa: PLC0415  # only who uses them pays

    return operations()
