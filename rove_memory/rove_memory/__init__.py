"""Memory for coding agents: sessions, memories, plans and acceptance criteria."""

from typing import TYPE_CHECKING, Any

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
        Section,
        SettingsSection,
        SourceHooks,
        SourceKind,
    )
    from rove_memory.source_settings import MemorySourceSettings

__all__ = [
    "rove_api",
    "rove_databases",
    "rove_operations",
    "rove_sections",
    "rove_settings",
    "rove_sources",
]

#: The number of the plugin API it is made for.
rove_api = 1


@hookimpl
def rove_sources() -> "Sequence[SourceKind[MemorySourceSettings]]":
    """Bring the project's own memory as a source."""
    from rove_core import SearchableField, SourceKind  # noqa: PLC0415  # a command needs no source
    from rove_memory.source_settings import MemorySourceSettings  # noqa: PLC0415  # the same

    return [
        SourceKind(
            name="memory",
            title="Memory",
            settings=MemorySourceSettings,
            connect=_connect,
            fields=(SearchableField("memory_text", "text", "What a memory says, and its key"),),
            id_pattern=r"m-[0-9a-z]{5,12}",
        )
    ]


@hookimpl
def rove_operations() -> "Sequence[Operation]":
    """Return the operations on sessions, memory, plans, criteria and trackers."""
    from rove_memory.operations import operations  # noqa: PLC0415  # a source alone needs none

    return operations()


@hookimpl
def rove_databases() -> "Sequence[DatabaseFiles]":
    """Declare the list of projects, and the memory of each."""
    from rove_core import DatabaseFiles  # noqa: PLC0415  # a source alone needs none

    schema = "rove_memory.store.migrations"
    projects = f"{schema}:PROJECT_MIGRATIONS"
    return [
        DatabaseFiles(files="registry.db", migrations=f"{schema}:REGISTRY_MIGRATIONS"),
        DatabaseFiles(files="projects/*.db", migrations=projects),
        # Where Rove is used as a library, a project's memory lies beside the list.
        DatabaseFiles(files="*.db", migrations=projects),
    ]


@hookimpl
def rove_settings() -> "Sequence[SettingsSection[Any]]":
    """Bring ``[memory]``, ``[session]``, ``[acceptance_criteria]`` and ``[sync]``."""
    from rove_memory.criteria_settings import CRITERIA  # noqa: PLC0415  # few need settings
    from rove_memory.memory_settings import MEMORY  # noqa: PLC0415  # few need settings
    from rove_memory.session_settings import SESSION  # noqa: PLC0415  # few need settings
    from rove_memory.settings import SYNC  # noqa: PLC0415  # few need settings

    return [MEMORY, SESSION, CRITERIA, SYNC]


@hookimpl
async def rove_sections(ticket: "ContextItem", budget: int, project: "Path") -> "Sequence[Section]":
    """Return earlier decisions, criteria and blockers of the ticket."""
    from rove_memory.section import sections  # noqa: PLC0415  # loaded when a document is made

    return await sections(ticket, budget, project)


def _connect(account: "Account[MemorySourceSettings]", http: "Http") -> "SourceHooks":  # noqa: ARG001  # files need no HTTP
    from rove_memory.source import MemorySource  # noqa: PLC0415  # loaded when an account needs it

    return MemorySource(account)
