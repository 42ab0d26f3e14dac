"""Operations for exact answers: ``rove code callers X`` and the like."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Final

from attrs import frozen

from rove_code.engine_calls import ask_engine, folder_of
from rove_code.exact.results import AnswerLine, Changes, ExactAnswer, How, Sure
from rove_code.file_filter import KindFilter, LanguageFilter, PathFilter, filter_of
from rove_code.model import Filter
from rove_code.tags import one_line
from rove_code.terminal_text import print_code
from rove_core import NoCodeFound, Operation, WrongCall, page, visible

if TYPE_CHECKING:
    from rove_code.background_work import Progress
    from rove_code.engine import CodeEngine
    from rove_code.exact.codebase import Codebase
    from rove_code.exact.meanings import Target
    from rove_core import Project

_WORKSPACE: Final = "workspace"
_NAME: Final = "name, Outer.name or path#Outer.name."
_LIMIT: Final = "How many lines at most."
_AT: Final = "The files at this commit, tag or branch; as they are now unless given."
_WORKTREE: Final = "A git worktree of the project's repository; the current one by default."
_REPO: Final = "Another repository; default: the project's."
_DIFF: Final = "Use each declaration edited since the last commit."
_UNSURE: Final = "Also list what has the same name, on objects of unknown type."
_MOST: Final = 10_000
_SYMBOLS: Final = 20


async def code_symbol(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "Project",
    *,
    name: Annotated[str, _NAME],
    at: Annotated[str, _AT] = _WORKSPACE,
    limit: Annotated[int, _LIMIT] = 100,
    path: PathFilter = (),
    language: LanguageFilter = (),
    kind: KindFilter = (),
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> ExactAnswer:
    """Show where a name is declared, and as what."""
    only = filter_of(path, language, kind)
    where = _Where(at, limit, worktree, repo, only)
    return await _answer(rove, "symbol", name, where)


async def code_refs(  # noqa: PLR0913  # as above
    rove: "Project",
    *,
    name: Annotated[str, _NAME],
    at: Annotated[str, _AT] = _WORKSPACE,
    limit: Annotated[int, _LIMIT] = 100,
    unsure: Annotated[bool, _UNSURE] = False,
    path: PathFilter = (),
    language: LanguageFilter = (),
    kind: KindFilter = (),
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> ExactAnswer:
    """List every place that uses a declaration: calls, imports, types, bases."""
    only = filter_of(path, language, kind)
    where = _Where(at, limit, worktree, repo, only, unsure)
    return await _answer(rove, "refs", name, where)


async def code_callers(  # noqa: PLR0913  # as above
    rove: "Project",
    *,
    name: Annotated[str, _NAME],
    at: Annotated[str, _AT] = _WORKSPACE,
    limit: Annotated[int, _LIMIT] = 100,
    unsure: Annotated[bool, _UNSURE] = False,
    path: PathFilter = (),
    language: LanguageFilter = (),
    kind: KindFilter = (),
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> ExactAnswer:
    """List every place that calls a function, a method or a class."""
    only = filter_of(path, language, kind)
    where = _Where(at, limit, worktree, repo, only, unsure)
    return await _answer(rove, "callers", name, where)


async def code_callees(  # noqa: PLR0913  # as above
    rove: "Project",
    *,
    name: Annotated[str, _NAME],
    at: Annotated[str, _AT] = _WORKSPACE,
    limit: Annotated[int, _LIMIT] = 100,
    path: PathFilter = (),
    language: LanguageFilter = (),
    kind: KindFilter = (),
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> ExactAnswer:
    """List what a declaration calls in this repository."""
    only = filter_of(path, language, kind)
    where = _Where(at, limit, worktree, repo, only)
    return await _answer(rove, "callees", name, where)


async def code_implementers(  # noqa: PLR0913  # as above
    rove: "Project",
    *,
    name: Annotated[str, _NAME],
    at: Annotated[str, _AT] = _WORKSPACE,
    limit: Annotated[int, _LIMIT] = 100,
    unsure: Annotated[bool, _UNSURE] = False,
    path: PathFilter = (),
    language: LanguageFilter = (),
    kind: KindFilter = (),
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> ExactAnswer:
    """List the subtypes of a type, or the overrides of a method."""
    only = filter_of(path, language, kind)
    where = _Where(at, limit, worktree, repo, only, unsure)
    return await _answer(rove, "implementers", name, where)


async def code_tests(  # noqa: PLR0913  # as above
    rove: "Project",
    *,
    name: Annotated[str, _NAME] = "",
    diff: Annotated[bool, _DIFF] = False,
    at: Annotated[str, _AT] = _WORKSPACE,
    limit: Annotated[int, _LIMIT] = 100,
    unsure: Annotated[bool, _UNSURE] = False,
    path: PathFilter = (),
    language: LanguageFilter = (),
    kind: KindFilter = (),
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> ExactAnswer:
    """List the tests that use a declaration, or something that calls it."""
    only = filter_of(path, language, kind)
    where = _Where(at, limit, worktree, repo, only, unsure)
    return await _answer(rove, "tests", name, where, diff=diff)


async def code_impact(  # noqa: PLR0913  # as above
    rove: "Project",
    *,
    name: Annotated[str, _NAME] = "",
    diff: Annotated[bool, _DIFF] = False,
    at: Annotated[str, _AT] = _WORKSPACE,
    limit: Annotated[int, _LIMIT] = 100,
    unsure: Annotated[bool, _UNSURE] = False,
    path: PathFilter = (),
    language: LanguageFilter = (),
    kind: KindFilter = (),
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> ExactAnswer:
    """List what a change would affect: the declaration's users, and theirs, up to three steps."""
    only = filter_of(path, language, kind)
    where = _Where(at, limit, worktree, repo, only, unsure)
    return await _answer(rove, "impact", name, where, diff=diff)


async def code_changes(  # noqa: PLR0913  # as above
    rove: "Project",
    *,
    since: Annotated[str, "The older commit, tag or branch."],
    at: Annotated[str, _AT] = _WORKSPACE,
    path: PathFilter = (),
    language: LanguageFilter = (),
    kind: KindFilter = (),
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> Changes:
    """List the declarations that were added, changed or removed since a version."""
    folder = folder_of(rove, repo, worktree)
    only = filter_of(path, language, kind)

    def ask(engine: "CodeEngine", on_progress: "Progress") -> Changes:
        from rove_code.exact.changes import changes_between  # noqa: PLC0415  # grammars come with it

        view = engine.view(folder, at, on_progress)
        before = view.repository.version(since)
        found = changes_between(view.repository, before, view.version, only)
        return Changes(since, at, tuple(found))

    return await ask_engine(rove, ask)


@frozen
class _Where:
    at: str
    limit: int
    worktree: str | None
    repo: str | None
    only: Filter
    unsure: bool = False


async def _answer(
    rove: "Project", question: str, name: str, where: _Where, *, diff: bool = False
) -> ExactAnswer:
    if not name.strip() and not diff:
        raise WrongCall("missing: a name", hint="Give a name, or --diff where it is offered.")
    if not 0 < where.limit <= _MOST:
        raise WrongCall(f"limit {where.limit}: give 1 to {_MOST}")
    folder = folder_of(rove, where.repo, where.worktree)

    def ask(engine: "CodeEngine", on_progress: "Progress") -> ExactAnswer:
        from rove_code.exact.answers import Exact  # noqa: PLC0415  # grammars come with it

        codebase = engine.codebase(folder, where.at, on_progress)
        exact = Exact(codebase, where.limit, where.unsure, where.only)
        if diff:
            return exact.about(question, name, list(_edited(codebase, name)))
        answer = exact.answer(question, name.strip())
        if not answer.symbols:
            raise _unknown(codebase, name)
        return answer

    answer = await ask_engine(rove, ask)
    if not answer.symbols:
        raise NoCodeFound("nothing was edited since the last commit")
    return answer


def _unknown(codebase: "Codebase", name: str) -> NoCodeFound:
    """Return the error for a name that is not declared, with names that are much like it."""
    from rove_code.suggestions import near_names  # noqa: PLC0415  # as above

    near = ", ".join(near_names(codebase.corpus, name.rpartition("#")[2]))
    hint = f"Similar names: {near}" if near else f"Search for it: rove code query {name!r}"
    return NoCodeFound(f"no declaration of {name!r}", hint=hint)


def _edited(codebase: "Codebase", name: str) -> "Iterator[Target]":
    """Yield the declarations that were edited since the last commit."""
    from rove_code.exact.changes import changes_between  # noqa: PLC0415  # as above
    from rove_code.exact.meanings import Target  # noqa: PLC0415  # as above

    before = codebase.repository.version("latest")
    for each in changes_between(codebase.repository, before, codebase.version):
        if each.name and each.how is not How.REMOVED and name in f"{each.path}#{each.name}":
            yield Target(each.path, each.name)


def print_exact(answer: ExactAnswer) -> str:
    """Return an answer, a line for each declaration and each place."""
    return print_code("\n".join(_lines(answer)))


def _lines(answer: ExactAnswer) -> Iterator[str]:
    for symbol in answer.symbols[:_SYMBOLS]:
        shown = f"{one_line(symbol.path)}:{symbol.line} {symbol.kind} {one_line(symbol.name)}"
        yield f"{shown}  {visible(symbol.text)}"
    if len(answer.symbols) > _SYMBOLS:
        yield f"and {len(answer.symbols) - _SYMBOLS} more declarations: see them with --json"
    if answer.asked == "symbol":
        return
    yield f"{answer.asked}: {answer.total}{_counted(answer)}"
    several = len(answer.symbols) > 1
    for place in answer.places:
        yield _line(place, several=several)
    if answer.total > len(answer.places):
        left = answer.total - len(answer.places)
        yield f"cut: {left} more; see them with --limit {answer.total}"
    if answer.unsure:
        yield f"not listed: {answer.unsure} with the same name alone; see them with --unsure"
    if answer.unread:
        yield f"not resolved: {answer.unread} files with this name, of other languages"


def _counted(answer: ExactAnswer) -> str:
    sure = Counter(place.sure for place in answer.places)
    counts = ", ".join(f"{sure[each]} by {each.value}" for each in Sure if sure[each])
    return f" ({counts})" if counts else ""


def _line(place: AnswerLine, *, several: bool) -> str:
    steps = f" step {place.steps}" if place.steps > 1 else ""
    of = f" of {place.of}" if several and place.of else ""
    inside = f" {one_line(place.inside)}" if place.inside else ""
    how = "" if place.how == "call" else f" {place.how}"
    at = f"{one_line(place.path)}:{place.line}"
    return f"{at}{inside} [{place.sure}]{how}{of}{steps}  {visible(place.text)}"


def print_changes(changes: Changes) -> str:
    """Return what differs, a line each."""
    lines = [
        f"{each.how} {one_line(each.path)}:{each.line}"
        f" {one_line(each.name) or '(outside of any declaration)'}"
        for each in changes.changed
    ]
    return page(lines) or f"nothing differs from {changes.since}"


def _operation(function: Callable[..., object], *, bare: str = "") -> Operation:
    word = function.__name__.removeprefix("code_")
    return Operation(
        function,  # type: ignore[arg-type]  # each of them is a coroutine function
        command=f"code {word}",
        toolset="code",
        show=print_exact,
        for_people=("repo",),
        served=True,
        here="worktree",
        bare=bare,
    )


#: Each is a question about a name.
EXACT_OPERATIONS: Final = (
    _operation(code_symbol),
    _operation(code_refs),
    _operation(code_callers),
    _operation(code_callees),
    _operation(code_implementers),
    _operation(code_tests, bare="name"),
    _operation(code_impact, bare="name"),
    Operation(
        code_changes,
        command="code changes",
        toolset="code",
        show=print_changes,
        for_people=("repo",),
        served=True,
        here="worktree",
    ),
)
