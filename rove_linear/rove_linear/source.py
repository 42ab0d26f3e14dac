"""One Linear account: its issues, with what was said below them."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import datetime

from rove_core import (
    JSON,
    Account,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemRef,
    Login,
    Query,
    Reply,
    SourceHooks,
    authorization,
    hookimpl,
    ticket_ids,
)
from rove_linear import queries, replies
from rove_linear.faults import fault
from rove_linear.settings import API_KEY, LinearSettings

_HOST = "linear.app"
_PAGE = re.compile(r"https://linear\.app/([\w-]+)/issue/([A-Z][A-Z0-9_]*-[0-9]+)\b")


class LinearSource(SourceHooks):
    """Reads one Linear workspace as one of its members."""

    def __init__(self, account: Account[LinearSettings], http: Http) -> None:
        self._account = account
        self._http = http.reading(fault)
        self._workspace = account.identity.workspace if account.identity else ""
        self._prefixes = account.identity.prefixes if account.identity else ()

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for a personal API key; Linear wants it bare, with no scheme before it."""
        key = await login.ask_secret(API_KEY)
        return authorization(self._account, key.reveal())

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose key it is, of which workspace, and how its teams' identifiers begin."""
        who = (await self._ask(queries.WHO)).read(replies.Who).data
        return Identity(
            name=who.viewer.name,
            id=who.viewer.id,
            reads=(who.viewer.organization.name,),
            prefixes=tuple(team.key for team in who.teams.nodes),
            hosts=(_HOST,),
            workspace=who.viewer.organization.urlKey,
        )

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield issues in which, or below which, the words occur, best first."""
        reply = await self._ask(
            queries.SEARCH,
            {
                "term": query.text,
                "first": min(query.limit, self._account.settings.page_size),
                "filter": _window(query.since, query.until),
            },
        )
        for issue in reply.read(replies.Found).data.searchIssues.nodes:
            yield self._item(issue)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return an issue with its comments, its parent and children, and what it points at."""
        reply = await self._ask(queries.ISSUE, {"id": ref.id})
        return self._item(reply.read(replies.OneIssue).data.issue)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an identifier means the same wherever it stands
        """Return the issues whose identifiers, or pages in this workspace, stand in a text."""
        pages = [issue for place, issue in _PAGE.findall(text) if place == self._workspace]
        known = dict.fromkeys([*pages, *ticket_ids(text, self._prefixes)])
        return [self._ref(identifier) for identifier in known]

    async def _ask(self, query: str, variables: Mapping[str, JSON] | None = None) -> Reply:
        return await self._http.post(
            "graphql", json={"query": query, "variables": dict(variables or {})}
        )

    def _ref(self, identifier: str, url: str = "") -> ItemRef:
        """Return where an issue is, without its title in the URL: titles change."""
        if self._workspace:
            url = f"https://{_HOST}/{self._workspace}/issue/{identifier}"
        return ItemRef(self._account.name, "ticket", identifier, url)

    def _item(self, issue: replies.Issue) -> ContextItem:
        around = [issue.parent] if issue.parent else []
        comments = sorted(issue.comments.nodes, key=lambda comment: comment.createdAt)
        return ContextItem(
            ref=self._ref(issue.identifier, issue.url),
            source="linear",
            title=issue.title,
            content="\n\n".join(_content(issue)),
            timestamp=issue.updatedAt,
            author=_author(issue.creator, issue.externalUserCreator, issue.botActor),
            metadata={
                "created": issue.createdAt,
                "labels": [label.name for label in issue.labels.nodes],
                "status": issue.state.name,
            },
            links=tuple(
                self._ref(other.identifier, other.url) for other in [*around, *issue.children.nodes]
            ),
            thread=tuple(self._comment(issue.identifier, comment) for comment in comments),
        )

    def _comment(self, identifier: str, comment: replies.Comment) -> ContextItem:
        return ContextItem(
            ref=ItemRef(self._account.name, "comment", f"{identifier}/{comment.id}", comment.url),
            source="linear",
            title=f"{identifier} comment",
            content=comment.body,
            timestamp=comment.updatedAt,
            author=_author(comment.user, comment.externalUser, comment.botActor),
            metadata={"on": identifier},
        )


def _content(issue: replies.Issue) -> Iterator[str]:
    """Yield the description, and what the issue points at: other sources know their own URLs."""
    if issue.description:
        yield issue.description
    attached = [f"- {' '.join(each.title.split())}: {each.url}" for each in issue.attachments.nodes]
    if attached:
        yield "\n".join(["Attached:", *attached])


def _author(*candidates: replies.Named | None) -> str:
    return next((each.name for each in candidates if each and each.name), "")


def _window(since: datetime | None, until: datetime | None) -> JSON:
    limits = {"gte": since, "lte": until}
    told = {name: limit.isoformat() for name, limit in limits.items() if limit}
    return {"updatedAt": told} if told else None
