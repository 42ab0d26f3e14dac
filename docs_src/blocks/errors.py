"""Every error that has a code."""

from collections.abc import Iterator

from docs_src.blocks.markdown import body, first_line
from rove_core.errors import RoveError


def errors() -> str:
    """Return each error, below what its reader should do."""
    return "\n\n".join(_branch(branch) for branch in RoveError.__subclasses__())


def coded(above: type[RoveError] = RoveError) -> Iterator[type[RoveError]]:
    """Yield the errors that have a code of their own, in the order of their module."""
    for error in above.__subclasses__():
        if error.code and error.__module__ == RoveError.__module__:
            yield error
        yield from coded(error)


def _branch(branch: type[RoveError]) -> str:
    own = [branch] if branch.code else []
    parts = [f"## {branch.__name__}: {_lower(first_line(branch))}"]
    return "\n\n".join([*parts, *map(_entry, [*own, *coded(branch)])])


def _entry(error: type[RoveError]) -> str:
    facts = (
        f"`{error.__name__}`, a `{error.__bases__[0].__name__}`"
        f" · exit code {error.exit_code} · HTTP status {error.http_status}"
    )
    return (
        f"### {error.code}\n\n{facts}\n\n{body(error.__doc__ or '')}\n\nWhat to do: {error.advice}"
    )


def _lower(text: str) -> str:
    return (text[:1].lower() + text[1:]).rstrip(".")
