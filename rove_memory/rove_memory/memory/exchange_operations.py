"""Operations to export and import a project's memory."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from attrs import evolve, frozen

from rove_core import DiskTrouble, Operation, WrongCall, read_file, visible, write_atomic
from rove_core import json_text as harmless_json
from rove_memory.memory.database_file import is_project_database, read_project_database
from rove_memory.memory.exchange import FORMAT, ImportedData, ImportResult, dump_tables, load_tables
from rove_memory.memory.markdown import from_markdown, to_markdown
from rove_memory.memory.semfora_config import read_config
from rove_memory.memory.semfora_database import is_database, read_database
from rove_memory.memory.semfora_import import keep_provider
from rove_memory.store import ProjectStore, in_thread

if TYPE_CHECKING:
    from rove_core import LocalProject


@frozen(kw_only=True)
class MemoryExport:
    """An export.

    Attributes:
        path: The file it is in; empty when it is in ``text``.
        text: The export itself, unless it is in a file.
        rows: How many rows it holds.
    """

    path: str
    text: str
    rows: int


async def memory_export(
    rove: "LocalProject",
    *,
    output: Annotated[str, "The file to write; default: standard output."] = "",
    format: Annotated[Literal["json", "markdown"], "The format."] = "markdown",  # noqa: A002  # what the option is called
) -> MemoryExport:
    """Export this project's whole memory to one file."""
    store = ProjectStore.of(rove)

    def work() -> MemoryExport:
        with store.reading() as db:
            tables = dump_tables(db)
        if format == "json":
            whole: Any = {"format": FORMAT, "project": rove.places.root.name, "tables": tables}
            text = harmless_json(whole, indent=1) + "\n"
        else:
            text = to_markdown(rove.places.root.name, tables)
        rows = sum(map(len, tables.values()))
        if not output:
            return MemoryExport(path="", text=text, rows=rows)
        path = Path(output).expanduser().absolute()
        write_atomic(path, text.encode())
        return MemoryExport(path=str(path), text="", rows=rows)

    return await in_thread(work)


async def memory_import(
    rove: "LocalProject",
    *,
    file: Annotated[str, "An export, a database of Rove or Semfora PM, or a .pm/config.json."],
) -> ImportResult:
    """Import an exported memory; existing entries stay, and duplicates are skipped."""
    store = ProjectStore.of(rove)

    def work() -> ImportResult:
        path = Path(file).expanduser().absolute()
        found = _read(path)
        with store.writing() as db:
            keep_provider(db, found.provider)
            result = load_tables(db, store, found.tables)
        return evolve(result, notes=(*result.notes, *found.notes))

    return await in_thread(work)


def _read(path: Path) -> ImportedData:
    """Return the content of a file, whatever kind it is."""
    try:
        data = read_file(path)
    except OSError as error:
        raise DiskTrouble(
            f"{path} cannot be read: {error.strerror}", hint="Name a file."
        ) from error
    if is_database(data):
        if is_project_database(path):
            return ImportedData(read_project_database(path))
        return read_database(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise WrongCall(f"{path} is not text or a database") from error
    if not text.lstrip().startswith("{"):
        return ImportedData(from_markdown(text))
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrongCall(f"{path} is not JSON: {error}") from error
    if whole.get("format") == FORMAT:
        return ImportedData(whole.get("tables"))
    if "provider" in whole or "sync" in whole or "memory" in whole:
        provider, notes = read_config(whole)
        return ImportedData({}, provider, notes)
    raise WrongCall(f"{path} is not a Rove export", hint=f"An export starts with: {FORMAT}")


def _show_import(result: ImportResult) -> str:
    added = ", ".join(f"{count} {table}" for table, count in result.added.items()) or "nothing new"
    lines = [f"added: {added}"]
    if result.known:
        lines.append(f"already here: {result.known}")
    lines += [f"has different content here, kept: {key}" for key in result.conflicts]
    return "\n".join(map(visible, [*lines, *result.notes]))


def _show_export(result: MemoryExport) -> str:
    return result.path or result.text.rstrip("\n")


EXCHANGE_OPERATIONS: Final = (
    Operation(
        memory_export, command="memory export", offline=True, terminal_only=True, show=_show_export
    ),
    Operation(
        memory_import,
        command="memory import",
        changes=True,
        offline=True,
        terminal_only=True,
        show=_show_import,
    ),
)
