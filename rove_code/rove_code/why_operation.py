"""``rove code why PATH#NAME``: the commits, tickets and decisions behind a declaration."""

import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_code.causes import Cause, Why
from rove_code.engine_calls import ask_engine, folder_of
from rove_code.tags import one_line
from rove_core import NoCodeFound, Operation, RoveError, WrongCall, page

if TYPE_CHECKING:
    from pathlib import Path

    from rove_code.background_work import Progress
    from rove_code.engine import CodeEngine
    from rove_core import Project

#: A line of a file; of several lines the first.
_LINE: Final = re.compile(r"([^#]+):(\d{1,7})(?:-\d{1,7})?")
_MOST: Final = 200
_SHOWN: Final = 5


async def code_why(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "Project",
    *,
    name: Annotated[
        str, "path#Outer.name or path:line; without the path if only one file declares the name."
    ],
    at: Annotated[str, "The commit, tag or branch to look back from."] = "latest",
    limit: Annotated[int, "How many commits at most."] = 10,
    worktree: Annotated[
        str | None, "A git worktree of the project's repository; the current one by default."
    ] = None,
    repo: Annotated[str | None, "Another repository; default: the project's."] = None,
) -> Why:
    """Show why a declaration is as it is: the commits that changed it, and their discussions.

    Tickets, pull requests and threads are quoted from the documents that Rove keeps here.
    """
    place = _LINE.fullmatch(name)
    path_part, sign, declared = ("", "", name) if place else name.rpartition("#")
    if not declared or bool(sign) != bool(path_part):
        raise WrongCall(f"{name!r} names no declaration", hint="Write path#Outer.name.")
    if not 0 < limit <= _MOST:
        raise WrongCall(f"limit {limit}: give 1 to {_MOST}")
    folder = folder_of(rove, repo, worktree)

    def ask(engine: "CodeEngine", on_progress: "Progress") -> Why:
        from rove_code.why import declared_at, why  # noqa: PLC0415  # grammars come with it

        view = engine.view(folder, at, on_progress)
        if place:
            path, full = place[1], declared_at(view, place[1], int(place[2]))
        else:
            path, full = (
                (path_part, declared) if path_part else _found(engine, folder, at, declared)
            )
        blobs = {file.path: file.blob for file in view.repository.version().files}
        old_blobs = {file.path: file.blob for file in view.version.files}
        edited = at == "latest" and blobs.get(path) != old_blobs.get(path)
        with ExitStack() as stack:
            try:
                index = stack.enter_context(rove.reading())
            except RoveError:
                # Without an index there are commits all the same.
                index = None
            found = why(view, path, full, limit=limit, index=index)
            return evolve(found, is_edited=edited)

    return await ask_engine(rove, ask)


def _found(engine: "CodeEngine", folder: "Path", at: str, name: str) -> tuple[str, str]:
    """Return the only declaration of a name: its file, and its name there."""
    from rove_code.exact.answers import Exact  # noqa: PLC0415  # grammars come with it

    exact = Exact(engine.codebase(folder, at), 1)
    found = exact.targets(name)
    sources = [each for each in found if not exact.is_test(each.path)] or found
    if not sources and name in exact.codebase.files:
        raise WrongCall(
            f"{name!r} is a file, not a declaration",
            hint=f"Name one of its declarations, {name}#NAME, or a line of it, {name}:LINE.",
        )
    if not sources:
        raise NoCodeFound(
            f"no declaration of {name!r}", hint=f"Search for it: rove code query {name!r}"
        )
    if len(sources) > 1:
        places = ", ".join(one_line(f"{each.path}#{each.name}") for each in sources[:_SHOWN])
        raise WrongCall(f"{name!r} is declared {len(sources)} times", hint=f"Give one of {places}")
    return sources[0].path, sources[0].name


def print_why(why: Why) -> str:
    """Return the commits, newest first, each with its context."""
    return page(line for text in _lines(why) for line in text.split("\n"))


def _lines(why: Why) -> Iterator[str]:
    yield f"{one_line(why.path)}:{why.first}-{why.last} {why.name} at {why.commit[:12]}"
    if why.is_edited:
        yield "the file was edited since"
    for cause in why.causes:
        yield from _cause(cause)
    if why.is_cut:
        yield f"older commits are left out; see more with --limit {2 * len(why.causes)}"


def _cause(cause: Cause) -> Iterator[str]:
    named = ", ".join(filter(None, (cause.pull_request, *cause.tickets)))
    yield f"\n{cause.commit[:12]} {cause.at:%Y-%m-%d} {cause.author}: {cause.subject}"
    if cause.body:
        yield "\n".join(f"  {line}" for line in cause.body.split("\n"))
    if named or cause.url:
        yield f"  {' '.join(filter(None, (named, cause.url)))}"
    for quote in cause.quotes:
        if quote.text:
            yield f'  > "{quote.text}"'
        yield f"  {quote.ticket} {quote.title} (.context/{quote.document}) {quote.url}".rstrip()


def _why_operation() -> Operation:
    return Operation(
        code_why,
        command="code why",
        toolset="code",
        show=print_why,
        for_people=("repo",),
        served=True,
        here="worktree",
    )


WHY: Final = _why_operation()
