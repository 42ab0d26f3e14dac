"""The user's accounts, and which of them a project reads tickets from."""

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from attrs import frozen

from rove_core.auth.accounts import resolve_account
from rove_core.auth.login_states import LoginState, State
from rove_core.errors import UnknownAccount
from rove_core.operations import Operation
from rove_core.terminal.tables import columns, page, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rove_core.auth.accounts import AccountRecord
    from rove_core.project.local import LocalProject
    from rove_core.project.settings import SourcesSettings


@frozen(kw_only=True)
class AccountShown:
    """One account.

    Attributes:
        name: How people name it.
        kind: The kind of source it is an account of.
        base_url: Where the vendor answers.
        who: Who it is at the vendor, as last seen.
        in_use: Whether this project may search it.
        default: Whether tickets are read from it by default.
        login: Whether there is a login, as far as that is known here: ``logged in``, ``from
            environment``, ``expired``, ``none``, ``not needed``, ``unknown``.
        login_expires_at: When the login ends, unless Rove renews it or nobody knows.
        login_note: Why it is unknown, or when it expires, in words.
    """

    name: str
    kind: str
    base_url: str
    who: str
    in_use: bool
    default: bool
    login: State
    login_expires_at: datetime | None = None
    login_note: str = ""


@frozen(kw_only=True)
class DefaultSource:
    """The default account for tickets.

    Attributes:
        account: The account.
        notes: What else in the settings file does not count.
    """

    account: str
    notes: tuple[str, ...]


async def sources_list(rove: "LocalProject") -> tuple[AccountShown, ...]:
    """List your accounts and whether you are logged in, without asking vendors."""
    from rove.kept_logins import cached_login_states  # noqa: PLC0415  # a default needs none

    sources = rove.settings.sources
    records = rove.book.accounts()
    stored = cached_login_states(rove)
    logins = await _login_states(rove, records) if stored is None else stored
    default = _default(sources, records)
    return tuple(
        AccountShown(
            name=record.name,
            kind=record.kind,
            base_url=record.base_url,
            who=record.identity.name if record.identity else "",
            in_use=record.name in sources.use,
            default=record.name == default,
            login=logins[record.name].state,
            login_expires_at=logins[record.name].expires_at,
            login_note=logins[record.name].note(record, rove.clock.now()),
        )
        for record in records
    )


async def _login_states(
    rove: "LocalProject", records: tuple["AccountRecord", ...]
) -> "Mapping[str, LoginState]":
    """Look at the logins, and keep what can be kept."""
    from functools import partial  # noqa: PLC0415  # most lists are kept

    from rove.kept_logins import keep_login_states  # noqa: PLC0415  # the same
    from rove.manifest import kind_of  # noqa: PLC0415  # the same
    from rove_core.auth.login_states import login_states  # noqa: PLC0415  # the same

    logins = await login_states(rove, records, partial(kind_of, rove))
    keep_login_states(rove, records, logins)
    return logins


async def sources_default(
    rove: "LocalProject", *, account: Annotated[str, "An account, or its kind."]
) -> DefaultSource:
    """Set where tickets are read by default."""
    from rove_core.project.settings import ignored_notes, set_setting  # noqa: PLC0415  # a list changes none

    chosen = resolve_account(account, _records(rove))
    ignored = set_setting(rove.places, "sources.default_ticket_source", chosen.name)
    return DefaultSource(account=chosen.name, notes=ignored_notes(rove.places, ignored))


def _default(sources: "SourcesSettings", records: "Iterable[AccountRecord]") -> str:
    """Return the account that tickets are read from by default: named, or alone of its kind."""
    default = sources.default_ticket_source
    used = [each for each in records if each.name in sources.use]
    of_kind = [each.name for each in used if each.kind == default]
    named = [each.name for each in used if each.name == default]
    return (named or (of_kind if len(of_kind) == 1 else [""]))[0]


def _records(rove: "LocalProject") -> tuple["AccountRecord", ...]:
    records = rove.book.accounts()
    if not records:
        raise UnknownAccount("no account is connected yet", hint="Connect: rove --add-source KIND")
    used = tuple(record for record in records if record.name in rove.settings.sources.use)
    return used or records


def _show_accounts(accounts: tuple[AccountShown, ...]) -> str:
    rows = (
        (each.name, each.who or each.base_url, _login(each), _state_text(each)) for each in accounts
    )
    lines = columns(rows, shrink=(1, 2), drop=(1,))
    return page(lines) or "no account is connected yet; connect one: rove --add-source KIND"


def _login(account: AccountShown) -> str:
    match account.login:
        case "none":
            return "no login"
        case "unknown":
            return f"login unknown: {account.login_note}"
        case "logged in" | "expired" if account.login_expires_at:
            return f"login {account.login_note}"
        case "not needed":
            return ""
    return account.login


def _state_text(account: AccountShown) -> str:
    if not account.in_use:
        return "not in use here"
    return "default" if account.default else ""


LIST = Operation(
    sources_list, toolset="sources", command="sources list", project="closed", show=_show_accounts
)
DEFAULT = Operation(
    sources_default,
    command="sources default",
    terminal_only=True,
    changes=True,
    offline=True,
    show=lambda default: sentences([f"tickets are read from {default.account}", *default.notes]),
)
