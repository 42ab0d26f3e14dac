"""A project's linked folder: its files, found, summarised and read on demand."""

from typing import TYPE_CHECKING

from rove_core import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rove_core import (
        Account,
        ContextItem,
        DatabaseFiles,
        Http,
        Operation,
        Route,
        Section,
        SettingsSection,
        SourceHooks,
        SourceKind,
    )
    from rove_folder.settings import FolderSettings, FolderSourceSettings

__all__ = [
    "rove_api",
    "rove_databases",
    "rove_operations",
    "rove_routes",
    "rove_sections",
    "rove_settings",
    "rove_sources",
]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> "Sequence[SourceKind[FolderSourceSettings]]":
    """Bring a folder as a source."""
    from rove_core import SearchableField, SourceKind  # noqa: PLC0415  # a command needs no source
    from rove_folder.settings import FolderSourceSettings  # noqa: PLC0415  # the same

    return [
        SourceKind(
            name="folder",
            title="Linked folder",
            settings=FolderSourceSettings,
            connect=_connect,
            fields=(SearchableField("file_text", "text", "What the file says"),),
            id_pattern=r"[^/\s]+/.+\.[A-Za-z0-9]{1,8}(?:#(?:page=|L)[1-9]\d{0,6})?",
        )
    ]


@hookimpl
def rove_operations() -> "Sequence[Operation]":
    """Bring ``rove folder ...``."""
    from rove_folder.operation_list import operations  # noqa: PLC0415  # a source alone needs none

    return operations()


@hookimpl
def rove_databases() -> "Sequence[DatabaseFiles]":
    """Declare what is known of linked folders, and the text of their files."""
    from rove_core import DatabaseFiles  # noqa: PLC0415  # a source alone needs none

    return [
        DatabaseFiles(files="folder.db", migrations="rove_folder.storage.tables:MIGRATIONS"),
        DatabaseFiles(files="text.db", migrations="rove_folder.text_index:MIGRATIONS"),
    ]


@hookimpl
def rove_settings() -> "Sequence[SettingsSection[FolderSettings]]":
    """Bring ``[folder]``."""
    from rove_folder.settings import FOLDER  # noqa: PLC0415  # few commands need the settings

    return [FOLDER]


@hookimpl
def rove_routes() -> "Sequence[Route]":
    """Bring ``/api/v1/device`` and ``/api/v1/billing/quota/check``."""
    from rove_folder.routes import routes  # noqa: PLC0415  # a source alone needs none

    return routes()


@hookimpl
async def rove_sections(ticket: "ContextItem", budget: int, project: "Path") -> "Sequence[Section]":
    """Add the files of the linked folder that are about the ticket."""
    from rove_core import LocalProject  # noqa: PLC0415  # loaded when a document is made
    from rove_folder.project_folder import ProjectFolder  # noqa: PLC0415  # the same
    from rove_folder.section import sections  # noqa: PLC0415  # the same

    return await sections(ticket, budget, ProjectFolder.of(LocalProject.at(project)))


def _connect(account: "Account[FolderSourceSettings]", http: "Http") -> "SourceHooks":
    from rove_folder.source import FolderSource  # noqa: PLC0415  # loaded when an account needs it

    return FolderSource(account, http.clock)
