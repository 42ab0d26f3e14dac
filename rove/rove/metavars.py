"""Names of parameter values in help pages, and their shell completion."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from rove_core.errors import RoveError

if TYPE_CHECKING:
    import click
    from click.shell_completion import CompletionItem

#: By the name of the parameter.
_METAVARS: Final[Mapping[str, str]] = {
    "account": "ACCOUNT",
    "accounts": "ACCOUNT",
    "agents": "AGENT",
    "branch": "BRANCH",
    "id": "ID",
    "key": "SETTING",
    "kind": "KIND",
    "limit": "NUMBER",
    "max_tokens": "NUMBER",
    "output": "FILE",
    "since": "TIME",
    "source": "ACCOUNT",
    "tasks": "TICKET",
    "ticket": "TICKET",
    "tickets": "TICKET",
    "until": "TIME",
    "words": "WORDS",
}


def metavar(parameter: str, operation: str = "settings") -> str | None:
    """Return the display name of a parameter's value; None where its type is enough.

    Args:
        parameter: Its name.
        operation: The operation that it is of: a key is a setting in those of settings alone.
    """
    if parameter == "key" and not operation.startswith("settings"):
        return None
    return _METAVARS.get(parameter)


def complete(
    _: "click.Context", parameter: "click.Parameter", incomplete: str
) -> "list[CompletionItem]":
    """Return the values that may follow, for a shell."""
    import sqlite3  # noqa: PLC0415  # only a shell needs it

    from click.shell_completion import CompletionItem  # noqa: PLC0415  # the same

    name = metavar(parameter.name or "") or ""
    values = _VALUES.get(name, lambda: iter(()))
    begin = incomplete.lower()
    with suppress(RoveError, OSError, sqlite3.Error):
        return [
            CompletionItem(value, help=" ".join(about.split()))
            for value, about in values()
            if value.lower().startswith(begin)
        ]
    return []


def _tickets() -> Iterator[tuple[str, str]]:
    from rove_core.project.local import LocalProject  # noqa: PLC0415  # only a shell needs it
    from rove_core.store.documents import list_documents  # noqa: PLC0415  # the same

    with LocalProject.at().reading() as db:
        for document in list_documents(db):
            yield document.ticket_id, document.title


def _accounts() -> Iterator[tuple[str, str]]:
    from rove_core.project.local import LocalProject  # noqa: PLC0415  # only a shell needs it

    for account in LocalProject.at().book.accounts():
        yield account.name, account.identity.name if account.identity else account.base_url


def _kinds() -> Iterator[tuple[str, str]]:
    from rove_core.plugins.loader import load_plugins  # noqa: PLC0415  # it loads every plugin

    for kind in load_plugins().kinds.values():
        yield kind.name, kind.title


def _settings() -> Iterator[tuple[str, str]]:
    from rove.operations import OWN  # noqa: PLC0415  # only a shell needs it
    from rove_core.operations import finish  # noqa: PLC0415  # the same
    from rove_core.project.local import LocalProject  # noqa: PLC0415  # the same

    listed = finish(OWN["settings"].load().run(LocalProject.at(), {}))
    for setting in getattr(listed, "settings", listed if isinstance(listed, Sequence) else ()):
        yield setting.key, ""


def _agents() -> Iterator[tuple[str, str]]:
    from rove.agents.recipes import recipes  # noqa: PLC0415  # only a shell needs it

    for name, recipe in recipes().items():
        yield name, recipe.title


_VALUES: Final[Mapping[str, Callable[[], Iterator[tuple[str, str]]]]] = {
    "ACCOUNT": _accounts,
    "AGENT": _agents,
    "KIND": _kinds,
    "SETTING": _settings,
    "TICKET": _tickets,
}
