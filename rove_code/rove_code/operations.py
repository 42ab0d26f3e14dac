"""Code operations: query, map, refresh and status."""

from collections.abc import Callable, Coroutine
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from attrs import evolve

from rove_code.answer import CodeAnswer, CodeRefresh, CodeStatus, CommentaryResult
from rove_code.engine_calls import ask_engine, folder_of
from rove_code.exact_operations import EXACT_OPERATIONS
from rove_code.file_filter import KindFilter, LanguageFilter, PathFilter, filter_of
from rove_code.model import EVERY_FILE, CodeQuestion, ModelFamily
from rove_code.serve_operation import SERVE
from rove_code.terminal_text import (
    print_answer,
    print_code,
    print_commented,
    print_refreshed,
    print_status,
)
from rove_code.token_operations import TOKEN_OPERATIONS
from rove_code.why_operation import WHY
from rove_code.wire import boost_of
from rove_core import (
    DiskTrouble,
    DocumentNotFound,
    NoCodeFound,
    Operation,
    WrongCall,
    find_documents,
    read_file,
)

if TYPE_CHECKING:
    from rove_code.background_work import Progress
    from rove_code.engine import CodeEngine
    from rove_core import Project

_WORKSPACE: Final = "workspace"
_REPO: Final = "Another repository; default: the project's."
_WORKTREE: Final = "A git worktree of the project's repository; the current one by default."
_AT: Final = "The files at this commit, tag or branch; as they are now unless given."


async def code_query(  # noqa: PLR0913  # each is a word of its own on the wire
    rove: "Project",
    *,
    question: Annotated[str, "The task, in your own words or the ticket's."] = "",
    budget: Annotated[int, "How many characters the answer may have."] = 10_000,
    at: Annotated[str, _AT] = _WORKSPACE,
    show: Annotated[
        tuple[str, ...], "path or path#Outer.name: show it in any case; may be given again."
    ] = (),
    signature: Annotated[
        tuple[str, ...], "The same, but only its declaration; may be given again."
    ] = (),
    path: PathFilter = (),
    language: LanguageFilter = (),
    kind: KindFilter = (),
    ticket: Annotated[str, "Add the text of this ticket's document to the question."] = "",
    family: Annotated[Literal["claude", "openai"], "The models that will read the answer."] = (
        "claude"
    ),
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> CodeAnswer:
    """Find the code that matters for a question, within a budget."""
    query = _question(rove, question, ticket)
    if not query.text.strip():
        raise WrongCall("nothing to search for", hint="Give a question, or a ticket's text.")
    _check_budget(budget)
    boosts = (
        *(boost_of(each) for each in show),
        *(boost_of(each, whole=False) for each in signature),
    )
    only = filter_of(path, language, kind)
    query = evolve(query, budget=budget, boosted=boosts, only=only, family=ModelFamily(family))
    folder = folder_of(rove, repo, worktree)

    def ask(engine: "CodeEngine", on_progress: "Progress") -> CodeAnswer:
        found = engine.query(query, [(folder, at)], on_progress)
        if not found.rag_text and not engine.view(folder, at).has_file(only):
            fits = f"no file of {folder} fits --path, --language and --kind"
            raise NoCodeFound(
                f"{folder} has no file to search" if only == EVERY_FILE else fits,
                hint="See which languages and files there are with: rove code status",
            )
        return found

    answer = await ask_engine(rove, ask)
    if not answer.rag_text:
        raise _nothing(folder, answer)
    return answer


async def code_map(
    rove: "Project",
    *,
    budget: Annotated[int, "How many characters the map may have."] = 10_000,
    at: Annotated[str, _AT] = _WORKSPACE,
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> str:
    """Print a map of a repository: its most used signatures."""
    _check_budget(budget)
    folder = folder_of(rove, repo, worktree)
    return await ask_engine(rove, lambda engine, _: engine.map(folder, budget, at))


async def code_refresh(
    rove: "Project",
    *,
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> CodeRefresh:
    """Update the index of a repository."""
    folder = folder_of(rove, repo, worktree)

    def refreshed(engine: "CodeEngine", on_progress: "Progress") -> CodeRefresh:
        done = engine.refresh(folder, on_progress)
        engine.finish_vectors(lambda: on_progress(0, 1))
        return done

    return await ask_engine(rove, refreshed)


async def code_status(
    rove: "Project",
    *,
    at: Annotated[str, _AT] = _WORKSPACE,
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> CodeStatus:
    """Show the index of a repository: size, languages, skipped files."""
    folder = folder_of(rove, repo, worktree)
    return await ask_engine(rove, lambda engine, _: engine.status([(folder, at)]))


async def code_comment(
    rove: "Project",
    *,
    files: Annotated[int, "How many files, the most used first."] = 20,
    worktree: Annotated[str | None, _WORKTREE] = None,
    repo: Annotated[str | None, _REPO] = None,
) -> CommentaryResult:
    """Describe files with the configured model, for use in answers.

    The beginning of each file is sent to the model, without the secrets that are known by their
    form. Each description is stored by the file's content and never requested again.
    """
    from rove_code.model_commentator import (  # noqa: PLC0415  # few have a model
        FileToComment,
        comment_on,
        commentaries_of,
        commentator,
    )

    folder, comments = folder_of(rove, repo, worktree), commentaries_of(rove.places.rove)

    def uncommented(engine: "CodeEngine", on_progress: "Progress") -> list[FileToComment]:
        view = engine.view(folder, _WORKSPACE, on_progress)
        stored = comments.find({file.blob for file in view.version.files})
        new = (file for file in view.central() if file.blob not in stored)
        texts = ((file, view.file(file.path)) for file in islice(new, max(0, files)))
        return [FileToComment(f.path, f.blob, taken.text) for f, taken in texts if taken]

    async with commentator(rove) as model:
        return CommentaryResult(
            *await comment_on(await ask_engine(rove, uncommented), model, comments)
        )


def operations() -> tuple[Operation, ...]:
    """Return them all."""
    return (
        _operation(code_query, "query", print_answer, bare="question", stdin="question"),
        _operation(code_map, "map", print_code),
        _operation(code_refresh, "refresh", print_refreshed),
        _operation(code_status, "status", print_status),
        Operation(
            code_comment,
            command="code comment",
            changes=True,
            terminal_only=True,
            show=print_commented,
        ),
        *EXACT_OPERATIONS,
        WHY,
        SERVE,
        *TOKEN_OPERATIONS,
    )


def _operation(
    function: Callable[..., Coroutine[Any, Any, object]],
    word: str,
    show: Callable[..., str],
    *,
    bare: str = "",
    stdin: str = "",
) -> Operation:
    return Operation(
        function,
        command=f"code {word}",
        toolset="code",
        show=show,
        for_people=("repo",),
        served=True,
        here="worktree",
        bare=bare,
        stdin=stdin,
        verbatim=show in (print_answer, print_code),
    )


def _question(rove: "Project", question: str, ticket: str) -> CodeQuestion:
    """Return a question, extended by the text of a ticket's document."""
    if not ticket:
        return CodeQuestion(question, 0)
    with rove.reading() as db:
        found = find_documents(db, ticket)
    if not found:
        hint = f"Build it with: rove --ticket {ticket}"
        raise DocumentNotFound(f"there is no document for {ticket!r}", hint=hint)
    path = rove.places.context / found[0].filename
    try:
        text = read_file(path).decode("utf-8", "replace")
    except OSError as error:
        raise DiskTrouble(f"{path} cannot be read: {error.strerror}") from error
    return CodeQuestion("\n\n".join(filter(None, (question, text))), 0, found[0].title)


def _nothing(folder: Path, answer: CodeAnswer) -> NoCodeFound:
    """Return the error that says why an answer is empty, and what is near."""
    if answer.metadata.chunks:
        what = f"a budget of {answer.metadata.budget} characters is too small for a single line"
        return NoCodeFound(what, hint="Give more: --budget 10000")
    near = ", ".join(answer.metadata.near)
    hint = f"Similar names: {near}" if near else ""
    return NoCodeFound(f"nothing in {folder} fits the question", hint=hint)


def _check_budget(budget: int) -> None:
    if budget < 1:
        raise WrongCall(f"budget {budget}: give at least one character")
