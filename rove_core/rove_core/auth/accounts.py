"""The user's accounts: one file for all projects, without secrets."""

import pathlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar, get_args, get_origin, get_type_hints

import attrs
from attrs import field, frozen

from rove_core.auth.account_names import account_name, account_variable
from rove_core.auth.identity import Identity
from rove_core.errors import RoveError, UnknownAccount, WrongCall, WrongSetting
from rove_core.project.settings.values import bare_type, typed
from rove_core.project.toml.reader import TomlFile, parse_toml, read_bytes
from rove_core.store.files import FileLock, private_folder, write_atomic
from rove_core.wire.json_types import JSON

if TYPE_CHECKING:
    from rove_core.items import AnyAccount
    from rove_core.project.toml.scan import Path

Record = TypeVar("Record", bound=attrs.AttrsInstance)

#: What has an account's name and kind: its record, or the account itself.
Named = TypeVar("Named", "AccountRecord", "AnyAccount")

_FIX: Final = (
    "Fix the line, or move the file away and add your accounts again: rove --add-source KIND"
)
_HEAD: Final = "# Your accounts. Logins are stored elsewhere.\n\n"


@frozen(kw_only=True)
class AccountRecord:
    """The stored record of an account.

    Attributes:
        name: How people name it (``jira``, ``jira:work``).
        kind: The kind of source it is an account of.
        base_url: Where the vendor answers.
        hosts: Where its items live.
        login: The way by which its user logged in.
        identity: Who it is, as last seen.
        settings: What was set when it was added.
        distribution: The distribution that brought its kind when it was added: no other one gets
            its login. Empty in files of an older Rove, until the account is used again.
    """

    name: str = field(converter=account_name)
    kind: str
    base_url: str = ""
    hosts: tuple[str, ...] = ()
    login: str = ""
    identity: Identity | None = None
    settings: Mapping[str, JSON] = field(factory=dict)
    distribution: str = ""


_Records: TypeAlias = Mapping[str, AccountRecord]


@frozen
class AccountStore:
    """The file of a user's accounts.

    Attributes:
        folder: The user's data directory.
    """

    folder: pathlib.Path

    @property
    def path(self) -> pathlib.Path:
        """The file."""
        return self.folder / "accounts.toml"

    def accounts(self) -> tuple[AccountRecord, ...]:
        """Return all accounts, in the order in which they were added.

        Raises:
            WrongSetting: The file is damaged.
        """
        return tuple(self._read().values())

    def add(self, record: AccountRecord) -> None:
        """Remember a new account.

        Raises:
            WrongCall: Its name is taken, or cannot be told from another's in the environment.
        """

        def added(records: _Records) -> _Records:
            _refuse_clash(record.name, records)
            return {**records, record.name: record}

        self._change(added)

    def update(self, record: AccountRecord) -> None:
        """Replace the record of an account; raise UnknownAccount if there is none."""

        def updated(records: _Records) -> _Records:
            _find_record(record.name, records)
            return {**records, record.name: record}

        self._change(updated)

    def rename(self, name: str, new: str) -> None:
        """Rename an account; its position stays.

        Raises:
            UnknownAccount: There is none of this name.
            WrongCall: The new name is taken, or cannot be told from another's in the environment.
        """
        self._change(lambda records: _with_new_name(records, name, new))

    def check_rename(self, name: str, new: str) -> None:
        """Raise what :meth:`rename` would raise, and change nothing."""
        _with_new_name(self._read(), name, new)

    def remove(self, name: str) -> None:
        """Forget an account; raise UnknownAccount if there is none."""

        def rest(records: _Records) -> _Records:
            gone = _find_record(name, records)
            return {key: record for key, record in records.items() if record is not gone}

        self._change(rest)

    def _change(self, change: Callable[[_Records], _Records]) -> None:
        from rove_core.project.toml.writer import toml_document  # noqa: PLC0415  # most only read

        private_folder(self.folder)
        with FileLock(self.folder / "accounts.lock"):
            records = change(self._read())
            tables = {name: _table(record) for name, record in records.items()}
            text = _HEAD + toml_document({"accounts": tables})
            write_atomic(self.path, text.encode())

    def _read(self) -> _Records:
        shown = str(self.path)
        if (data := read_bytes(self.path, shown=shown)) is None:
            return {}
        return _records(parse_toml(data, shown=shown, hint=_FIX))


def kind_owners(folder: pathlib.Path) -> Mapping[str, str]:
    """Return the distribution that made the user's accounts of each kind.

    Args:
        folder: The user's data directory. What cannot be read there owns nothing: whoever
            connects an account says what is wrong with the file.
    """
    try:
        records = AccountStore(folder).accounts()
    except RoveError:
        return {}
    return {each.kind: each.distribution for each in records[::-1] if each.distribution}


def resolve_account(text: str, in_use: Sequence[Named]) -> Named:
    """Return the account that a person means.

    Args:
        text: An account's name, or a kind of source when only one account of it is in use.
        in_use: The accounts that may be meant.

    Raises:
        UnknownAccount: It is none of them, or could be several.
    """
    query = text.lower()
    named = [record for record in in_use if record.name == query]
    meant = named or [record for record in in_use if record.kind == query]
    if len(meant) == 1:
        return meant[0]
    if meant:
        names = " or ".join(record.name for record in meant)
        raise UnknownAccount(f"{text!r} matches several accounts", hint=f"Choose one: {names}")
    raise _unknown(text, [record.name for record in in_use])


def _unknown(name: str, names: Iterable[str]) -> UnknownAccount:
    return UnknownAccount(f"there is no account {name!r}; there are: {', '.join(names) or 'none'}")


def _find_record(name: str, records: _Records) -> AccountRecord:
    if record := records.get(name.lower()):
        return record
    raise _unknown(name, records)


def _with_new_name(records: _Records, name: str, new: str) -> _Records:
    existing = _find_record(name, records)
    changed = attrs.evolve(existing, name=new)
    others = [record.name for record in records.values() if record is not existing]
    _refuse_clash(changed.name, others if changed.name != existing.name else records)
    every = (changed if record is existing else record for record in records.values())
    return {record.name: record for record in every}


def _refuse_clash(name: str, names: Iterable[str]) -> None:
    for other in names:
        if other == name:
            raise WrongCall(
                f"there is an account {name!r} already",
                hint=f"Give the new one a different name, like {name.partition(':')[0]}:work.",
            )
        if account_variable(other) == account_variable(name):
            raise WrongCall(
                f"{name!r} and {other!r} would share the variable {account_variable(name)}_*",
                hint="Choose a name that differs by more than dashes and the colon.",
            )


def _table(record: AccountRecord) -> Mapping[str, JSON]:
    # The end of a login is kept with the login: a new login has another one.
    identity = record.identity and attrs.evolve(record.identity, login_ends_at=None)
    table = attrs.asdict(attrs.evolve(record, identity=identity))
    return {name: value for name, value in table.items() if name != "name" and value}


def _records(file: TomlFile) -> _Records:
    tables = file.table.get("accounts", {})
    if not isinstance(tables, Mapping):
        raise _damage_error(file, ("accounts",))
    records = [
        _built(AccountRecord, file, ("accounts", name), table, name=name)
        for name, table in tables.items()
    ]
    return {record.name: record for record in records}


def _built(
    cls: type[Record], file: TomlFile, path: "Path", table: object, **known: object
) -> Record:
    types = get_type_hints(cls)
    if not isinstance(table, Mapping):
        raise _damage_error(file, path)
    values = dict(known)
    for key, value in table.items():
        if key not in types or key in known:
            raise _damage_error(file, (*path, key))
        values[key] = _value(types[key], file, (*path, key), value)
    try:
        return cls(**values)
    except (TypeError, WrongCall) as error:
        raise _damage_error(file, path) from error


def _value(annotation: object, file: TomlFile, path: "Path", value: object) -> object:
    if Identity in get_args(annotation):
        return _built(Identity, file, path, value)
    try:
        return (
            _json(value)
            if get_origin(annotation) is Mapping
            else typed(bare_type(annotation), value)
        )
    except (TypeError, ValueError) as error:
        raise _damage_error(file, path) from error


def _json(table: object) -> object:
    """Return a table if it can be written again: a date cannot."""
    if not isinstance(table, Mapping):
        raise TypeError("not a table")
    from rove_core.project.toml.writer import toml_value  # noqa: PLC0415  # few have settings

    toml_value(table)
    return table


def _damage_error(file: TomlFile, path: "Path") -> WrongSetting:
    return WrongSetting(
        f"{file.place(path)}: {'.'.join(map(str, path))} is not in Rove's format",
        hint=_FIX,
    )
