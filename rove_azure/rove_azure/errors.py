"""Errors in Azure DevOps' replies, with its message and the next step."""

from collections.abc import Callable
from typing import Final

from rove_azure.settings import AzureSettings, token_page
from rove_core import (
    JSON,
    Account,
    Conflict,
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
from rove_core.json_reader import objects, text

#: What stands in the address of a page where people sign in.
_SIGN_IN: Final = ("_signin", "login.microsoftonline.com", ".vssps.visualstudio.com")
#: What Azure says of a request that was stopped because there were too many.
_BLOCKED: Final = "TF400733"
_EXPIRED: Final = "expired"
#: What stands in the codes of a rule that needs a value.
_REQUIRED: Final = "Required"
_MOST_WORDS: Final = 300
READING: Final = "vso.work"
WRITING: Final = "vso.work_write"


def faults_of(account: Account[AzureSettings]) -> Callable[[Reply], RoveError | None]:
    """Return the function that finds the error in replies to an account's queries."""

    def fault(reply: Reply) -> RoveError | None:
        return _fault(account, reply)

    return fault


def change_faults_of(account: Account[AzureSettings]) -> Callable[[Reply], RoveError | None]:
    """Return the function that finds the error in replies to changes.

    What is changed was read before with the same login: who may not change it may only read.
    """

    def fault(reply: Reply) -> RoveError | None:
        message = _message_of(reply)
        is_right = _EXPIRED not in message and _BLOCKED not in message
        if reply.status in {401, 403} and is_right:
            return ScopeMissing(
                f"the login may not change work items, which needs {WRITING}{_because(message)}",
                hint=f"Make a token with Work Items (Read & write) at "
                f"{token_page(account.base_url)}, then: {login_command(account)}",
            )
        if reply.status == 400 and (needed := _needed_fields(reply)):
            return WrongCall(f"a rule needs a value in {', '.join(needed)}{_because(message)}")
        return _fault(account, reply)

    return fault


def login_command(account: Account[AzureSettings]) -> str:
    """Return the command that logs an account in anew."""
    named = "" if account.name == account.kind else f" --account {account.name}"
    return f"rove --add-source azure{named}"


def _needed_fields(reply: Reply) -> list[str]:
    """Return the fields that have to have a value before a change is taken."""
    try:
        broken = _broken_rules(reply.json())
    except MalformedReply:
        return []
    return [ref for ref, message in broken if _REQUIRED in message]


def _broken_rules(body: JSON) -> list[tuple[str, str]]:
    """Return the fields whose rules a change breaks, with Azure's messages."""
    rules = objects(body, "customProperties", "RuleValidationErrors")
    return [(text(each, "fieldReferenceName"), text(each, "errorMessage")) for each in rules]


def _fault(account: Account[AzureSettings], reply: Reply) -> RoveError | None:  # noqa: PLR0911  # one for each way
    if _is_sign_in(reply):
        return _refusal(account, reply)
    plain = status_fault(reply)
    if plain is None:
        reply.json()  # What is none is told here, where it is known whose request it was.
        return None
    if reply.status >= 500:
        return plain
    message = _message_of(reply)
    if isinstance(plain, RateLimited) or _BLOCKED in message:
        return RateLimited(f"Azure DevOps asks to wait{_because(message)}")
    match reply.status:
        case 400:
            return WrongCall(f"Azure DevOps rejected the request{_because(message)}")
        case 401:
            return _refusal(account, reply)
        case 403:
            return ScopeMissing(
                f"the login lacks permission for this{_because(message)}",
                hint=f"Make a token with Work Items (Read), {READING}, at "
                f"{token_page(account.base_url)}, then: {login_command(account)}",
            )
        case 404:
            return ItemNotFound(f"{reply.where}: not found, or not visible{_because(message)}")
        case 409 | 412:
            return Conflict(f"{reply.where}: changed since it was read")
    return plain


def _is_sign_in(reply: Reply) -> bool:
    """Return whether a reply is a page to sign in, or leads to one.

    Azure answers a token that has expired with 203 and such a page, or with a redirect.
    """
    if reply.status in {301, 302, 303, 307}:
        where = reply.headers.get("location", "").partition("?")[0].lower()
        return any(each in where for each in _SIGN_IN)
    return reply.status == 203


def _refusal(account: Account[AzureSettings], reply: Reply) -> LoginRefused:
    return LoginRefused(
        f"{reply.where}: Azure DevOps rejected the login{_because(_message_of(reply))}",
        hint="The token is mistyped, was revoked, has expired, or is for another organization. "
        f"Make one at {token_page(account.base_url)}, then: {login_command(account)}",
    )


def _because(why: str) -> str:
    return f": {why}" if why else ""


def _message_of(reply: Reply) -> str:
    """Return the message of an error, with the fields whose rules were broken."""
    try:
        body = reply.json()
        broken = [message for _, message in _broken_rules(body)]
    except MalformedReply:
        return ""
    messages = dict.fromkeys([text(body, "message"), *broken])
    return " ".join(" ".join(filter(None, messages)).split())[:_MOST_WORDS]
