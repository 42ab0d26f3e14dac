"""Asana's search: by words on paid plans, and by name."""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Final, TypeAlias

from rove_core import JSON
from rove_sim.asana.refusals import invalid
from rove_sim.asana.rich_text import plain
from rove_sim.asana.workspace import AsanaWorkspace
from rove_sim.company_asana import AsanaTask
from rove_sim.routes import RoutedRequest

_WORD: Final = re.compile(r"\w+")

#: Returns the words of a task besides its name.
_Words: TypeAlias = Callable[[AsanaTask], str]


def found(workspace: AsanaWorkspace, call: RoutedRequest) -> list[AsanaTask]:
    """Return the tasks whose names or descriptions contain the words, by last change.

    The ends of a window are not in it.
    """
    after, before = (_time(call.text(f"modified_at.{end}")) for end in ("after", "before"))
    hits = [
        each
        for each in _having(workspace, call.text("text"), lambda task: plain(task.notes))
        if (after is None or each.changed > after) and (before is None or each.changed < before)
    ]
    rising = call.flag("sort_ascending")
    return sorted(hits, key=lambda each: each.changed, reverse=not rising)


def named(workspace: AsanaWorkspace, words: str) -> list[AsanaTask]:
    """Return the tasks whose names contain the words."""
    return [*_having(workspace, words, lambda _: "")]


def _having(workspace: AsanaWorkspace, words: str, more: _Words) -> Iterator[AsanaTask]:
    terms = [each.lower() for each in _WORD.findall(words)]
    for task in workspace.tasks.values():
        if workspace.is_seen(task):
            there = set(_terms(f"{task.name} {more(task)}"))
            if all(any(each.startswith(word) for each in there) for word in terms):
                yield task


def _terms(text: str) -> Iterable[str]:
    return (each.lower() for each in _WORD.findall(text))


def _time(value: JSON) -> datetime | None:
    try:
        return datetime.fromisoformat(str(value)) if value else None
    except ValueError:
        raise invalid(f"modified_at: Not a valid datetime: {value}") from None
