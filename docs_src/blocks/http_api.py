"""The page about the HTTP API: the server's own endpoints, from their table."""

from docs_src.blocks.markdown import code, table
from rove.server.endpoints import ENDPOINTS


def endpoints() -> str:
    """Return a row for each endpoint."""
    rows = [
        (
            code(f"{each.method} {each.path}"),
            ", ".join(code(one.name) for one in each.query) or "-",
            each.title,
        )
        for each in ENDPOINTS
    ]
    rows += [
        (
            code("GET /operations"),
            "-",
            "List the [operations](operations.md); with `?schemas=true`, each with its schemas.",
        ),
        (code("GET /operations/{name}"), "-", "Describe one, with its schemas."),
        (code("POST /operations/{name}"), "-", "Do it: its arguments are the body."),
        (code("GET /openapi.json"), "-", "Describe all of this as OpenAPI."),
    ]
    return table(("Request", "In the query", "What it does"), rows)
