"""From what is remembered of an account to an account that can be called."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager

from attrs import define, field

from rove_core.account_book import AccountRecord
from rove_core.account_names import account_variable
from rove_core.accounts import Accounts
from rove_core.credentials import CredentialStore, choose_store, environment_answers
from rove_core.errors import NotLoggedIn, UnknownAccount
from rove_core.http import Http
from rove_core.items import Account, AnyAccount
from rove_core.local_project import LocalProject
from rove_core.login import Credential, LoginWay
from rove_core.prepared_login import PreparedLogin
from rove_core.sources import AnySourceKind


def account_in_use(name: str, project: LocalProject) -> AnyAccount:
    """Return an account that a project may use.

    A source that needs no login is there as soon as a project uses it.

    Raises:
        UnknownAccount: This machine does not know it.
    """
    records = {record.name: record for record in project.book.accounts()}
    if name in records:
        return account_of(records[name], project)
    if (kind := project.plugins.kinds.get(name)) and not kind.logins:
        return account_of(AccountRecord(name=name, kind=name), project)
    raise UnknownAccount(f"unknown here; add it with: rove --add-source {name}", account=name)


def account_of(record: AccountRecord, project: LocalProject) -> AnyAccount:
    """Return an account with all its settings; one that needs no login is of this project."""
    kind = project.plugins.kind(record.kind)
    here = "" if kind.logins else project.places.root.as_uri()
    return Account(
        name=record.name,
        kind=record.kind,
        settings=project.settings.account_settings(
            record.name, record.kind, kind.settings, given=record.settings
        ),
        base_url=record.base_url or kind.base_url or here,
        hosts=record.hosts,
        identity=record.identity,
    )


def is_answered(account: str, way: LoginWay, environ: Mapping[str, str]) -> bool:
    """Tell whether the environment answers all that a way of logging in asks."""
    return bool(way.fields) and len(environment_answers(account, way, environ)) == len(way.fields)


async def user_store(project: LocalProject) -> CredentialStore:
    """Return where the user's logins are kept, as the settings say."""
    wanted = project.settings.credentials
    return await choose_store(
        wanted.backend,
        data_dir=project.places.data_dir,
        location=wanted.location,
        project=project.places.root,
        clock=project.clock,
    )


@define(eq=False)
class Logins:
    """The credentials of a project's accounts: from the environment, else from the store.

    Attributes:
        accounts: What can log in.
        choose_store: Gives the store; it is asked when a login is first needed.
        environ: The variables of the process.
    """

    accounts: Accounts
    choose_store: Callable[[], Awaitable[CredentialStore]]
    environ: Mapping[str, str] = field(factory=lambda: os.environ)
    _store: CredentialStore | None = field(default=None, init=False)
    _known: dict[str, Credential] = field(factory=dict, init=False)
    _turns: dict[str, asyncio.Lock] = field(factory=dict, init=False)

    async def credential(self, account: str, kind: AnySourceKind, http: Http) -> Credential | None:
        """Return what lets an account in; None for a source that needs no login."""
        if not kind.logins:
            return None
        async with self._turns.setdefault(account, asyncio.Lock()):
            if account not in self._known:
                self._known[account] = await self._found(account, kind, http)
            return self._known[account]

    @asynccontextmanager
    async def trying(self, account: str, credential: Credential) -> AsyncIterator[None]:
        """Use a new credential inside; store it at the end, or go back if anything goes wrong."""
        before = self._known.get(account)
        self._known[account] = credential
        try:
            yield
            await (await self._chosen()).set(account, credential)
        except BaseException:
            if before is None:
                del self._known[account]
            else:
                self._known[account] = before
            raise

    async def keeps(self, account: str, kind: AnySourceKind) -> bool:
        """Tell whether the login of an account is in the store, and none in the environment."""
        if not kind.logins or any(is_answered(account, way, self.environ) for way in kind.logins):
            return False
        return await (await self._chosen()).get(account) is not None

    async def forget(self, account: str) -> None:
        """Forget the login of an account, if there is one."""
        self._known.pop(account, None)
        await (await self._chosen()).delete(account)

    async def _chosen(self) -> CredentialStore:
        if self._store is None:
            self._store = await self.choose_store()
        return self._store

    async def _found(self, account: str, kind: AnySourceKind, http: Http) -> Credential:
        hint = f"Log in with: rove --add-source {kind.name}"
        for way in kind.logins:
            if is_answered(account, way, self.environ):
                answers = environment_answers(account, way, self.environ)
                otherwise = f"Unset {account_variable(account)}_*, or: {hint}"
                login = PreparedLogin(way.name, answers, http, otherwise=otherwise)
                return await self.accounts.authenticate(account, login)
        if credential := await (await self._chosen()).get(account):
            return credential
        raise NotLoggedIn(
            f"there is no login for {account}",
            hint=hint,
            account=account,
        )
