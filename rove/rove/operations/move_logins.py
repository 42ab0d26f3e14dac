"""Move logins from one credential store to another."""

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from attrs import frozen

from rove_core.auth.credentials import (
    CredentialStore,
    EncryptedFileStore,
    StoreChoice,
    remembered_choice,
)
from rove_core.auth.credentials.choice import remember_choice
from rove_core.auth.keychain import KeychainStore, load_keychain, probe_keychain
from rove_core.auth.login_ledger import LoginLedger
from rove_core.auth.login_states import decided_store, project_file_store
from rove_core.errors import CredentialsCorrupt, KeychainUnusable, WrongSetting
from rove_core.operations import Operation
from rove_core.terminal.tables import sentences

if TYPE_CHECKING:
    from rove_core.login import Credential
    from rove_core.project.local import LocalProject

_Store: TypeAlias = KeychainStore | EncryptedFileStore


@frozen
class _LocatedLogin:
    """A login, and where it was found."""

    source: _Store
    account: str
    credential: "Credential"


@frozen(kw_only=True)
class LoginMove:
    """The result of moving logins.

    Attributes:
        store: ``keychain`` or ``encrypted_file``.
        place: Which one.
        accounts: Whose logins were moved; none if all were there already.
    """

    store: str
    place: str
    accounts: tuple[str, ...]


async def sources_move_logins(
    rove: "LocalProject",
    *,
    to: Annotated[
        Literal["keychain", "file"] | None,
        "Where to; default: the keychain if one works, else the encrypted file.",
    ] = None,
) -> LoginMove:
    """Move your logins to the keychain, or to the encrypted file, and keep them there.

    The old copies are deleted after all logins have been moved.
    """
    _refuse_against_settings(rove, to)
    target, why = await _target(rove, to)
    keychain = target.backend if isinstance(target, KeychainStore) else ""
    current = await decided_store(rove)
    in_use = current is not None and _place(current) == _place(target)
    names = sorted(record.name for record in rove.book.accounts())
    ledger = LoginLedger(rove.places.data_dir)
    with ExitStack() as turns:
        for name in names:
            turns.enter_context(ledger.turn(name))
        found = await _locate(await _sources(rove, _place(target)), names)
        moved = [each for each in found if not in_use or await target.get(each.account) is None]
        await _copy(moved, target)
        choice = StoreChoice(keychain=keychain, chosen_at=rove.clock.now(), why=why)
        remember_choice(rove.places.data_dir, choice, replace=True)
        for each in found:
            await each.source.delete(each.account)
    accounts = tuple(dict.fromkeys(each.account for each in moved))
    return LoginMove(store=target.name, place=_place(target), accounts=accounts)


def _refuse_against_settings(rove: "LocalProject", to: str | None) -> None:
    """Refuse where the settings would go on looking for logins somewhere else."""
    backend = rove.settings.credentials.backend
    allowed = {"keychain": "keychain", "encrypted_file": "file"}.get(backend)
    if allowed and to != allowed:
        place = rove.settings.origin("credentials.backend").place
        raise WrongSetting(
            f'{place} says credentials.backend = "{backend}", so logins are expected there',
            hint='Set it to "auto" there or remove the line, then run the command again.',
        )


async def _target(rove: "LocalProject", to: str | None) -> tuple[_Store, str]:
    if to == "file":
        return project_file_store(rove), "you moved the logins there"
    try:
        return await probe_keychain(), "you moved the logins there"
    except KeychainUnusable as error:
        if to == "keychain":
            raise
        return project_file_store(rove), error.message


async def _sources(rove: "LocalProject", target: str) -> list[_Store]:
    """Return the other places where logins may be."""
    choice = remembered_choice(rove.places.data_dir)
    stores: list[_Store] = [project_file_store(rove)]
    if choice and choice.keychain and choice.keychain != target:
        stores.append(await load_keychain(choice.keychain))
    return [store for store in stores if _place(store) != target]


async def _locate(sources: Sequence[_Store], names: Sequence[str]) -> list[_LocatedLogin]:
    return [
        _LocatedLogin(source, name, credential)
        for source in sources
        for name in names
        if (credential := await source.get(name))
    ]


async def _copy(found: Sequence[_LocatedLogin], target: _Store) -> None:
    """Copy the logins and see that they arrived; if one does not, none stays there."""
    copied: list[str] = []
    try:
        for each in found:
            copied.append(each.account)
            await _copy_one(each, target)
    except BaseException:
        for account in copied:
            await target.delete(account)
        raise


async def _copy_one(found: _LocatedLogin, target: _Store) -> None:
    await target.set(found.account, found.credential)
    if await target.get(found.account) != found.credential:
        raise CredentialsCorrupt(f"{_place(target)} cannot store the login of {found.account}")


def _place(store: CredentialStore) -> str:
    if isinstance(store, KeychainStore):
        return store.backend
    return str(store.path) if isinstance(store, EncryptedFileStore) else store.name


def _show(moved: LoginMove) -> str:
    where = f"the {moved.store.replace('_', ' ')} {moved.place}"
    if not moved.accounts:
        return f"no login to move; new ones go to {where}"
    return sentences([f"moved to {where}: {', '.join(moved.accounts)}"])


MOVE = Operation(
    sources_move_logins,
    changes=True,
    terminal_only=True,
    command="sources move-logins",
    project="closed",
    show=_show,
)
