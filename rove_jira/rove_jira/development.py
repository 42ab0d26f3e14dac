"""The development panel of a ticket: pull requests and branches on any host.

Jira specifies nothing of it, but its own pages have asked for it in this way for ten years.
"""

from collections.abc import Iterator, Mapping
from typing import Final

from rove_core import JSON, escape_markdown
from rove_core.json_reader import elements, text, value_at
from rove_jira.api import JiraApi, PartialList
from rove_jira.custom import has_development

_PATH: Final = "rest/dev-status/1.0/issue"
_LISTS: Final = {"pullrequest": "pullRequests", "branch": "branches"}


async def read_development(site: JiraApi, issue: JSON) -> PartialList:
    """Return the pull requests and branches of a ticket; asks nothing if it has none.

    Args:
        site: The ticket's site.
        issue: The ticket with all its fields.
    """
    if not has_development(issue):
        return PartialList(())
    own = text(issue, "id")
    summary = await site.get_beside(f"{_PATH}/summary", kind="dev-status/summary", issueId=own)
    found: dict[str, JSON] = {}
    for application in _applications(value_at(summary.json(), "summary")):
        for kind, name in _LISTS.items():
            reply = await site.get_beside(
                f"{_PATH}/detail",
                kind="dev-status/detail",
                issueId=own,
                applicationType=application,
                dataType=kind,
            )
            for each in elements(reply.json(), "detail"):
                found |= {text(entry, "url"): entry for entry in elements(each, name)}
    return PartialList([*found.values()])


def development_line(entry: JSON) -> str:
    """Return a pull request or a branch in a line; GitHub and others know it by its address."""
    repository = text(entry, "repository", "name") or text(entry, "repositoryName")
    is_branch = value_at(entry, "repository") is not None
    status = text(entry, "status").lower()
    parts = [
        "Branch" if is_branch else "Pull request",
        escape_markdown(" ".join(text(entry, "name").split())),
        f"in {escape_markdown(repository)}" if repository else "",
        f"({escape_markdown(status)})" if status else "",
    ]
    address = text(entry, "url")
    return f"- {' '.join(filter(None, parts))}" + (f": {address}" if address else "")


def _applications(summary: JSON) -> Iterator[str]:
    """Yield where there is something, each once; it may count one kind and have another."""
    kinds = summary.values() if isinstance(summary, Mapping) else ()
    places = (value_at(kind, "byInstanceType") for kind in kinds)
    names = [name for place in places if isinstance(place, Mapping) for name in place]
    yield from dict.fromkeys(names)
