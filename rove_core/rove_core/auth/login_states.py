"""Login state of an account, without asking its vendor."""

import os
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Literal, TypeAlias

from attrs import frozen

from rove_core.auth.account_names import add_command
from rove_core.errors import RoveError

if TYPE_CHECKING:
    from rove_core.auth.accounts import AccountRecord
    from rove_core.auth.credentials import CredentialStore, EncryptedFileStore
    from rove_core.project.local import LocalProject
    from rove_core.sources import AnySourceKind

#: ``unknown`` when its store, or its plugin, cannot be asked.
State: TypeAlias = Literal[
    "logged in", "from environment", "expired", "none", "not needed", "unknown"
]


@frozen(kw_only=True)
class LoginState:
    """Login state of an account.

    Attributes:
        state: Whether there is one, and where from.
        expires_at: When it ends for good; None if that is not known, or if Rove renews it.
        why: What kept the state from being known.
    """

    state: State
    expires_at: datetime | None = None
    why: str = ""

    def note(self, record: "AccountRecord", now: datetime) -> str:
        """Return why the state is unknown, or when the login expires, with what logs in again."""
        if self.expires_at is None:
            return self.why
        from rove_core.auth.login_ledger import TELL_BEFORE, expiry_text  # noqa: PLC0415  # few logins expire

        is_lost = self.state == "expired" and self.expires_at > now
        text = "lost" if is_lost else expiry_text(self.expires_at, now)
        if self.expires_at - TELL_BEFORE > now and not is_lost:
            return text
        return f"{text}; log in again: {add_command(record.name, record.kind)}"


async def login_states(
    project: "LocalProject",
    records: Iterable["AccountRecord"],
    kind_of: Callable[[str], "AnySourceKind | None"],
) -> Mapping[str, LoginState]:
    """Return the login state of each account, without asking any vendor.

    Args:
        project: The project.
        records: The accounts.
        kind_of: Returns a kind of source by its name; None if no plugin brings it.
    """
    store: CredentialStore | RoveError | None
    try:
        store = await decided_store(project)
    except RoveError as error:
        store = error
    return {
        record.name: await _state(project, record, kind_of(record.kind), store)
        for record in records
    }


async def decided_store(project: "LocalProject") -> "CredentialStore | None":
    """Return the store of the user's logins; None if it was never used.

    Unlike :func:`rove_core.auth.user_store.user_store` it tries no keychain and decides nothing.
    """
    from rove_core.auth.credentials.choice import remembered_choice  # noqa: PLC0415  # a kept state needs none
    from rove_core.auth.user_store import user_store  # noqa: PLC0415  # the same

    settings = project.settings.credentials
    if settings.backend == "encrypted_file":
        return await user_store(project)
    choice = remembered_choice(project.places.data_dir)
    if choice is None or (settings.backend == "keychain" and not choice.keychain):
        file = project_file_store(project)
        return file if settings.backend == "auto" and file.path.exists() else None
    return await user_store(project)


def project_file_store(project: "LocalProject") -> "EncryptedFileStore":
    """Return the encrypted file for logins on systems without a keychain."""
    from rove_core.auth.credentials import EncryptedFileStore  # noqa: PLC0415  # it loads asyncio

    in_project = project.settings.credentials.location == "project"
    folder = project.places.root if in_project else None
    return EncryptedFileStore(project.places.data_dir, project=folder)


async def _state(
    project: "LocalProject",
    record: "AccountRecord",
    kind: "AnySourceKind | None",
    store: "CredentialStore | RoveError | None",
) -> LoginState:
    from rove_core.auth.credentials.environment import is_answered  # noqa: PLC0415  # see decided_store

    if kind is None:
        return LoginState(state="unknown", why=f"no installed plugin provides {record.kind!r}")
    if not kind.logins:
        return LoginState(state="not needed")
    if any(is_answered(record.name, way, os.environ) for way in kind.logins):
        return LoginState(state="from environment")
    try:
        return await _stored_state(project, record.name, store)
    except RoveError as error:
        return LoginState(state="unknown", why=error.message)


async def _stored_state(
    project: "LocalProject", account: str, store: "CredentialStore | RoveError | None"
) -> LoginState:
    from rove_core.auth.login_ledger import LoginLedger  # noqa: PLC0415  # see decided_store

    if isinstance(store, RoveError):
        raise store
    credential = await store.get(account) if store else None
    if credential is None:
        return LoginState(state="none")
    end = credential.lasts_until
    record = LoginLedger(project.places.data_dir).read(account)
    is_lost = record is not None and record.lost_at is not None
    expired = is_lost or (end is not None and end <= project.clock.now())
    return LoginState(state="expired" if expired else "logged in", expires_at=end)
