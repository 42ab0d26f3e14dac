"""Check the accounts: reachability, login, expiry and permissions."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import field, frozen

from rove.doctor.findings import Finding, failed, ok, problem, warning
from rove.doctor.reach import reach
from rove.doctor.subject import Subject
from rove.known_accounts import project_accounts
from rove_core.auth.account_names import add_command
from rove_core.auth.accounts import AccountRecord
from rove_core.auth.connections import account_of
from rove_core.auth.credentials import CredentialStore, MemoryStore
from rove_core.auth.login_hints import login_advice, vendor_advice
from rove_core.auth.login_ledger import TELL_BEFORE, LoginLedger, expiry_text
from rove_core.auth.login_states import decided_store
from rove_core.auth.logins import Logins
from rove_core.errors import RoveError
from rove_core.http import Caps, Http
from rove_core.items import AnyAccount, Identity
from rove_core.login import Credential
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.hook_checks import make_source
from rove_core.plugins.loader import Plugins, use_plugins
from rove_core.project.local import LocalProject
from rove_core.sources import AnySourceKind

_SECONDS: Final = 20.0
_CAPS: Final = Caps(attempts=1, deadline=10.0)
#: Seconds by which clocks may differ before logins suffer.
_APART: Final = 60.0
_FAR_APART: Final = 300.0
_MOST_READS: Final = 5


async def check_accounts(subject: Subject) -> Iterable[Finding]:
    """Return the state of all accounts, checked concurrently."""
    if subject.plugins is None:
        return (warning("accounts", "skipped: the plugins are not loaded, see above"),)
    project = subject.prepared()
    records = project_accounts(project)
    if not records:
        return (ok("accounts", "none yet"),)
    checks = (_check_account(subject, project, record, subject.plugins) for record in records)
    return await asyncio.gather(*checks)


def check_clock(subject: Subject) -> Iterator[Finding]:
    """Yield by how much this machine's clock differs from the vendors' that answered."""
    if not subject.offsets:
        yield ok("clock", "not compared: no vendor sent the time")
        return
    # Where one vendor agrees with this machine, it is another vendor's clock that is wrong.
    vendor, ahead = min(subject.offsets.items(), key=lambda each: abs(each[1]))
    found = f"{abs(ahead):.0f} s {'behind' if ahead > 0 else 'ahead of'} the clock of {vendor}"
    step = "Set the clock of this machine: vendors refuse logins when the clock is wrong."
    if abs(ahead) > _FAR_APART:
        yield problem("clock", found, step)
    elif abs(ahead) > _APART:
        yield warning("clock", found, step)
    else:
        yield ok("clock", f"within {_APART:.0f} s of the clock of {vendor}")


async def _check_account(
    subject: Subject, project: LocalProject, record: AccountRecord, plugins: Plugins
) -> Finding:
    """Check one account; whatever goes wrong does not affect the others."""
    name = f"account {record.name}"
    command = add_command(record.name, record.kind)
    try:
        kind = plugins.kind(record.kind)
        async with asyncio.timeout(_SECONDS):
            return await _AccountCheck(subject, project, record, kind).run(name)
    except TimeoutError:
        return problem(name, f"it did not answer within {_SECONDS:g} s", "Try again in a moment.")
    except RoveError as error:
        error.hint = error.hint.replace("rove --add-source KIND", command)
        return failed(name, error)
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a plugin may raise anything
        return problem(name, f"{type(error).__name__}: {error}", "Tell the plugin's author.")


@frozen
class _AccountCheck:
    subject: Subject
    project: LocalProject
    record: AccountRecord
    kind: AnySourceKind
    notes: list[str] = field(factory=list)

    async def run(self, name: str) -> Finding:
        account = account_of(self.record, self.project)
        details = await self._reach_hosts(account)
        async with AsyncExitStack() as stack:
            credential, identity = await self._authenticate(account, stack)
        details += [f"you are {identity.name}"] if identity else []
        reads = identity.reads if identity else ()
        details += [f"you can read {_first_few(reads)}"] if reads else []
        if credential and credential.scopes:
            details.append(f"the login allows {' '.join(credential.scopes)}")
        details += self.notes
        end = _end_of_login(credential, identity)
        if end is None:
            return ok(name, "; ".join(details) or "ready")
        now = self.subject.clock.now()
        details.append(f"the login {expiry_text(end, now)}")
        if end - TELL_BEFORE <= now:
            command = add_command(self.record.name, self.record.kind)
            return warning(name, "; ".join(details), f"Log in again before then: {command}")
        return ok(name, "; ".join(details))

    async def _reach_hosts(self, account: AnyAccount) -> list[str]:
        if urlsplit(account.base_url).scheme not in {"http", "https"}:
            return []
        reached = await reach(account.name, account.base_url, clock=self.subject.clock)
        if reached.ahead is not None:
            self.subject.offsets[reached.host] = reached.ahead
        return [reached.message]

    async def _authenticate(
        self, account: AnyAccount, stack: AsyncExitStack
    ) -> tuple[Credential | None, Identity | None]:
        """Return the login and its identity; both None where neither is needed."""
        accounts = Accounts(use_plugins(()).manager)
        logins = await self._logins(accounts)

        def http(**options: Any) -> Http:  # noqa: ANN401  # as Http takes them
            made = Http(
                account=account.name,
                base_url=account.base_url,
                hosts=account.hosts,
                clock=self.subject.clock,
                caps=_CAPS,
                **options,
            )
            stack.push_async_callback(made.aclose)
            return made

        async def credential() -> Credential | None:
            return await logins.credential(account, self.kind, lambda: http(elsewhere=True))

        refused = partial(logins.after_refusal, account)
        source = make_source(self.kind, account, http(credential=credential, after_refusal=refused))
        # Callbacks run in reverse: the logins close before the connections that renewals use.
        stack.push_async_callback(logins.aclose)
        accounts.connect(account.name, source)
        with (
            login_advice(account, self.kind, self.record.login),
            vendor_advice(account, self.kind),
        ):
            login = await credential()
            if login:
                self.subject.secrets.append(login)
            asks = accounts.can(account.name, "rove_identity")
            return login, await accounts.identity(account.name) if asks else None

    async def _logins(self, accounts: Accounts) -> Logins:
        store = await decided_store(self.project) or MemoryStore()

        async def choose() -> CredentialStore:
            return store

        return Logins(
            accounts=accounts,
            choose_store=choose,
            ask=accounts.refresh,
            ledger=LoginLedger(self.project.places.data_dir),
            clock=self.subject.clock,
            notify=lambda _, note: self.notes.append(note),
            environ=self.subject.environ,
        )


def _end_of_login(credential: Credential | None, identity: Identity | None) -> datetime | None:
    """Return when a login ends: as it says itself, or as its vendor says with its replies."""
    if credential is None or credential.lasts_until or credential.refresh:
        return credential.lasts_until if credential else None
    return identity.login_ends_at if identity else None


def _first_few(reads: Sequence[str]) -> str:
    more = len(reads) - _MOST_READS
    rest = [f"{more} more"] if more > 0 else []
    return ", ".join([*reads[:_MOST_READS], *rest])
