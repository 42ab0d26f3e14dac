"""Read one issue, then the remaining pages of its lists."""

import json
from contextlib import aclosing
from typing import Final

from attrs import frozen

from rove_core import ItemNotFound, Reply
from rove_linear import queries
from rove_linear.api import LinearApi, read_pages
from rove_linear.replies import IssueNode, OneIssue
from rove_linear.wiki_queries import around

#: Nobody reads more of an issue.
_MOST_PAGES: Final = 200


@frozen
class IssuePages:
    """Reads issues by their identifiers, also those that they had before they moved.

    Attributes:
        api: Requests to the vendor.
        who: Who asks, as people name them.
    """

    api: LinearApi
    who: str

    async def whole(self, identifier: str) -> list[IssueNode]:
        """Return an issue with all its parts; a deleted one, too."""
        first = queries.issue(around=around(documents=25))
        return await self._pages(identifier, first, queries.issue())

    async def present(self, identifier: str) -> list[IssueNode]:
        """Return an issue with all its parts.

        Raises:
            ItemNotFound: It is not there, or was deleted: Linear keeps it for some weeks.
        """
        return _not_deleted(identifier, await self.whole(identifier))

    async def some(self, identifier: str, *lists: str) -> list[IssueNode]:
        """Return an issue that people work on, with some of its lists.

        Raises:
            ItemNotFound: It is not there, or was deleted: Linear keeps it for some weeks.
        """
        return _not_deleted(identifier, await self._pages(identifier, queries.issue(lists=lists)))

    async def _pages(self, identifier: str, first: str, plain: str = "") -> list[IssueNode]:
        try:
            return await self._read(identifier, first, plain or first)
        except ItemNotFound as error:
            message = f"{identifier} is not in Linear, or not visible to {self.who}"
            raise ItemNotFound(message) from error

    async def _read(self, identifier: str, first: str, plain: str) -> list[IssueNode]:
        """Return an issue, then the further pages of its lists, of all that go on at once.

        Args:
            identifier: The issue's.
            first: The question for it.
            plain: What is asked instead where that is refused.
        """

        async def ask(cursor: str | None) -> Reply:
            after = json.loads(cursor or "{}")
            if not after and first != plain:
                return await self.api.ask_more(first, plain, {"id": identifier})
            question = queries.issue(after) if after else first
            return await self.api.ask(question, {"id": identifier, **after})

        found: list[IssueNode] = []
        async with aclosing(read_pages(ask, OneIssue, _next_cursors)) as pages:
            async for page in pages:
                if page.data.issue is None:
                    raise ItemNotFound(f"Linear gives no issue for {identifier}")
                found.append(page.data.issue)
                if len(found) >= _MOST_PAGES:
                    break
        return found


def _not_deleted(identifier: str, pages: list[IssueNode]) -> list[IssueNode]:
    if pages[0].trashed:
        raise ItemNotFound(f"{identifier} was deleted in Linear")
    return pages


def _next_cursors(page: OneIssue) -> str:
    """Return the cursors of all lists that go on, as one."""
    cursors = page.data.issue.next if page.data.issue else {}
    return json.dumps(cursors) if cursors else ""
