"""The server's own endpoints: pure functions from a question and the index to an answer."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import parse_qsl, unquote

from rove.daemon.views import (
    Choice,
    EventView,
    FoundDocument,
    Search,
    SearchHit,
    Several,
    TaskHistory,
    TaskView,
    plain,
)
from rove.operations.documents_meant import build_command, documents_meant
from rove.operations.search import document_hits
from rove_core.errors import DocumentNotFound, ItemNotFound, WrongCall
from rove_core.http.server.door import HttpResponse, json_reply
from rove_core.project.layout import ProjectPaths
from rove_core.store.documents import DocumentRecord
from rove_core.store.events import read_events
from rove_core.store.last_use import note_asked
from rove_core.store.tasks import Task, TaskState, find_task, list_tasks

_MOST: Final = 1_000
_FEW: Final = 20
_MOST_FIELDS: Final = 9


def find(db: sqlite3.Connection, places: ProjectPaths, ticket: str, query: str) -> HttpResponse:
    """Answer ``GET /find/{ticket_id}``.

    Args:
        db: The index.
        places: Where the documents are.
        ticket: The ticket's id, still percent-encoded.
        query: What follows the question mark: ``account=`` says which of several is meant.
    """
    text = unquote(ticket)
    account = _parameters(query, "account").get("account")
    fitting = [each for each in documents_meant(db, text) if account in {None, each.account}]
    if len(fitting) > 1:
        return _several(text, fitting)
    there = [each for each in fitting if (places.context / each.filename).is_file()]
    if not there:
        what = f"{'its file is gone: ' if fitting else ''}there is no document for {text!r}"
        raise DocumentNotFound(what, hint=f"Build it with: {build_command(text)}")
    note_asked(str(places.rove), there[0].filename)
    return json_reply(200, plain(FoundDocument.of(there[0])))


def search(db: sqlite3.Connection, query: str) -> HttpResponse:
    """Answer ``GET /search?q=``."""
    parameters = _parameters(query, "q", "limit")
    words = parameters.get("q", "")
    if not words.strip():
        raise WrongCall("q is missing: what to search for", hint="Ask for: /search?q=WORDS")
    limit = _number(parameters, "limit", default=_FEW, least=1)
    hits = document_hits(db, words, limit)
    return json_reply(200, plain(Search(query=words, results=tuple(map(SearchHit.of, hits)))))


def tasks(db: sqlite3.Connection, query: str) -> HttpResponse:
    """Answer ``GET /tasks``."""
    parameters = _parameters(query, "state", "limit")
    limit = _number(parameters, "limit", default=_FEW, least=1)
    found = list_tasks(db, _states(parameters.get("state")), limit)
    return json_reply(200, [plain(TaskView.of(task)) for task in found])


def task(db: sqlite3.Connection, task_id: str, query: str) -> HttpResponse:
    """Answer ``GET /tasks/{id}``."""
    after = _number(_parameters(query, "after"), "after", default=0, least=0)
    found = the_task(db, task_id)
    events = tuple(map(EventView.of, read_events(db, found.id, after)))
    return json_reply(200, plain(TaskHistory(task=TaskView.of(found), events=events)))


def the_task(db: sqlite3.Connection, task_id: str) -> Task:
    """Return a task by its id, still percent-encoded, or say that there is none."""
    found = find_task(db, unquote(task_id))
    if found is None:
        raise ItemNotFound(f"there is no task {unquote(task_id)!r}", hint="See: GET /tasks")
    return found


def _several(text: str, fitting: Sequence[DocumentRecord]) -> HttpResponse:
    names = ", ".join(each.account for each in fitting)
    error = WrongCall(f"several accounts know {text}: {names}", hint="Say which: ?account=NAME")
    choices = tuple(
        Choice(account=each.account, ticket_id=each.ticket_id, filename=each.filename)
        for each in fitting
    )
    told = Several(
        code=error.code, message=error.message, hint=error.hint, docs=error.docs, choices=choices
    )
    return json_reply(409, plain(told))


def _states(wanted: str | None) -> frozenset[TaskState]:
    if wanted is None:
        return frozenset(TaskState)
    try:
        return frozenset(map(TaskState, wanted.split(",")))
    except ValueError as error:
        hint = f"There are: {', '.join(TaskState)}"
        raise WrongCall(f"state={wanted!r}: {error}", hint=hint) from error


def _parameters(query: str, *known: str) -> Mapping[str, str]:
    """Return what a query says; nothing twice, and nothing that is not known."""
    try:
        pairs = parse_qsl(
            query, keep_blank_values=True, strict_parsing=bool(query), max_num_fields=_MOST_FIELDS
        )
    except ValueError as error:
        raise WrongCall(f"the query {query[:80]!r} cannot be read: {error}") from error
    names = [name for name, _ in pairs]
    for name in names:
        if name not in known:
            raise WrongCall(
                f"no such parameter: {name[:80]!r}", hint=f"There are: {', '.join(known)}"
            )
        if names.count(name) > 1:
            raise WrongCall(f"{name} is given twice")
    return dict(pairs)


def _number(parameters: Mapping[str, str], name: str, *, default: int, least: int) -> int:
    text = parameters.get(name)
    if text is None:
        return default
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(_MOST))
    if not is_number or not least <= int(text) <= _MOST:
        raise WrongCall(f"{name}={text[:80]!r}: a whole number from {least} to {_MOST} is expected")
    return int(text)
