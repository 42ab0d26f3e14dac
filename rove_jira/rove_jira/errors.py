"""Errors in Jira's replies, with its message and the next step."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

from rove_core import (
    Account,
    ItemNotFound,
    LoginRefused,
    MalformedReply,
    RateLimited,
    Reply,
    RoveError,
    ScopeMissing,
    WrongCall,
    status_fault,
)
from rove_core.json_reader import elements, text, value_at
from rove_jira.settings import DATA_CENTER, SCOPES, TOKEN, WRITE_SCOPE, JiraSettings

_MOST_WORDS: Final = 300
#: What Jira says of a login that failed, where anybody may ask.
_FAILED: Final = ("AUTHENTICATED_FAILED", "AUTHENTICATION_DENIED")
_CAPTCHA: Final = ("AUTHENTICATION_DENIED", "CAPTCHA")


def fault(account: Account[JiraSettings], reply: Reply) -> RoveError | None:  # noqa: PLR0911  # one for each way
    """Return the error in a reply, or None.

    Args:
        account: Whose request it was.
        reply: Any reply.
    """
    plain = status_fault(reply)
    if plain is None and _is_anonymous(reply):
        return _refusal(account, reply, "")
    if plain is None or reply.status >= 500:
        return plain
    message = _message_of(reply)
    if isinstance(plain, RateLimited):
        why = reply.headers.get("ratelimit-reason", "") or message
        return RateLimited(f"Jira asks to wait{_because(why)}")
    if _wants_captcha(reply):
        return _captcha(account)
    match reply.status:
        case 400:
            return WrongCall(
                f"Jira does not take the request to {reply.where}{_because(message)}",
                hint="Report it to the author of rove-jira, with these words.",
            )
        case 401 if "scope" not in message:
            return _refusal(account, reply, message)
        case 401 | 403:
            return _scope(account, message)
        case 404:
            return ItemNotFound(f"{reply.where}: not found, or not visible to {who(account)}")
        case 410:
            return MalformedReply(
                f"Jira no longer has {reply.where}{_because(message)}",
                hint="Take a newer rove-jira: pip install --upgrade rove-jira",
            )
    return plain


def change_fault(account: Account[JiraSettings], reply: Reply) -> RoveError | None:
    """Return the error in the reply to a change, or None."""
    found = fault(account, reply)
    message = _message_of(reply) if found else ""
    if isinstance(found, ScopeMissing):
        person = "the person needs the right to edit issues in the project"
        scope = f"a token with scopes needs {WRITE_SCOPE}, and "
        return ScopeMissing(
            f"Jira does not allow this change{_because(message)}",
            hint=f"For that {'' if _is_server(account) else scope}{person}.",
        )
    if isinstance(found, WrongCall):
        return WrongCall(f"Jira refused the change{_because(message)}")
    return found


def who(account: Account[JiraSettings]) -> str:
    """Return the name of the account's user, if known."""
    return account.identity.name if account.identity else "this account"


def _refusal(account: Account[JiraSettings], reply: Reply, message: str) -> RoveError:
    why = message or reply.headers.get("x-seraph-loginreason", "")
    advice = f"Look for a typo in the e-mail, or make a new token at {TOKEN.url}, then: "
    if _is_server(account):
        advice = "Make a new token in your Jira under Profile, Personal Access Tokens, then: "
    return LoginRefused(
        f"{reply.where}: Jira rejected the login{_because(why)}",
        hint=f"{advice}rove --add-source jira{_named_user(account)}",
    )


def _captcha(account: Account[JiraSettings]) -> RoveError:
    return LoginRefused(
        "Jira wants a person to log in after too many wrong logins",
        hint=f"Log in once at https://{urlsplit(account.base_url).netloc}/login.jsp, then: "
        f"rove --add-source jira{_named_user(account)}",
    )


def _scope(account: Account[JiraSettings], message: str) -> RoveError:
    advice = "Ask an administrator of your Jira to let you see it"
    if not _is_server(account):
        scopes = " and ".join(SCOPES)
        advice += f"; a token with scopes needs {scopes}: make one at {TOKEN.url}"
    return ScopeMissing(
        f"the login lacks permission for this{_because(message)}",
        hint=f"{advice}, then: rove --add-source jira{_named_user(account)}",
    )


def _is_server(account: Account[JiraSettings]) -> bool:
    return account.identity is not None and account.identity.workspace == DATA_CENTER


def _named_user(account: Account[JiraSettings]) -> str:
    return "" if account.name == account.kind else f" --account {account.name}"


def _wants_captcha(reply: Reply) -> bool:
    reasons = ("x-seraph-loginreason", "x-authentication-denied-reason")
    header_text = " ".join(reply.headers.get(name, "") for name in reasons)
    return reply.status in {401, 403} and any(sign in header_text for sign in _CAPTCHA)


def _is_anonymous(reply: Reply) -> bool:
    """Return whether Jira answered as to anybody, because the login failed."""
    reason = reply.headers.get("x-seraph-loginreason", "")
    return any(each in reason for each in _FAILED)


def _because(why: str) -> str:
    return f": {why}" if why else ""


def _message_of(reply: Reply) -> str:
    """Return the message of an error, in any of Atlassian's formats."""
    try:
        body = reply.json()
    except MalformedReply:
        return ""
    fields = value_at(body, "errors")
    messages = [text(message) for message in elements(body, "errorMessages")]
    if isinstance(fields, Mapping):
        messages += [f"{name}: {text(why)}" for name, why in fields.items()]
    messages.append(text(body, "message"))
    return " ".join(" ".join(filter(None, messages)).split())[:_MOST_WORDS]
