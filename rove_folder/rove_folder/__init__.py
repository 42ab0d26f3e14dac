"""A project's linked folder: its files, found, summarised and read on demand."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rove_core import SettingsSection, hookimpl
from rove_folder.settings import FOLDER, FolderSettings

if TYPE_CHECKING:
    from rove_core import Operation, Route

__all__ = ["rove_api", "rove_operations", "rove_routes", "rove_settings"]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_operations() -> "Sequence[Operation]":
    """Bring ``rove folder ...``."""
    from rove_folder.operations import operations  # noqa: PLC0415  # a source alone needs none

    return operations()


@hookimpl
def rove_settings() -> Sequence[SettingsSection[FolderSettings]]:
    """Bring ``[folder]``."""
    return [FOLDER]


@hookimpl
def rove_routes() -> "Sequence[Route]":
    """Bring ``/api/v1/device`` and ``/api/v1/billing/quota/check``."""
    from rove_folder.routes import routes  # noqa: PLC0415  # a source alone needs none

    return routes()
