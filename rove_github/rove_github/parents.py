"""Read and change the parent of an issue."""

import re
from typing import Final

from attrs import frozen

from rove_core import ItemNotFound, ItemRef, ScopeMissing, WrongCall
from rove_github import replies
from rove_github.api import GitHubApi, repository_path
from rove_github.items import read_issue
from rove_github.references import GitHubNames, ParsedId, parse_id

_ADDRESS: Final = re.compile(r"/repos/([\w.-]+/[\w.-]+)/issues/([0-9]+)$", re.ASCII)


@frozen
class ParentIssues:
    """Moves issues below others.

    Attributes:
        api: The API.
        names: Makes references.
    """

    api: GitHubApi
    names: GitHubNames

    def of(self, issue: replies.IssueReply) -> ItemRef | None:
        """Return the parent of an issue; REST gives only its address."""
        found = parent_of(issue)
        return self.names.numbered(found[0], found[1], "issue") if found else None

    async def check(self, ref: ItemRef, parent: ItemRef) -> None:
        """Check that an issue can be the parent of another one.

        Raises:
            WrongCall: It is not an issue, or it is the same one.
        """
        above = parse_id(parent.id)
        try:
            reply = await self.api.get(_issue_path(above))
        except ItemNotFound as error:
            raise _no_parent(parent, ref, error.message) from error
        if parent.id == ref.id:
            raise _no_parent(parent, ref, "it is the same issue")
        if read_issue(reply).pull_request is not None:
            raise _no_parent(parent, ref, "it is a pull request")

    async def move(self, issue: replies.IssueReply, ref: ItemRef, parent: ItemRef | None) -> None:
        """Make an issue a sub-issue of another one, or of none.

        Raises:
            ScopeMissing: The login lacks the right, or this server has no sub-issues.
        """
        before, body = self.of(issue), {"sub_issue_id": issue.id}
        try:
            if parent is not None:
                path = f"{_issue_path(parse_id(parent.id))}/sub_issues"
                await self.api.post(path, {**body, "replace_parent": True})
            elif before is not None:
                await self.api.delete(f"{_issue_path(parse_id(before.id))}/sub_issue", body)
        except ItemNotFound as error:
            direction = f"below {parent.id}" if parent else "out of its parent"
            raise ScopeMissing(
                f"GitHub did not move {ref.id} {direction}: {error.message}",
                hint="This needs triage access to both repositories. Older GitHub Enterprise "
                "Servers have no sub-issues.",
            ) from error


def _no_parent(parent: ItemRef, ref: ItemRef, why: str) -> WrongCall:
    return WrongCall(f"{parent.id} cannot be the parent of {ref.id}: {why}")


def parent_of(issue: replies.IssueReply) -> tuple[str, int] | None:
    """Return the repository and the number of an issue's parent."""
    found = _ADDRESS.search(issue.parent_issue_url)
    return (found[1], int(found[2])) if found else None


def _issue_path(named: ParsedId) -> str:
    if named.sha:
        raise WrongCall(f"{named.repository}@{named.sha} is a commit, not an issue")
    return f"{repository_path(named.repository)}/issues/{named.number}"
