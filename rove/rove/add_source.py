"""``rove sources add``: connect a source, log in, and see who one is there."""

import os
import sys
import tomllib
from collections.abc import Mapping
from functools import partial

import attrs
import click

from rove.terminal_login import TerminalLogin
from rove_core.account_book import AccountRecord
from rove_core.connections import account_of
from rove_core.credentials import account_variable, environment_answers
from rove_core.errors import WrongCall
from rove_core.http import Http
from rove_core.items import JSON, Identity
from rove_core.login import Login, LoginWay
from rove_core.project import Project, open_project, run
from rove_core.secret import Secret
from rove_core.settings import set_setting


@click.command("add")
@click.argument("kind")
@click.option("--account", help="What to call it, when you have several of a kind (jira:work).")
@click.option("--base-url", help="Where it answers (https://acme.atlassian.net).")
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Set one of its settings.")
@click.option("--email", help="The e-mail to log in with, where one is asked for.")
@click.option("--token-stdin", is_flag=True, help="Read the token from standard input.")
def command(  # noqa: PLR0913  # one for each option
    *,
    kind: str,
    account: str | None,
    base_url: str | None,
    pairs: tuple[str, ...],
    email: str | None,
    token_stdin: bool,
) -> None:
    """Connect a source and log in to it."""
    wanted = AccountRecord(
        name=account or kind,
        kind=kind.lower(),
        base_url=(base_url or "").rstrip("/"),
        settings=dict(map(_pair, pairs)),
    )
    given = {"email": Secret(email)} if email else {}
    if token_stdin:
        given["token"] = Secret(sys.stdin.readline().strip())
    identity = run(_add(wanted, given))
    click.echo(f"{wanted.name}: {f'you are {identity.name}' if identity else 'connected'}")
    for line in identity.reads if identity else ():
        click.echo(f"  can read {line}")


async def _add(wanted: AccountRecord, given: Mapping[str, Secret]) -> Identity | None:
    """Log in to an account and remember it, for the user and for this project."""
    async with open_project(accounts=()) as project:
        kind = project.plugins.kind(wanted.kind)
        record = _with_what_is_known(project, wanted)
        account = account_of(record, project)
        if not kind.logins:
            await project.connect(account)
            _remember(project, record)
            return None
        if not account.base_url:
            raise WrongCall(
                f"where does this {kind.title} answer?",
                hint=f"Say it: rove --add-source {kind.name} --base-url https://YOURS",
            )
        way = kind.logins[0]
        known = await project.log_in(account, partial(_login, record, way, given))
        _remember(
            project,
            attrs.evolve(record, hosts=known.hosts, identity=known.identity, login=way.name),
        )
        return known.identity


def _with_what_is_known(project: Project, wanted: AccountRecord) -> AccountRecord:
    """Return an account that is there already, changed as wanted; else the wanted one."""
    records = {record.name: record for record in project.book.accounts()}
    known = records.get(wanted.name)
    if known is None:
        return wanted
    if known.kind != wanted.kind:
        raise WrongCall(
            f"{known.name} is an account of {known.kind} already",
            hint="Give the new one another name with: --account NAME",
        )
    return attrs.evolve(
        known,
        base_url=wanted.base_url or known.base_url,
        settings={**known.settings, **wanted.settings},
    )


def _login(record: AccountRecord, way: LoginWay, given: Mapping[str, Secret], http: Http) -> Login:
    """Return the way to the person: the environment and what was given come first."""
    held = environment_answers(record.name, way, os.environ) or {}
    missing = [field for field in way.fields if field.name not in {**held, **given}]
    if missing and way.url:
        click.echo(f"{way.title}: {way.url}", err=True)
    names = ", ".join(f"{account_variable(record.name)}_{each.name.upper()}" for each in missing)
    return TerminalLogin(
        way=way.name,
        given={**held, **given},
        otherwise=f"Give it with --email and --token-stdin, or set {names}.",
        http=http,
    )


def _remember(project: Project, record: AccountRecord) -> None:
    if record.name in [each.name for each in project.book.accounts()]:
        project.book.update(record)
    else:
        project.book.add(record)
    used = project.settings.sources.use
    if record.name not in used:
        for note in set_setting(project.places, "sources.use", [*used, record.name]):
            click.echo(f"rove: {note}", err=True)


def _pair(text: str) -> tuple[str, JSON]:
    """Return a setting and its value; a number or a list is written as in TOML."""
    key, equals, value = text.partition("=")
    if not equals:
        raise WrongCall(f"--set {text}: write KEY=VALUE")
    return key.strip(), _value(value.strip())


def _value(text: str) -> JSON:

    try:
        value: JSON = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return value
