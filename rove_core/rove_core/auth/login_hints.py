"""The next step after a refused login: where to create tokens, which address is wrong."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from shlex import quote
from typing import Final

from rove_core.auth.account_names import add_command
from rove_core.auth.credentials import field_variable
from rove_core.auth.credentials.environment import is_answered
from rove_core.errors import (
    ItemNotFound,
    LoginNeeded,
    LoginRefused,
    MalformedReply,
    ScopeMissing,
    WrongSetting,
)
from rove_core.items import AnyAccount
from rove_core.login import LoginWay
from rove_core.sources import AnySourceKind

#: The letters that are called by a word that begins with a vowel, as in MCP.
_SPELT_WITH_A_VOWEL: Final = "AEFHILMNORSX"


@contextmanager
def login_advice(account: AnyAccount, kind: AnySourceKind, way: str = "") -> Iterator[None]:
    """Add the token page to login errors raised inside.

    Args:
        account: Whose login it is.
        kind: Its kind.
        way: The way by which its user logs in; the first one unless given.
    """
    try:
        yield
    except (LoginRefused, ScopeMissing) as error:
        if kind.logins:
            ways = {each.name: each for each in kind.logins}
            error.hint = _with(error, account, kind, ways.get(way, kind.logins[0]))
        raise


@contextmanager
def vendor_advice(account: AnyAccount, kind: AnySourceKind) -> Iterator[None]:
    """Explain identity errors inside that suggest a wrong address.

    Raises:
        WrongSetting: There is no such question there, or the answer is none.
    """
    try:
        yield
    except (MalformedReply, ItemNotFound) as error:
        if account.base_url in {"", kind.base_url}:
            raise
        vowels = _SPELT_WITH_A_VOWEL if kind.title.isupper() else "AEIOU"
        a = "an" if kind.title[:1] in vowels else "a"
        raise WrongSetting(
            f"{account.base_url} does not look like {a} {kind.title} site: {error.message}",
            hint=f"Check the address: {add_command(account.name, account.kind)} --base-url https://YOURS",
            account=account.name,
        ) from error


def _with(error: LoginNeeded, account: AnyAccount, kind: AnySourceKind, way: LoginWay) -> str:
    """Return the source's own hint, if it has one, and what helps with any source."""
    own = "" if error.hint == error.advice else f"{error.hint.rstrip('.')}. "
    page = way.page(account.base_url)
    if (page and page in own) or "rove --add-source" in own:
        return error.hint
    if way.person:
        again = f"{_again(account, kind)} --way {way.name}"
        return f"{own}Log in again with: {again}"
    new = f"Make a new one at {page}" if page else "Make a new one"
    return f"{own}{new}, {_next(account, kind, way)}"


def _next(account: AnyAccount, kind: AnySourceKind, way: LoginWay) -> str:
    if not is_answered(account.name, way, os.environ):
        return f"then: {_again(account, kind)}"
    names = [field_variable(account.name, field) for field in way.fields if field.secret]
    return f"and set {' and '.join(names)}, which overrides any stored login."


def _again(account: AnyAccount, kind: AnySourceKind) -> str:
    """Return the command that logs in once more, at the same address."""
    command = add_command(account.name, account.kind)
    is_usual = account.base_url in {"", kind.base_url}
    return command if is_usual else f"{command} --base-url {quote(account.base_url)}"
