"""Answer what an editor asks that knows no Rove: what does this abbreviation mean?"""

from urllib.parse import parse_qs

from docs_src.hooks.rove_glossary import MEANINGS

from rove_core import HttpRequest, HttpResponse, ItemNotFound, Project, Route, hookimpl


async def meaning(request: HttpRequest, _rove: Project) -> HttpResponse:
    """Say what a word means."""
    (word,) = parse_qs(request.query).get("word", [""])
    if word not in MEANINGS:
        raise ItemNotFound(f"nobody has explained {word!r}")
    return HttpResponse(200, {"content-type": "text/plain"}, MEANINGS[word].encode())


@hookimpl
def rove_routes() -> tuple[Route, ...]:
    """Bring one route."""
    return (Route("GET", "/dictionary", meaning, "Say what an abbreviation means."),)
