"""One GitHub account: its pull requests and issues, with what was said below them."""

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from urllib.parse import urlsplit

from rove_core import (
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
)
from rove_github import replies
from rove_github.settings import ACCESS_TOKEN, GitHubSettings

_FULL = re.compile(r"(?<![\w/.-])([\w.-]+/[\w.-]+)#(\d+)\b")
_PULL = re.compile(r"\b(?:PR|pull request)\s+#(\d+)\b", re.IGNORECASE)
_PAGE = re.compile(r"https://([\w.:-]+)/([\w.-]+/[\w.-]+)/(pull|issues)/(\d+)\b")


class GitHubSource(SourceHooks):
    """Reads what one GitHub token may see."""

    def __init__(self, account: Account[GitHubSettings], http: Http) -> None:
        self._account = account
        self._http = http
        self._host = account.hosts[0] if account.hosts else "github.com"

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for an access token."""
        token = await login.ask_secret(ACCESS_TOKEN)
        return authorization(self._account, f"Bearer {token.reveal()}")

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return whose token it is."""
        me = (await self._http.get("user")).read(replies.User)
        host = urlsplit(me.html_url).netloc or "github.com"
        return Identity(
            name=me.login, id=str(me.id), reads=self._account.settings.repositories, hosts=(host,)
        )

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield pull requests and issues in which the words occur, newest change first."""
        scope = "".join(f" repo:{name}" for name in self._account.settings.repositories)
        asked: dict[str, str | int] = {
            "q": f'"{query.text}"{scope}',
            "sort": "updated",
            "per_page": min(query.limit, self._account.settings.page_size),
        }
        found = (await self._http.get("search/issues", params=asked)).read(replies.Found)
        fitting = [issue for issue in found.items if query.covers(issue.updated_at)]
        for issue in fitting[: query.limit]:
            yield self._item(issue)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a pull request or an issue with its comments."""
        repository, _, number = ref.id.rpartition("#")
        place = f"repos/{repository}/issues/{number}"
        issue = (await self._http.get(place)).read(replies.Issue)
        comments = (await self._http.get(f"{place}/comments")).read(tuple[replies.Comment, ...])
        item = self._item(issue)
        return self._item(issue, tuple(self._comment(item, comment) for comment in comments))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:
        """Return the pull requests and issues that a text names."""
        return list(dict.fromkeys(self._named(text, origin)))

    def _named(self, text: str, origin: ItemRef | None) -> Iterator[ItemRef]:
        for host, repository, kind, number in _PAGE.findall(text):
            if host == self._host:
                yield self._ref(repository, number, "pr" if kind == "pull" else "issue")
        for repository, number in _FULL.findall(text):
            yield self._ref(repository, number, "pr")
        if repository := self._near(origin):
            for number in _PULL.findall(text):
                yield self._ref(repository, number, "pr")

    def _near(self, origin: ItemRef | None) -> str:
        """Return the repository that a bare number means here; empty when nobody can know."""
        if origin and origin.account == self._account.name:
            return origin.id.rpartition("#")[0]
        known = self._account.settings.repositories
        return known[0] if len(known) == 1 else ""

    def _ref(self, repository: str, number: str | int, kind: str) -> ItemRef:
        folder = "pull" if kind == "pr" else "issues"
        url = f"https://{self._host}/{repository}/{folder}/{number}"
        return ItemRef(self._account.name, kind, f"{repository}#{number}", url)

    def _item(self, issue: replies.Issue, thread: tuple[ContextItem, ...] = ()) -> ContextItem:
        owner, name, folder, _ = urlsplit(issue.html_url).path.strip("/").split("/")
        kind = "pr" if folder == "pull" else "issue"
        label = "PR" if kind == "pr" else "Issue"
        return ContextItem(
            ref=self._ref(f"{owner}/{name}", issue.number, kind),
            source="github",
            title=f"{label} #{issue.number}: {issue.title}",
            content=issue.body or "",
            timestamp=issue.updated_at,
            author=issue.user.login if issue.user else "",
            metadata={"created": issue.created_at, "state": issue.state},
            thread=thread,
        )

    def _comment(self, item: ContextItem, comment: replies.Comment) -> ContextItem:
        return ContextItem(
            ref=ItemRef(
                self._account.name, "comment", f"{item.ref.id}/{comment.id}", comment.html_url
            ),
            source="github",
            title=f"{item.ref.id} comment",
            content=comment.body or "",
            timestamp=comment.updated_at,
            author=comment.user.login if comment.user else "",
            metadata={"on": item.ref.id.rpartition("/")[2]},
        )
