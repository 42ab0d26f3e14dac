"""The source of one Jira account: tickets with discussion and history."""

from base64 import b64encode
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from urllib.parse import urlsplit

from attrs import evolve

from rove_core import (
    Account,
    Container,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemNotFound,
    ItemRef,
    ListedChange,
    ListScope,
    Login,
    Query,
    SourceHooks,
    authorization,
    hookimpl,
)
from rove_core.auth.oauth import renew_login
from rove_core.json_reader import text
from rove_jira.api import JiraApi, gateway
from rove_jira.confluence import PREFIX, ConfluencePages, PageMentions
from rove_jira.detail import Fetch
from rove_jira.errors import who
from rove_jira.files import AttachedFiles
from rove_jira.identity import identity
from rove_jira.issue_reader import IssueReader
from rove_jira.items import JiraItems, changed
from rove_jira.listing import ProjectListing, containers
from rove_jira.login import app_of, enter
from rove_jira.references import JiraReferences
from rove_jira.search import JiraSearch
from rove_jira.settings import (
    ACCESS_TOKEN,
    API_TOKEN,
    BEARER,
    DATA_CENTER,
    EMAIL,
    OAUTH,
    PAT,
    JiraSettings,
)
from rove_jira.window import Zone


class JiraSource(SourceHooks):
    """Reads one site of Jira Cloud, or one Jira Data Center."""

    def __init__(self, account: Account[JiraSettings], http: Http) -> None:
        self._account = account
        self._http = http
        self._site = JiraApi(account, http)
        hosts = account.hosts or (urlsplit(account.base_url).netloc,)
        prefixes = account.identity.prefixes if account.identity else ()
        self._mentions = JiraReferences(hosts, prefixes)
        address = _address(account, hosts[0])
        self._tickets = JiraItems(account.name, address, self._site)
        self._pages = ConfluencePages(account.name, address, self._site)
        self._page_mentions = PageMentions(hosts)
        issues = IssueReader(self._site)
        self._files = AttachedFiles(self._site, issues)
        self._fetch = Fetch(self._site, self._tickets, issues, self._files)
        self._zone: Zone | None = None
        #: What an app was allowed when somebody logged in with it just now.
        self._scopes: tuple[str, ...] = ()

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for e-mail and API token, which together are the credential, or for a bearer token.

        It opens the site or, if the token has scopes, the gateway: both are Atlassian's. What an
        app gives opens the gateway alone.
        """
        if login.way == OAUTH.name:
            credential, self._site.cloud = await enter(self._account, login)
            self._scopes = credential.scopes
            return credential
        if login.way in {BEARER.name, PAT.name}:
            field = ACCESS_TOKEN if login.way == BEARER.name else PAT.fields[0]
            value = f"Bearer {(await login.ask_secret(field)).reveal()}"
        else:
            email = await login.ask(EMAIL)
            token = await login.ask_secret(API_TOKEN)
            value = f"Basic {b64encode(f'{email}:{token.reveal()}'.encode()).decode()}"
        credential = authorization(self._account, value)
        behind = urlsplit(gateway(self._account.base_url)).netloc
        return evolve(credential, hosts=tuple(dict.fromkeys([*credential.hosts, behind])))

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange a login that an app gave; Atlassian changes both its tokens each time."""
        return await renew_login(self._http, app_of(self._account), credential)

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return the user, the site, and the readable projects."""
        return await identity(self._account, self._site, self._scopes)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncGenerator[ContextItem, None]:
        """Yield the ticket that is named, then those with all the words, newest change first."""
        search = JiraSearch(
            self._site, await self._zone_for(query), self._account.settings.page_size
        )
        left = query.limit
        async with aclosing(search.issues(query)) as issues:
            async for issue in issues:
                at = changed(issue)
                if at is None or query.covers(at):
                    yield self._tickets.found(issue)
                    left -= 1
                if left <= 0:
                    return

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a ticket with its discussion, or one comment or change of it."""
        try:
            if ref.id.startswith(PREFIX):
                return await self._pages.item(ref.id.removeprefix(PREFIX))
            item = await self._fetch.item(ref.id)
        except ItemNotFound as error:
            raise ItemNotFound(
                f"{ref.id}: not found, or not visible to {who(self._account)}",
                account=self._account.name,
            ) from error
        self._mentions.learn(item.ref.id.partition("/")[0])
        return item

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the projects that the account may read."""
        return await containers(self._site)

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the tickets of some projects that changed, with all but the pages they link."""
        async with aclosing((await self._listing()).changes(scope)) as changes:
            async for change in changes:
                yield change

    @hookimpl
    async def rove_list_recent(self, scope: ListScope) -> AsyncGenerator[ListedChange, None]:
        """Yield the tickets of several projects that changed recently."""
        async with aclosing((await self._listing()).recent(scope)) as changes:
            async for change in changes:
                yield change

    async def _listing(self) -> ProjectListing:
        size, zone = self._account.settings.page_size, await self._own_zone()
        return ProjectListing(self._site, self._fetch, zone, size, self._http.clock)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a key means the same wherever it stands
        """Return the tickets that a text names by key or address."""
        found = [self._tickets.ref(key) for key in self._mentions.keys(text)]
        if self._account.settings.confluence and not self._site.is_data_center:
            found += map(self._pages.ref, self._page_mentions.numbers(text))
        return found

    async def _zone_for(self, query: Query) -> Zone:
        """Return the time zone of a query's window; without one any zone will do."""
        return await self._own_zone() if query.since or query.until else Zone.named("UTC")

    async def _own_zone(self) -> Zone:
        """Return the account's time zone, which is requested once."""
        if self._zone is None:
            me = (await self._site.get("myself", kind="myself")).json()
            self._zone = Zone.named(text(me, "timeZone"))
        return self._zone


def _address(account: Account[JiraSettings], host: str) -> str:
    """Return the base address of the site's pages; Data Center may be below a path."""
    workspace = account.identity.workspace if account.identity else ""
    return account.base_url.rstrip("/") if workspace == DATA_CENTER else f"https://{host}"
