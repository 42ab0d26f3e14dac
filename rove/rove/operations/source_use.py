"""Choose which of the user's accounts a project uses."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove.known_accounts import project_accounts
from rove_core.auth.account_names import add_command
from rove_core.auth.accounts import AccountRecord, resolve_account
from rove_core.errors import UnknownAccount
from rove_core.operations import Operation
from rove_core.project.settings import ignored_notes, load_settings, set_setting, use_accounts
from rove_core.terminal.tables import sentences

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


@frozen(kw_only=True)
class AccountsInUse:
    """The accounts that a project uses.

    Attributes:
        use: Their names.
        notes: What else in the settings file does not count.
    """

    use: tuple[str, ...]
    notes: tuple[str, ...] = ()


async def sources_use(
    rove: "LocalProject", *, accounts: Annotated[tuple[str, ...], "Accounts of yours, or kinds."]
) -> AccountsInUse:
    """Use accounts of yours in this project; you stay logged in."""
    names = [_account(rove, text).name for text in accounts]
    notes = ignored_notes(rove.places, use_accounts(rove.places, names))
    use = dict.fromkeys([*load_settings(rove.places).sources.use, *names])
    return AccountsInUse(use=tuple(use), notes=notes)


async def sources_unuse(
    rove: "LocalProject", *, accounts: Annotated[tuple[str, ...], "Accounts used here."]
) -> AccountsInUse:
    """Stop using accounts in this project; you stay logged in, and documents stay."""
    used = tuple(each for each in project_accounts(rove) if each.name in rove.settings.sources.use)
    names = {resolve_account(text, used).name for text in accounts}
    return _set(rove, [name for name in rove.settings.sources.use if name not in names])


def _account(rove: "LocalProject", text: str) -> AccountRecord:
    """Return the account that a person means; a source without a login needs no record."""
    kind = rove.plugins.kinds.get(text.lower())
    if kind and not kind.logins:
        return AccountRecord(name=kind.name, kind=kind.name)
    records = rove.book.accounts()
    if not records:
        raise UnknownAccount(
            f"you have no account {text!r}",
            hint=f"Connect one with: {add_command(text.lower(), text.lower().partition(':')[0])}",
        )
    return resolve_account(text, records)


def _set(rove: "LocalProject", names: Iterable[str]) -> AccountsInUse:
    use = list(names)
    notes = () if use == list(rove.settings.sources.use) else _write_use(rove, use)
    return AccountsInUse(use=tuple(use), notes=notes)


def _write_use(rove: "LocalProject", use: list[str]) -> tuple[str, ...]:
    return ignored_notes(rove.places, set_setting(rove.places, "sources.use", [*use]))


def _show(result: AccountsInUse) -> str:
    names = ", ".join(result.use) or "no account"
    later = " once you trust its settings" if result.notes else ""
    return sentences([f"this project uses {names}{later}", *result.notes])


USE = Operation(
    sources_use,
    command="sources use",
    changes=True,
    terminal_only=True,
    project="closed",
    show=_show,
)
UNUSE = Operation(
    sources_unuse,
    command="sources unuse",
    changes=True,
    terminal_only=True,
    project="closed",
    show=_show,
)
