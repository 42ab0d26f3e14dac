"""Find the code that matters for a question, within a budget."""

from typing import TYPE_CHECKING

from rove_core import hookimpl

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rove_code.settings import CodeSettings, EmbeddingSettings
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
def rove_sources() -> "Sequence[SourceKind[CodeSettings]]":
    """Bring a repository as a source: its code, and its commits."""
    from rove_code.settings import CodeSettings  # noqa: PLC0415  # a command needs no source
    from rove_core import SearchableField, SourceKind  # noqa: PLC0415  # the same

    return [
        SourceKind(
            name="code",
            title="Code",
            settings=CodeSettings,
            connect=_connect,
            fields=(
                SearchableField("code_text", "text", "What a declaration says, and its path"),
                SearchableField("commit_message", "text", "What a commit says, and its files"),
            ),
            id_pattern=r"[0-9a-f]{7,64}|.+(?::\d+(?:-\d+)?|#.+)",
        )
    ]


@hookimpl
def rove_operations() -> "Sequence[Operation]":
    """Bring ``rove code ...``."""
    from rove_code.operations import operations  # noqa: PLC0415  # a source alone needs none

    return operations()


@hookimpl
def rove_databases() -> "Sequence[DatabaseFiles]":
    """Declare the index of the code, its commentary and its vectors."""
    from rove_core import DatabaseFiles  # noqa: PLC0415  # a source alone needs none

    return [
        DatabaseFiles(files="code.db", migrations="rove_code.store:MIGRATIONS"),
        DatabaseFiles(files="code-commentary.db", migrations="rove_code.commentary:MIGRATIONS"),
        DatabaseFiles(
            files="code-vectors.db", migrations="rove_code.vectors.vector_store:MIGRATIONS"
        ),
    ]


@hookimpl
def rove_settings() -> "Sequence[SettingsSection[EmbeddingSettings]]":
    """Bring ``[embedding]``."""
    from rove_code.settings import EMBEDDING  # noqa: PLC0415  # few commands need the settings

    return [EMBEDDING]


@hookimpl
def rove_routes() -> "Sequence[Route]":
    """Bring ``/coderag/query`` and ``/coderag/refresh``."""
    from rove_code.routes import routes  # noqa: PLC0415  # a source alone needs none

    return routes()


@hookimpl
async def rove_sections(ticket: "ContextItem", budget: int, project: "Path") -> "Sequence[Section]":
    """Add the declarations that matter for a ticket."""
    from rove_code.section import sections  # noqa: PLC0415  # loaded when a document is made

    return await sections(ticket, budget, project)


def _connect(account: "Account[CodeSettings]", http: "Http") -> "SourceHooks":  # noqa: ARG001  # files need no HTTP
    from rove_code.source import CodeSource  # noqa: PLC0415  # loaded when an account needs it

    return CodeSource(account)
