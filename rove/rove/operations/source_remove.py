"""Remove an account: its login (also at the vendor), its record, its use in this project."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove.known_accounts import project_accounts
from rove.operations.index_texts import forget_texts
from rove_core.auth.accounts import AccountRecord, resolve_account
from rove_core.auth.connections import account_of
from rove_core.errors import Locked, RoveError
from rove_core.mirror.mirror import Mirror
from rove_core.operations import Operation
from rove_core.project.layout import ProjectPaths
from rove_core.project.settings import ignored_notes, set_setting
from rove_core.project.settings.loader import read_project_file
from rove_core.project.toml.reader import read_bytes
from rove_core.project.trust import trusted_projects
from rove_core.terminal.tables import sentences

if TYPE_CHECKING:
    from rove_core.project.project import Project


@frozen(kw_only=True)
class RemovedAccount:
    """The result of removing an account.

    Attributes:
        account: The account.
        revoked: Whether its vendor was made to forget its login.
        projects: Other projects that still name it, as far as Rove knows them.
        notes: What is left to do.
    """

    account: str
    revoked: bool
    projects: tuple[str, ...]
    notes: tuple[str, ...]


async def sources_remove(
    rove: "Project", *, account: Annotated[str, "One of your accounts, or its kind."]
) -> RemovedAccount:
    """Remove one of your accounts: its login, its record, and its place in this project.

    Its login is revoked at the vendor if the source can do that. Its local copy is deleted, and so
    is what the indexes of your projects have of it beyond the quotes in documents. Documents stay.
    """
    record = resolve_account(account, project_accounts(rove))
    revoked, why = await logged_out(rove, record)
    notes = [*why, *_remove_from_project(rove, record), *_forgotten_copy(rove, record.name)]
    notes += forget_texts(rove.places, record.name)
    if record in rove.book.accounts():
        rove.book.remove(record.name)
    others = tuple(map(str, projects_naming(record.name, rove.places)))
    return RemovedAccount(account=record.name, revoked=revoked, projects=others, notes=tuple(notes))


def _forgotten_copy(rove: "Project", account: str) -> Iterator[str]:
    """Remove the local copy of an account; yield why that could not be done."""
    try:
        Mirror.of(rove.places, account).drop()
    except Locked as error:
        yield error.message
    except RoveError as error:
        yield f"its copy is still there: {error.message}. {error.hint} Then: rove mirror drop all"


async def logged_out(rove: "Project", record: AccountRecord) -> tuple[bool, list[str]]:
    """Delete a login, and return whether it was revoked, with the errors of the attempt."""
    revoked, notes = False, []
    try:
        if record.name not in rove.accounts.names:
            await rove.connect(account_of(record, rove))
        revoked = await rove.revoke_login(record.name)
    except RoveError as error:
        notes.append(f"its login was not revoked: {error.message}")
    await rove.forget_login(record.name)
    return revoked, notes


def _remove_from_project(rove: "Project", record: AccountRecord) -> Iterator[str]:
    """Remove an account from this project's settings, and yield follow-up steps."""
    sources = rove.settings.sources
    rest = [name for name in sources.use if name != record.name]
    if len(rest) < len(sources.use):
        yield from _set(rove, "sources.use", rest)
    is_last = record.kind not in [name.partition(":")[0] for name in rest]
    if sources.default_ticket_source in {record.name, record.kind if is_last else record.name}:
        yield from _set(rove, "sources.default_ticket_source", "")


def _set(rove: "Project", key: str, value: list[str] | str) -> Iterator[str]:
    origin = rove.settings.origin(key)
    if origin.level == "project":
        yield from ignored_notes(rove.places, set_setting(rove.places, key, value))
    else:
        yield f"{origin.place} still names it, in {key}"


def projects_naming(account: str, here: ProjectPaths) -> Iterator[Path]:
    """Yield the other projects that still name an account."""
    for folder in trusted_projects(here.data_dir):
        if folder != here.root.resolve() and account in _accounts_in_file(folder):
            yield folder


def _accounts_in_file(folder: Path) -> list[object]:
    """Return the accounts that a project's file names; none if there is no such file any more."""
    with suppress(RoveError):
        data = read_bytes(folder / ".rove" / "settings.toml", shown=str(folder))
        sources = read_project_file(data).table.get("sources") if data else None
        used = sources.get("use") if isinstance(sources, Mapping) else None
        return list(used) if isinstance(used, list) else []
    return []


def _show(removed: RemovedAccount) -> str:
    at_vendor = ", and its login revoked at the vendor" if removed.revoked else ""
    lines = [f"{removed.account} is removed{at_vendor}"]
    lines += [f"note: {note}" for note in removed.notes]
    lines += [f"note: {project} still names it, in sources.use" for project in removed.projects]
    return sentences(lines)


REMOVE = Operation(
    sources_remove, changes=True, terminal_only=True, command="sources remove", show=_show
)
