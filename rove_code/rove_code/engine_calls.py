"""Helpers of the operations: choose the folder and call its engine in a thread."""

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from rove_code.access import Visitor
from rove_code.background_work import Progress, in_thread, progress_for
from rove_code.engines import engine_of
from rove_code.project_code import access_of, checkout_here
from rove_core import WrongCall

if TYPE_CHECKING:
    from collections.abc import Callable

    from rove_code.engine import CodeEngine
    from rove_core import Project

Result = TypeVar("Result")


async def ask_engine(rove: "Project", ask: "Callable[[CodeEngine, Progress], Result]") -> Result:
    """Return the answer of a project's engine, with progress for listeners."""

    def work(progress: Progress) -> Result:
        with engine_of(rove.places, rove.clock) as engine:
            return ask(engine, progress)

    return await in_thread(work, progress_for(rove))


def folder_of(rove: "Project", repo: str | None, worktree: str | None) -> Path:
    """Return the repository that a person names; else the project's, in the current worktree.

    Raises:
        RepositoryRefused: The worktree is none of the project's repositories.
    """
    if repo is not None:
        return _path(repo)
    if worktree is None:
        return checkout_here(rove)
    folder = _path(worktree)
    Visitor.of(access_of(rove)).check(folder)
    return folder


def _path(folder: str) -> Path:
    try:
        return Path(folder).expanduser().resolve()
    except (OSError, ValueError, RuntimeError) as error:
        raise WrongCall(f"{folder!r} can be no folder of this machine") from error
