"""Login states of accounts, kept while the encrypted file of logins stays as it is.

To decrypt that file and to load the plugins of all accounts takes longer than to list accounts.
No secret is kept, and no keychain is ever taken to hold what it held before.
"""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rove.manifest import installation_stamp, kind_of
from rove_core.auth.login_states import LoginState
from rove_core.errors import RoveError
from rove_core.store.files import private_folder, read_file, write_atomic

if TYPE_CHECKING:
    from rove_core.auth.accounts import AccountRecord
    from rove_core.project.local import LocalProject

#: The states that are as they were while no file changes.
_LASTING: Final = frozenset({"logged in", "expired", "none", "not needed"})


def cached_login_states(rove: "LocalProject") -> Mapping[str, LoginState] | None:
    """Return the login state of each account; None if something may have changed."""
    with suppress(RoveError, OSError, ValueError, KeyError, TypeError, RecursionError):
        if not rove.book.path.exists():
            return {}
        stored = json.loads(read_file(_place(rove)))
        if stored["stamp"] != _stamp(rove) or _is_any_answered(stored["variables"]):
            return None
        states = {name: _state(**fields) for name, fields in stored["accounts"].items()}
        return None if any(_has_ended(rove, state) for state in states.values()) else states
    return None


def keep_login_states(
    rove: "LocalProject", records: Iterable["AccountRecord"], states: Mapping[str, LoginState]
) -> None:
    """Keep the login states, unless a keychain or the environment has the logins."""
    if not _is_in_file(rove) or any(state.state not in _LASTING for state in states.values()):
        return
    payload = {
        "stamp": _stamp(rove),
        "variables": [way for record in records for way in _ways(rove, record)],
        "accounts": {
            name: {"state": each.state, "expires_at": each.expires_at and str(each.expires_at)}
            for name, each in states.items()
        },
    }
    # A folder that cannot be written only means that the next list takes as long as this one.
    with suppress(RoveError):
        private_folder(_place(rove).parent)
        write_atomic(_place(rove), json.dumps(payload).encode())


def _is_in_file(rove: "LocalProject") -> bool:
    from rove_core.auth.credentials.choice import remembered_choice  # noqa: PLC0415  # see the top

    with suppress(RoveError):
        choice = remembered_choice(rove.places.data_dir)
        backend = rove.settings.credentials.backend
        return backend == "encrypted_file" or choice is None or not choice.keychain
    return False


def _ways(rove: "LocalProject", record: "AccountRecord") -> list[list[list[str]]]:
    """Return the variables of each way to log in, those of one field together."""
    from rove_core.auth.credentials.environment import field_variable  # noqa: PLC0415  # see the top

    kind = kind_of(rove, record.kind)
    return [
        [[field_variable(record.name, field), *field.environment] for field in way.fields]
        for way in (kind.logins if kind else ())
        if way.fields and not way.person
    ]


def _is_any_answered(ways: Iterable[Sequence[Sequence[str]]]) -> bool:
    return any(
        all(any(os.environ.get(name, "").strip() for name in names) for names in way)
        for way in ways
    )


def _state(*, state: Any, expires_at: str | None) -> LoginState:  # noqa: ANN401  # JSON
    end = datetime.fromisoformat(expires_at) if expires_at else None
    return LoginState(state=state, expires_at=end)


def _has_ended(rove: "LocalProject", state: LoginState) -> bool:
    """Return whether a login has expired since."""
    is_due = state.expires_at is not None and state.expires_at <= rove.clock.now()
    return is_due and state.state != "expired"


def _stamp(rove: "LocalProject") -> list[str]:
    """Return what changes with whatever the states depend on."""
    data, settings = rove.places.data_dir, rove.settings.credentials
    folder = rove.places.rove if settings.location == "project" else data
    files = (
        rove.book.path,
        data / "credential-store.json",
        data / "master.key",
        folder / "credentials.enc",
        *sorted((data / "logins").glob("*.json")),
    )
    return [
        *installation_stamp(),
        f"{settings.backend} {data.stat().st_mode} {folder.stat().st_mode}",
        *map(_file_stamp, files),
    ]


def _file_stamp(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return str(path)
    return f"{path} {status.st_mtime_ns} {status.st_size} {status.st_ino} {status.st_mode}"


def _place(rove: "LocalProject") -> Path:
    return rove.places.data_dir / "login-states.json"
