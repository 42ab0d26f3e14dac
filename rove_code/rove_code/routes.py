"""``POST /coderag/query`` and ``/coderag/refresh`` on any HTTP server."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from attrs import evolve

from rove_code.access import Visitor
from rove_code.background_work import Progress, in_thread, progress_for
from rove_code.engines import engine_of
from rove_code.project_code import access_of
from rove_code.readable_repositories import ReadableRepository, boosts_there
from rove_code.wire import NamesBody, QueryBody, RefreshBody, RepositoryBody, read_body
from rove_core import HttpRequest, HttpResponse, Route
from rove_core.http.server import json_reply

if TYPE_CHECKING:
    from rove_code.answer import CodeAnswer
    from rove_code.exact.results import ExactAnswer
    from rove_core import Project

Answering: TypeAlias = "Callable[[HttpRequest, Project, Visitor], Awaitable[HttpResponse]]"


async def answer_query(request: HttpRequest, rove: "Project", visitor: Visitor) -> HttpResponse:
    """Return the code that matters for a conversation."""
    from rove_core.wire import to_json  # noqa: PLC0415  # the list of routes needs none

    body = read_body(request.body, QueryBody)
    question = body.question()
    references = body.repos or (RepositoryBody(),)
    repositories = [ReadableRepository.of(each, visitor, rove) for each in references]

    def work(progress: Progress) -> "CodeAnswer":
        there = [each.there(rove) for each in repositories]
        boosted = boosts_there(question.boosted, repositories, there)
        with engine_of(rove.places, rove.clock) as engine:
            query = evolve(question, boosted=boosted)
            return engine.query(query, there, progress, folders=visitor.user.folders)

    answer = await in_thread(work, progress_for(rove))
    return json_reply(200, {"ragText": answer.rag_text, "metadata": to_json(answer.metadata)})


async def answer_refresh(request: HttpRequest, rove: "Project", visitor: Visitor) -> HttpResponse:
    """Look at a repository again."""
    repository = ReadableRepository.of(read_body(request.body, RefreshBody), visitor, rove)

    def work(progress: Progress) -> None:
        folder, _ = repository.there(rove)
        with engine_of(rove.places, rove.clock) as engine:
            engine.refresh(folder, progress)

    await in_thread(work, progress_for(rove))
    return json_reply(200, {"status": "ok", "refreshed": True})


async def answer_names(request: HttpRequest, rove: "Project", visitor: Visitor) -> HttpResponse:
    """Answer a question about a name: its callers, or the effect of a change."""
    from rove_core.wire import to_json  # noqa: PLC0415  # the list of routes needs none

    body = read_body(request.body, NamesBody)
    repository = ReadableRepository.of(body, visitor, rove)

    def work(progress: Progress) -> "ExactAnswer":
        from rove_code.exact.answers import Exact  # noqa: PLC0415  # grammars come with it

        folder, version = repository.there(rove)
        with engine_of(rove.places, rove.clock) as engine:
            seen = visitor.user.folders
            codebase = engine.codebase(folder, version, progress, folders=seen)
            return Exact(codebase, body.checked_limit, bool(body.unsure)).answer(
                body.asked, body.name
            )

    return json_reply(200, to_json(await in_thread(work, progress_for(rove))))


#: By path; each is asked with POST.
ANSWERS: Final[Mapping[str, Answering]] = {
    "/coderag/query": answer_query,
    "/coderag/refresh": answer_refresh,
    "/coderag/names": answer_names,
}


def routes() -> tuple[Route, ...]:
    """Return the routes that serve only the local user."""
    return tuple(
        Route("POST", path, _without_token(answer), (answer.__doc__ or "").strip())
        for path, answer in ANSWERS.items()
    )


def _without_token(
    answer: Answering,
) -> "Callable[[HttpRequest, Project], Awaitable[HttpResponse]]":
    async def answered(request: HttpRequest, rove: "Project") -> HttpResponse:
        return await answer(request, rove, Visitor.of(access_of(rove)))

    return answered
