"""``rove sources add``: connect a source, log in, and show whose account it is."""

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from functools import partial
from typing import Final

import attrs
import click

from rove.browser import open_page
from rove.metavars import complete
from rove.operations.source_test import AccountTest, connection_message, identity_of
from rove.reports import printable
from rove.streams import print_sentence
from rove.terminal_login import TerminalLogin, ask, choose
from rove_core.auth.accounts import AccountRecord
from rove_core.auth.connections import account_of
from rove_core.auth.credentials import environment_answers, field_variable
from rove_core.auth.login_hints import login_advice, vendor_advice
from rove_core.errors import NotLoggedIn, RoveError, WrongCall
from rove_core.http import Http
from rove_core.http.addresses import parse_address
from rove_core.items import AnyAccount, Query
from rove_core.login import LoginWay
from rove_core.plugins.hook_checks import check_settings
from rove_core.project.opener import open_project, run
from rove_core.project.project import Project
from rove_core.project.settings import ignored_notes, load_settings, use_accounts
from rove_core.project.settings.declarations import declare
from rove_core.safety.secret import Secret
from rove_core.sources import AnySourceKind
from rove_core.wire.json_types import JSON

#: The options that answer a field of a login.
_OPTIONS: Final[Mapping[str, str]] = {"email": "--email", "token": "--token-stdin"}

#: What is searched for to see that a search works, how many items are enough, and for how long.
_WORD: Final = "test"
_ENOUGH: Final = 5
_PATIENCE: Final = 20.0
_HELP: Final = "See usage: rove sources add --help"
#: Who logs in, as an address may say it: it may say the password as well.
_LOGIN: Final = re.compile(r"(?:^|(?<=//))[^/?#]*@")


@click.command("add")
@click.argument("kind", shell_complete=complete)
@click.option(
    "--account",
    shell_complete=complete,
    help="A name, if you have several accounts of a kind (jira:work).",
)
@click.option("--base-url", "--url", help="The base URL (https://acme.atlassian.net).")
@click.option("--command", "program", help="The command that starts it, for a local MCP server.")
@click.option("--set", "pairs", multiple=True, metavar="KEY=VALUE", help="Set one of its settings.")
@click.option("--way", help="The way to log in, if there are several.")
@click.option("--email", help="The e-mail to log in with, where one is asked for.")
@click.option("--token-stdin", is_flag=True, help="Read the token from standard input.")
def command(  # noqa: PLR0913  # one for each option
    *,
    kind: str,
    account: str | None,
    base_url: str | None,
    program: str | None,
    pairs: tuple[str, ...],
    way: str | None,
    email: str | None,
    token_stdin: bool,
) -> None:
    """Connect a source and log in to it."""
    settings: dict[str, JSON] = {}
    if program is not None:
        settings["command"], way = _text("--command", program), way or "command"
    request = AccountRecord(
        name=kind if account is None else _text("--account", account),
        kind=kind.lower().partition(":")[0],
        base_url=_text("--base-url", base_url).rstrip("/") if base_url is not None else "",
        login=way or "",
        settings=settings,
    )
    inputs = {"email": Secret(_text("--email", email))} if email is not None else {}
    if token_stdin:
        inputs["token"] = Secret(_text("--token-stdin", sys.stdin.readline()))
    click.echo(run(_add(request, inputs, dict(map(_pair, pairs)))))


async def _add(
    request: AccountRecord, inputs: Mapping[str, Secret], pairs: Mapping[str, str]
) -> str:
    """Log in to an account, then store it for the user and this project, and describe it."""
    async with open_project(accounts=()) as project:
        if pairs:
            kind = project.plugins.kind(request.kind)
            values = {**request.settings, **_values(kind, pairs)}
            request = attrs.evolve(request, settings=values)
        if _is_bare(request, inputs) and (record := _user_account(project, request.name)):
            names = _use(project, record.name)
            return f"{record.name}: {_user_of(record)}; this project uses {', '.join(names)}"
        record = _merged_account(project, request)
        if project.plugins.kind(record.kind).logins:
            record = await _logged_in(project, record, request.login, inputs)
            account, identity = account_of(record, project), record.identity
        else:
            account = account_of(record, project)
            await project.connect(account)
            identity = await identity_of(project, account)
        _remember(project, record)
        message = connection_message(AccountTest.of(account, identity))
        return (
            f"{message}\n  {await _try_search(project, account.name)}"
            if sys.stdin.isatty()
            else message
        )


def _is_bare(request: AccountRecord, inputs: Mapping[str, Secret]) -> bool:
    """Return whether only the account's name was given."""
    return not (inputs or request.base_url or request.login or request.settings)


def _user_account(project: Project, name: str) -> AccountRecord | None:
    """Return one of the user's accounts that this project does not use yet, if they want it."""
    record = {each.name: each for each in project.book.accounts()}.get(name)
    if record is None or name in project.settings.sources.use or not sys.stdin.isatty():
        return None
    use = click.confirm(
        f"Use {name}, {_user_of(record)}, in this project too?", default=True, err=True
    )
    return record if use else None


def _user_of(record: AccountRecord) -> str:
    who = f"{record.identity.name} at " if record.identity else ""
    return printable(f"{who}{record.base_url}")


def _use(project: Project, name: str) -> list[str]:
    """Add an account to this project, and return all its accounts."""
    if name not in project.settings.sources.use:
        for note in ignored_notes(project.places, use_accounts(project.places, [name])):
            print_sentence(f"rove: {note}")
    return list(dict.fromkeys([*load_settings(project.places).sources.use, name]))


async def _logged_in(
    project: Project, record: AccountRecord, way_name: str, inputs: Mapping[str, Secret]
) -> AccountRecord:
    """Log in, and return the account with what the login revealed."""
    kind = project.plugins.kind(record.kind)
    way = _way(kind, way_name, record, inputs)
    url = record.base_url or way.base_url or _ask_url(kind)
    if url:  # Without one the vendor answers at its own address.
        _check_url(url)
    record = attrs.evolve(record, base_url=url, login=way.name)
    account = account_of(record, project)
    with login_advice(account, kind, way.name), vendor_advice(account, kind):
        full_account = await project.log_in(account, partial(_login, account, way, inputs))
    return attrs.evolve(record, hosts=full_account.hosts, identity=full_account.identity)


def _check_url(url: str) -> None:
    try:
        parse_address(url)
    except ValueError as error:
        raise WrongCall(
            f"{printable(_LOGIN.sub('', url))} is not a valid service URL",
            hint="Write it with https:// and without a login, like https://acme.atlassian.net",
        ) from error


def _merged_account(project: Project, request: AccountRecord) -> AccountRecord:
    """Return the existing account with the wanted changes, or the wanted account."""
    existing = {record.name: record for record in project.book.accounts()}.get(request.name)
    if existing is None:
        return request
    if existing.kind != request.kind:
        raise WrongCall(
            f"{existing.name} is an account of {existing.kind} already",
            hint="Give the new one another name with: --account NAME",
        )
    return attrs.evolve(
        existing,
        base_url=request.base_url or existing.base_url,
        login=request.login or existing.login,
        settings={**existing.settings, **request.settings},
    )


def _way(
    kind: AnySourceKind, way_name: str, record: AccountRecord, inputs: Mapping[str, Secret]
) -> LoginWay:
    """Return the login method: the requested one, the last used, the default, or a chosen one.

    Raises:
        NotLoggedIn: It needs a person, and there is none.
    """
    ways = {way.name: way for way in kind.logins}
    if way_name and way_name not in ways:
        raise WrongCall(
            f"{kind.title} has no login method {way_name!r}",
            hint=f"It has: {', '.join(ways)}",
        )
    here, first = sys.stdin.isatty(), kind.logins[0]
    way = ways.get(way_name or record.login)
    if way is None:
        answered = inputs or environment_answers(record.name, first, os.environ)
        default = any(each.default for each in kind.logins)
        is_open = here and not answered and len(ways) > 1 and not default
        way = _chosen_way(kind) if is_open else _way_taking(kind, inputs)
    if way.person and not here:
        others = [each.name for each in kind.logins if not each.person]
        other = f", or log in by another way: --way {' or --way '.join(others)}" if others else ""
        raise NotLoggedIn(
            f"to log in to {kind.title} by {way.name!r} needs a terminal",
            hint=f"Run it in a terminal{other}",
            account=record.name,
        )
    return way


def _way_taking(kind: AnySourceKind, inputs: Mapping[str, Secret]) -> LoginWay:
    """Return the first way to log in that asks for all that was given; else the first."""
    field_names = ({field.name for field in way.fields} for way in kind.logins)
    fitting = zip(kind.logins, field_names, strict=True)
    return next((way for way, names in fitting if names >= inputs.keys()), kind.logins[0])


def _chosen_way(kind: AnySourceKind) -> LoginWay:
    titles = {way.title: way for way in kind.logins}
    return titles[choose(f"How do you want to log in to {kind.title}?", tuple(titles))]


async def _try_search(project: Project, account: str) -> str:
    """Search the account for a common word, and report the result in one line."""
    found = 0
    query = Query(account=account, text=_WORD, limit=_ENOUGH)
    try:
        async for _ in project.accounts.search(query, deadline=_PATIENCE):
            found += 1
    except RoveError as error:
        return f'a search for "{_WORD}" failed: {printable(error.message)}'
    items = "an item" if found == 1 else f"{found} items"
    more = " or more" if found == _ENOUGH else ""
    return f'a search for "{_WORD}" works: it found {items if found else "nothing"}{more}'


def _ask_url(kind: AnySourceKind) -> str:
    """Ask where a vendor answers that answers somewhere else for everyone."""
    if kind.base_url:
        return ""
    if sys.stdin.isatty():
        return ask(f"Your {kind.title} URL (https://...)").rstrip("/")
    raise WrongCall(
        f"the URL of your {kind.title} is missing",
        hint=f"Pass it: rove --add-source {kind.name} --base-url https://YOURS",
    )


def _login(
    account: AnyAccount, way: LoginWay, inputs: Mapping[str, Secret], http: Http
) -> TerminalLogin:
    """Return the login dialog, which does not ask for what options and variables provide."""
    answers = {**environment_answers(account.name, way, os.environ), **inputs}
    missing = [field for field in way.fields if field.name not in answers]
    if missing and (page := way.page(account.base_url)):
        print_sentence(f"{way.title}: {page}")
        if not way.person:
            open_page(page)
    options = [_OPTIONS[field.name] for field in missing if field.name in _OPTIONS]
    variables = [field_variable(account.name, field) for field in missing]
    how = [f"give it with {' and '.join(options)}"] if options else []
    how += [f"set {' and '.join(variables)}"] if variables else []
    otherwise = ", or ".join(how)
    return TerminalLogin(
        way.name, answers, http, otherwise=f"{otherwise[:1].upper()}{otherwise[1:]}"
    )


def _remember(project: Project, record: AccountRecord) -> None:
    record = attrs.evolve(record, distribution=project.plugins.distribution_of(record.kind))
    if record.name in [each.name for each in project.book.accounts()]:
        project.book.update(record)
    else:
        project.book.add(record)
    _use(project, record.name)


def _pair(text: str) -> tuple[str, str]:
    """Return a setting and its value, as they are written."""
    key, equals, value = _text("--set", text).partition("=")
    if not equals:
        raise WrongCall(f"--set {text}: write KEY=VALUE", hint=_HELP)
    return key.strip(), value.strip()


def _values(kind: AnySourceKind, pairs: Mapping[str, str]) -> Mapping[str, JSON]:
    """Return the values of settings: a number or a list is written as in TOML, a text as it is."""
    check_settings(kind)
    texts = {each.path[-1] for each in declare(kind.settings, (), safe=()) if each.kind is str}
    return {key: _value(text, is_text=key in texts) for key, text in pairs.items()}


def _value(text: str, *, is_text: bool) -> JSON:
    try:
        value: JSON = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text
    return text if is_text and not isinstance(value, str) else value


def _text(option: str, value: str) -> str:
    """Return the given text; refuse it if it is empty or cannot be sent."""
    text = value.strip()
    if not text:
        raise WrongCall(f"{option}: the value is empty", hint=_HELP)
    if not text.isprintable():
        raise WrongCall(f"{option}: it contains characters that cannot be sent", hint=_HELP)
    return text
