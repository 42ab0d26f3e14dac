"""Account names: ``jira``, ``jira:work``."""

from typing import Final

from rove_core.errors import WrongCall
from rove_core.safety.lazy_pattern import lazy_pattern

_NAME: Final = lazy_pattern(r"[a-z0-9-]+(:[a-z0-9-]+)?")


def is_account_name(text: str) -> bool:
    """Return whether an account may have this name, in this spelling."""
    return _NAME.fullmatch(text) is not None


def account_name(text: str) -> str:
    """Return the normalised form of a name, in lower case.

    Raises:
        WrongCall: No account can have it.
    """
    if not is_account_name(name := text.lower()):
        raise WrongCall(
            f"{text!r} is not a valid account name",
            hint="Use letters, digits and dashes, and one colon at most: jira, jira:work.",
        )
    return name


def add_command(account: str, kind: str) -> str:
    """Return the command that logs in to an account, once more if need be."""
    named = "" if account == kind else f" --account {account}"
    return f"rove --add-source {kind}{named}"


def environment_name(name: str) -> str:
    """Return a name in the form used in environment variables."""
    return name.upper().replace(":", "_").replace("-", "_")


def account_variable(account: str) -> str:
    """Return the prefix of an account's variables: ``ROVE_JIRA_WORK`` for ``jira:work``."""
    return f"ROVE_{environment_name(account)}"
