"""One Jira account: its tickets, with what was said below them."""

import re
from base64 import b64encode
from collections.abc import AsyncIterator, Sequence
from urllib.parse import urlsplit

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
    SourceHooks,
    authorization,
    hookimpl,
    ticket_ids,
)
from rove_jira import replies
from rove_jira.rich_text import to_markdown
from rove_jira.settings import API_TOKEN, EMAIL, JiraSettings

_FIELDS = ["summary", "description", "creator", "created", "updated", "labels", "status"]
_PAGE = re.compile(r"(https://[\w.:-]+)/browse/([A-Z][A-Z0-9_]+-[0-9]+)\b")


class JiraSource(SourceHooks):
    """Reads one Jira Cloud site."""

    def __init__(self, account: Account[JiraSettings], http: Http) -> None:
        self._account = account
        self._http = http
        host = account.hosts[0] if account.hosts else urlsplit(account.base_url).netloc
        self._site = f"https://{host}"

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for e-mail and API token: together they are the Basic credential."""
        email = await login.ask(EMAIL)
        token = await login.ask_secret(API_TOKEN)
        basic = b64encode(f"{email}:{token.reveal()}".encode()).decode()
        return authorization(self._account, f"Basic {basic}")

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose token it is, and the site it opens."""
        me = (await self._http.get("rest/api/3/myself")).read(replies.User)
        site = (await self._http.get("rest/api/3/serverInfo")).read(replies.Server)
        host = urlsplit(site.baseUrl).netloc
        return Identity(name=me.displayName, id=me.accountId, reads=(host,), hosts=(host,))

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield tickets in which the words occur, newest change first."""
        phrase = query.text.replace("\\", "\\\\").replace('"', '\\"')
        body: JSON = {
            "jql": f'text ~ "\\"{phrase}\\"" ORDER BY updated DESC',
            "fields": _FIELDS,
            "maxResults": min(query.limit, self._account.settings.page_size),
        }
        page = (await self._http.post("rest/api/3/search/jql", json=body)).read(replies.Page)
        fitting = [issue for issue in page.issues if query.covers(issue.fields.updated)]
        for issue in fitting[: query.limit]:
            yield self._item(issue)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a ticket with its comments."""
        path = f"rest/api/3/issue/{ref.id}"
        issue = (await self._http.get(path)).read(replies.Issue)
        comments = (await self._http.get(f"{path}/comment")).read(replies.Comments)
        thread = tuple(self._comment(issue.key, comment) for comment in comments.comments)
        return self._item(issue, thread)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a key means the same wherever it stands
        """Return the tickets whose keys, or pages of this site, stand in a text."""
        pages = [key for site, key in _PAGE.findall(text) if site == self._site]
        known = self._account.identity.prefixes if self._account.identity else ()
        return [self._ref(key) for key in dict.fromkeys([*pages, *ticket_ids(text, known)])]

    def _ref(self, key: str) -> ItemRef:
        return ItemRef(self._account.name, "ticket", key, f"{self._site}/browse/{key}")

    def _item(self, issue: replies.Issue, thread: tuple[ContextItem, ...] = ()) -> ContextItem:
        fields = issue.fields
        return ContextItem(
            ref=self._ref(issue.key),
            source="jira",
            title=fields.summary,
            content=to_markdown(fields.description),
            timestamp=fields.updated,
            author=fields.creator.displayName if fields.creator else "",
            metadata={
                "created": fields.created,
                "labels": list(fields.labels),
                "status": fields.status.name if fields.status else "",
            },
            thread=thread,
        )

    def _comment(self, key: str, comment: replies.Comment) -> ContextItem:
        url = f"{self._site}/browse/{key}?focusedCommentId={comment.id}"
        return ContextItem(
            ref=ItemRef(self._account.name, "comment", f"{key}/{comment.id}", url),
            source="jira",
            title=f"{key} comment",
            content=to_markdown(comment.body),
            timestamp=comment.updated,
            author=comment.author.displayName if comment.author else "",
            metadata={"on": key},
        )
