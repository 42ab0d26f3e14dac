"""The issue that another one is a sub-issue of: read from its address, and changed."""

import re
from typing import Final

from attrs import frozen

from rove_core import ItemNotFound, ItemRef, ScopeMissing, WrongCall
from rove_core.json_reader import read_one
from rove_github import replies
from rove_github.api import GitHubApi, repository_path
from rove_github.mentions import GitHubNames, ParsedId, parse_id

_ADDRESS: Final = re.compile(r"/repos/([\w.-]+/[\w.-]+)/issues/([0-9]+)$", re.ASCII)


@frozen
class ParentIssues:
    """Puts issues below others.

    Attributes:
        api: The way there.
        names: Makes references.
    """

    api: GitHubApi
    names: GitHubNames

    def of(self, issue: replies.IssueReply) -> ItemRef | None:
        """Return the issue above another one; REST names it by its address alone."""
        found = parent_of(issue)
        return self.names.numbered(found[0], found[1], "issue") if found else None

    async def check(self, ref: ItemRef, parent: ItemRef) -> None:
        """Find out whether an issue can be below another one, as far as that can be read.

        Raises:
            WrongCall: That is no issue, or the same one.
        """
        above = parse_id(parent.id)
        try:
            reply = await self.api.get(_issue_path(above))
        except ItemNotFound as error:
            raise _no_parent(parent, ref, error.message) from error
        if parent.id == ref.id or read_one(reply, replies.IssueReply).pull_request is not None:
            raise _no_parent(parent, ref, "it is no other issue")

    async def move(self, issue: replies.IssueReply, ref: ItemRef, parent: ItemRef | None) -> None:
        """Put an issue below another one, or below none.

        Raises:
            ScopeMissing: The login may not, or this server has no sub-issues.
        """
        before, body = self.of(issue), {"sub_issue_id": issue.id}
        try:
            if parent is not None:
                path = f"{_issue_path(parse_id(parent.id))}/sub_issues"
                await self.api.post(path, {**body, "replace_parent": True})
            elif before is not None:
                await self.api.delete(f"{_issue_path(parse_id(before.id))}/sub_issue", body)
        except ItemNotFound as error:
            wanted = f"below {parent.id}" if parent else "out of its parent"
            raise ScopeMissing(
                f"GitHub did not move {ref.id} {wanted}: {error.message}",
                hint="It wants triage access to both repositories. An older GitHub Enterprise "
                "Server has no sub-issues.",
            ) from error


def _no_parent(parent: ItemRef, ref: ItemRef, why: str) -> WrongCall:
    return WrongCall(f"{parent.id} cannot be the parent of {ref.id}: {why}")


def parent_of(issue: replies.IssueReply) -> tuple[str, int] | None:
    """Return the repository and the number of the issue above another one."""
    found = _ADDRESS.search(issue.parent_issue_url)
    return (found[1], int(found[2])) if found else None


def _issue_path(named: ParsedId) -> str:
    if named.sha:
        raise WrongCall(f"{named.repository}@{named.sha} is a commit, and no issue")
    return f"{repository_path(named.repository)}/issues/{named.number}"
