"""Rename an account in the account store, the logins, the settings and the index."""

import os
import shutil
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

from attrs import evolve, frozen

from rove.operations.source_remove import projects_naming
from rove_core.auth.account_names import account_name, account_variable
from rove_core.auth.accounts import resolve_account
from rove_core.auth.credentials import CredentialStore
from rove_core.auth.login_exchange import first_record
from rove_core.auth.login_ledger import LoginLedger
from rove_core.auth.login_states import decided_store
from rove_core.mirror.mirror import Mirror
from rove_core.operations import Operation
from rove_core.project.settings import ignored_notes, set_setting
from rove_core.store.account_rename import rename_account
from rove_core.store.store import open_store
from rove_core.terminal.tables import sentences

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class RenamedAccount:
    """An account with another name.

    Attributes:
        old: What it was called.
        new: What it is called now.
        projects: Other projects that still name it as before, as far as Rove knows them.
        notes: What is left to do.
    """

    old: str
    new: str
    projects: tuple[str, ...]
    notes: tuple[str, ...]


async def sources_rename(
    rove: "LocalProject",
    *,
    old: Annotated[str, "One of your accounts, or its kind."],
    new: Annotated[str, "What to call it (jira:work)."],
) -> RenamedAccount:
    """Rename one of your accounts; you stay logged in.

    Its login, this project's settings and its documents go along.
    """
    was, name = resolve_account(old, rove.book.accounts()).name, account_name(new)
    rove.book.check_rename(was, name)
    store = await decided_store(rove)
    ledger = LoginLedger(rove.places.data_dir)
    with ledger.turn(was), ledger.turn(name):
        # A login under both names is one too many; one under neither is lost.
        await _copy_login(rove, store, was, name)
        rove.book.rename(was, name)
        if store:
            await store.delete(was)
        ledger.forget(was)
    notes = [*_settings(rove, was, name), *_remaining_uses(rove, was, name)]
    if rove.places.index.exists():
        async with open_store(rove.places.index, clock=rove.clock) as index:
            await rename_account(index, was, name)
    Mirror.of(rove.places, was).rename(name)
    # What is remembered of documents goes by the old name: they are known by their words instead.
    shutil.rmtree(rove.places.bases / was, ignore_errors=True)
    others = tuple(map(str, projects_naming(was, rove.places)))
    return RenamedAccount(old=was, new=name, projects=others, notes=tuple(notes))


async def _copy_login(
    rove: "LocalProject", store: CredentialStore | None, old: str, new: str
) -> None:
    credential = await store.get(old) if store else None
    if store is None or credential is None:
        return
    await store.set(new, credential)
    ledger = LoginLedger(rove.places.data_dir)
    if record := ledger.read(old):
        mark = first_record(new, credential, rove.clock).mark
        ledger.write(new, evolve(record, mark=mark))


def _settings(rove: "LocalProject", old: str, new: str) -> Iterator[str]:
    """Name the account anew in this project's settings, and yield what this leaves to do."""
    sources = rove.settings.sources
    if old in sources.use:
        used = [new if name == old else name for name in sources.use]
        yield from _set(rove, "sources.use", used)
    if sources.default_ticket_source == old:
        yield from _set(rove, "sources.default_ticket_source", new)


def _set(rove: "LocalProject", key: str, value: list[str] | str) -> Iterator[str]:
    origin = rove.settings.origin(key)
    if origin.level == "project":
        yield from ignored_notes(rove.places, set_setting(rove.places, key, value))
    else:
        yield f"{origin.place} still names it as before, in {key}"


def _remaining_uses(rove: "LocalProject", old: str, new: str) -> Iterator[str]:
    """Yield the uses of the old name that only the user can change."""
    for place in rove.settings.places_of_account(old):
        yield f'{place} sets it as before: write [sources."{new}"] there'
    prefix = f"{account_variable(old)}_"
    for variable in sorted(name for name in os.environ if _is_of(name, prefix, os.environ)):
        new_variable = variable.replace(prefix, f"{account_variable(new)}_", 1)
        yield f"{variable} is not its variable any more: that is {new_variable}"


def _is_of(name: str, prefix: str, environ: Mapping[str, str]) -> bool:
    return name.startswith(prefix) and bool(environ[name])


def _show(renamed: RenamedAccount) -> str:
    lines = [f"{renamed.old} is called {renamed.new} now"]
    lines += [f"note: {note}" for note in renamed.notes]
    lines += [f"note: {project} still names it as before" for project in renamed.projects]
    return sentences(lines)


RENAME = Operation(
    sources_rename,
    changes=True,
    terminal_only=True,
    command="sources rename",
    project="closed",
    show=_show,
)
