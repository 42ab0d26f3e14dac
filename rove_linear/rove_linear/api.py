"""Linear's only endpoint: queries, mutations and paging."""

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Final, TypeVar

from rove_core import JSON, Http, MalformedReply, Reply, ScopeMissing
from rove_core.http import Options, cursor_pages
from rove_linear.errors import change_fault, fault, is_too_complex

_LOG: Final = logging.getLogger("rove.linear")
#: How Linear counts: searches by the minute, and all by the hour, as its headers tell.
QUESTION: Final[Options] = {"kind": "query"}
SEARCH: Final[Options] = {"kind": "search", "per_minute": 30}

_LARGEST_PAGE: Final = 250
_MOST_PAGES: Final = 1_000

_Page = TypeVar("_Page")


class LinearApi:
    """Asks Linear as one account.

    Args:
        http: The account's requests.
        page_size: How many things to ask for at once.

    Attributes:
        knows_more: Whether no question for more than issues was refused so far.
    """

    def __init__(self, http: Http, page_size: int) -> None:
        self._http = http.reading(fault)
        self._changing = http.reading(change_fault)
        self._page_size = min(page_size, _LARGEST_PAGE)
        self.knows_more = True

    async def ask_more(
        self,
        query: str,
        plain: str,
        variables: Mapping[str, JSON],
        *,
        options: Options = QUESTION,
        most: int = _LARGEST_PAGE,
    ) -> Reply:
        """Return the reply to a question that not every Linear answers, else to a plainer one.

        What was refused once, because a field is not there or not for this login, is not asked
        for again.

        Args:
            query: The question.
            plain: The same without what may be refused.
            variables: The variables of both.
            options: What Linear counts it as.
            most: How many things are enough.
        """
        if self.knows_more:
            try:
                return await self.ask(query, variables, options=options, most=most)
            except (MalformedReply, ScopeMissing) as error:
                if isinstance(error, MalformedReply) and is_too_complex(error):
                    raise
                _LOG.info("Linear is asked for issues alone: %s", error)
                self.knows_more = False
        return await self.ask(plain, variables, options=options, most=most)

    async def ask(
        self,
        query: str,
        variables: Mapping[str, JSON],
        *,
        options: Options = QUESTION,
        most: int = _LARGEST_PAGE,
        page_size: int | None = None,
    ) -> Reply:
        """Return the reply to a query; after "too complex", smaller pages are requested.

        Args:
            query: The question, with the size of its pages as ``$first``.
            variables: Its other variables.
            options: What Linear counts it as.
            most: How many things are enough.
            page_size: How many things to ask for at once where they are small; else as the
                account's settings say.
        """
        at_once = page_size or self._page_size
        while True:
            first = min(most, at_once)
            size: Mapping[str, JSON] = {"first": first} if "$first" in query else {}
            body: JSON = {"query": query, "variables": {**variables, **size}}
            try:
                return await self._http.post("graphql", json=body, repeatable=True, **options)
            except MalformedReply as error:
                if first == 1 or not is_too_complex(error):
                    raise
            at_once = first // 2
            self._page_size = min(self._page_size, at_once)

    async def ask_once(self, query: str, variables: Mapping[str, JSON], *, most: int) -> Reply:
        """Return the reply to several searches in one query; it is not made simpler.

        Args:
            query: The searches, with the size of their pages as ``$first``.
            variables: Its other variables.
            most: How many things of each are enough.
        """
        size = min(most, self._page_size)
        body: JSON = {"query": query, "variables": {**variables, "first": size}}
        return await self._http.post("graphql", json=body, repeatable=True, **SEARCH)

    async def change(
        self, text: str, variables: Mapping[str, JSON], *, repeatable: bool = True
    ) -> Reply:
        """Return the reply to a change.

        Args:
            text: The change, in GraphQL; it may have the size of its pages as ``$first``.
            variables: Its other variables.
            repeatable: Whether it changes nothing more when it comes a second time.
        """
        size: Mapping[str, JSON] = {"first": self._page_size} if "$first" in text else {}
        body: JSON = {"query": text, "variables": {**variables, **size}}
        return await self._changing.post("graphql", json=body, repeatable=repeatable, **QUESTION)


async def read_pages(
    ask: Callable[[str | None], Awaitable[Reply]],
    shape: type[_Page],
    following: Callable[[_Page], str],
) -> AsyncGenerator[_Page, None]:
    """Yield page after page, each read once.

    Args:
        ask: Asks for the page at a cursor; the first has none.
        shape: What a page is read as.
        following: Finds the next cursor in a page; it is empty after the last.
    """
    read: list[_Page] = []

    async def fetch(cursor: str | None) -> Reply:
        reply = await ask(cursor)
        read[:] = [reply.read(shape)]
        return reply

    replies = cursor_pages(fetch, lambda _: following(read[0]), most=_MOST_PAGES)
    async with aclosing(replies):
        async for _ in replies:
            yield read[0]
