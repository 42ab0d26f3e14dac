"""Connect a stored account, so that its hooks can be called."""

from contextlib import suppress

import attrs

from rove_core.auth.account_names import add_command
from rove_core.auth.accounts import AccountRecord
from rove_core.errors import RoveError, UnknownAccount
from rove_core.items import Account, AnyAccount
from rove_core.plugins.calls import blame
from rove_core.plugins.hook_checks import check_settings
from rove_core.plugins.watchdog import step
from rove_core.project.identity import project_remotes
from rove_core.project.local import LocalProject


def account_in_use(name: str, project: LocalProject) -> AnyAccount:
    """Return an account that a project may use.

    A source that needs no login is there as soon as a project uses it.

    Raises:
        UnknownAccount: This machine does not know it.
        PluginFailed: The plugin that brings its kind is broken, or not used.
    """
    records = {record.name: record for record in project.book.accounts()}
    if name in records:
        account = account_of(records[name], project)
        _adopt(records[name], project)
        return account
    if (kind := project.plugins.kinds.get(name)) and not kind.logins:
        return account_of(AccountRecord(name=name, kind=name), project)
    if any(name in (plugin.name, *plugin.kinds) for plugin in project.plugins.broken):
        project.plugins.kind(name)  # It says what is wrong with the plugin.
    command = add_command(name, name.partition(":")[0])
    raise UnknownAccount(f"unknown; add it with: {command}", account=name)


def _adopt(record: AccountRecord, project: LocalProject) -> None:
    """Record which plugin provides the kind of an account from an older Rove."""
    owner = project.plugins.distribution_of(record.kind)
    if record.distribution or not owner:
        return
    with suppress(RoveError):  # Where nothing can be written it is tried the next time.
        project.book.update(attrs.evolve(record, distribution=owner))


def account_of(record: AccountRecord, project: LocalProject) -> AnyAccount:
    """Return an account with all its settings; one that needs no login is of this project.

    Raises:
        PluginFailed: The class of its settings does more than hold them, or lacks a default.
    """
    kind = project.plugins.kind(record.kind)
    here = "" if kind.logins else project.places.root.as_uri()
    try:
        with step(record.name, "settings"):
            check_settings(kind)
            settings = project.settings.account_settings(
                record.name, record.kind, kind.settings, given=record.settings
            )
    except (Exception, SystemExit) as error:
        raise blame(record.name, error) from error
    return Account(
        name=record.name,
        kind=record.kind,
        settings=settings,
        base_url=record.base_url or kind.base_url or here,
        hosts=record.hosts,
        identity=record.identity,
        remotes=project_remotes(project.places.root),
    )
