"""The source of one account: an MCP server to search and read."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from attrs import evolve

from rove_core import (
    JSON,
    Account,
    ContextItem,
    Credential,
    Http,
    Identity,
    ItemNotFound,
    ItemRef,
    Login,
    Query,
    SourceHooks,
    WrongSetting,
    authorization,
    hookimpl,
)
from rove_mcp.probe import CONNECTED, OfferedTool, ServerProbe
from rove_mcp.settings import APP, COMMAND, KEY, OAUTH, OPEN, TOKEN, McpSettings
from rove_mcp.source.http_wire import HttpWire
from rove_mcp.source.item_mapping import ServerMapping, in_form, mapping_of
from rove_mcp.source.items import ItemMaker
from rove_mcp.source.process_wire import ProcessWire
from rove_mcp.source.tools import TOOL_NAME, ServerTool, ServerTools
from rove_mcp.source.wire import Conversation

if TYPE_CHECKING:
    from rove_mcp.source.wire import Wire

_MOST_RESOURCES: Final = 1_000
_LONGEST_TITLE: Final = 60
_RESOURCE: Final = "resource"
#: Where a resource says what it is about.
_NAMING: Final = ("uri", "name", "title", "description")


class McpSource(SourceHooks):
    """Searches and reads one MCP server."""

    def __init__(self, account: Account[McpSettings], http: Http) -> None:
        self._account = account
        self._http = http
        self._conversation = Conversation(_wire(account, http), account.name)
        identity = account.identity
        self._tools = ServerTools(self._conversation, identity.id if identity else "")
        CONNECTED[account.name] = self

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Log in: in a browser, with a token or key, or without a login."""
        settings, host = self._account.settings, urlsplit(self._account.base_url).netloc
        if login.way in {OAUTH.name, APP.name}:
            from rove_mcp.source.login import enter  # noqa: PLC0415  # few accounts log in so

            return await enter(self._account, login)
        if login.way in {OPEN.name, COMMAND.name}:
            if login.way == COMMAND.name and not settings.command:
                raise WrongSetting(
                    f"{self._account.name} has no command",
                    hint=f'Give it: rove --add-source {self._account.name} --command "npx ..."',
                )
            return Credential(headers={}, hosts=(host,))
        token = await login.ask_secret(TOKEN)
        if login.way == KEY.name:
            return Credential(headers={settings.key_header: token}, hosts=(host,))
        return authorization(self._account, f"Bearer {token.reveal()}")

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Exchange a login of the browser for its successor."""
        from rove_mcp.source.login import renew  # noqa: PLC0415  # few accounts log in so

        return await renew(self._http, credential)

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Revoke a login of the browser."""
        from rove_mcp.source.login import revoke  # noqa: PLC0415  # few accounts log in so

        await revoke(self._http, self._account.name)

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return the server's name, and pin the tools in use."""
        mapping = await self._mapping()
        names = _used_tools(mapping)
        self._tools.approved = ""
        if problem := await self._problem(mapping):
            # A person looks at the tools then, and says which to use.
            return Identity(name=self._name, reads=(problem,))
        hosts = list(mapping.hosts)
        if mapping.item_domains:
            hosts += await self._customer_hosts(mapping)
        reads = tuple(names) or ("resources",)
        return Identity(
            name=self._name,
            id=await self._tools.digest(names),
            reads=reads,
            hosts=tuple(dict.fromkeys(hosts)),
        )

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the results of the server's search, in its order."""
        mapping = await self._mapping()
        await self._tools.check(_used_tools(mapping))
        maker, seen = self._maker(mapping), set[str]()
        for item in await self._search_items(mapping, maker, query):
            if item.ref.id in seen or not query.covers(item.timestamp):
                continue
            seen.add(item.ref.id)
            yield item
            if len(seen) >= query.limit:
                return

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return an item with its whole text."""
        mapping = await self._mapping()
        await self._tools.check(_used_tools(mapping))
        maker = self._maker(mapping)
        if ref.kind == _RESOURCE:
            return await self._resource(maker, ref.id)
        if not mapping.read_tool:
            raise ItemNotFound(f"{self._account.name} cannot read single items: {ref.id}")
        answer = await self._tools.call(mapping.read_tool, {mapping.read_argument: ref.id})
        item = maker.item(maker.read(answer, ref.id), id=ref.id)
        return evolve(item, ref=ref) if ref.url and not item.ref.url else item

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an address means the same wherever it stands
        """Return the items whose addresses a text contains."""
        mapping = mapping_of(self._account.settings, self._account.base_url, ())
        return self._maker(mapping).recognised(text)

    @property
    def _name(self) -> str:
        """Return the account's name; the server's own name is not the user's."""
        return f"a client of {_printable(self._conversation.title) or self._account.name}"

    async def probe(self) -> ServerProbe:
        """Return what the server offers, and how Rove uses it."""
        mapping = await self._mapping()
        tools = await self._tools.all()
        return ServerProbe(
            account=self._account.name,
            server=_printable(self._conversation.title),
            mapping=mapping.name,
            search_tool=mapping.search_tool,
            read_tool=mapping.read_tool,
            problem=await self._problem(mapping),
            tools=tuple(map(_offered_tool, tools.values())),
            resources="resources" in self._conversation.capabilities,
        )

    async def _problem(self, mapping: ServerMapping) -> str:
        """Return why the server cannot be searched; empty if it can."""
        try:
            await self._tools.check(_used_tools(mapping))
            if not mapping.search_tool:
                self._check_resources()
        except WrongSetting as error:
            return error.message
        return ""

    async def _mapping(self) -> ServerMapping:
        tools = await self._tools.all()
        return mapping_of(self._account.settings, self._account.base_url, tuple(tools))

    def _maker(self, mapping: ServerMapping) -> ItemMaker:
        identity = self._account.identity
        own = {urlsplit(self._account.base_url).netloc, *mapping.hosts, *self._account.hosts}
        return ItemMaker(
            account=self._account.name,
            mapping=mapping,
            hosts=frozenset(own | set(identity.hosts if identity else ())),
            undated=self._http.clock.now().replace(microsecond=0),
        )

    async def _search_items(
        self, mapping: ServerMapping, maker: ItemMaker, query: Query
    ) -> Sequence[ContextItem]:
        if not mapping.search_tool:
            return await self._found_resources(maker, query)
        answer = await self._call_search(mapping, query.text)
        return [maker.item(row, id=maker.id(row)) for row in maker.results(answer)]

    async def _call_search(self, mapping: ServerMapping, words: str) -> JSON:
        others = (each.partition("=") for each in mapping.search_with)
        query = in_form(words, mapping.search_form)
        texts = {name: text for name, _, text in others} | {mapping.search_argument: query}
        return await self._tools.call(mapping.search_tool, texts)

    async def _found_resources(self, maker: ItemMaker, query: Query) -> Sequence[ContextItem]:
        """Return the resources whose names or descriptions contain all words."""
        self._check_resources()
        words, found, looked = query.text.casefold().split(), list[ContextItem](), 0
        async with aclosing(self._conversation.pages("resources/list", "resources")) as rows:
            async for row in rows:
                looked += 1
                description = " ".join(str(row.get(key, "")) for key in _NAMING)
                if all(word in description.casefold() for word in words):
                    item = maker.item(row, id=str(row.get("uri", "")))
                    found.append(evolve(item, ref=evolve(item.ref, kind=_RESOURCE)))
                if looked >= _MOST_RESOURCES or len(found) >= query.limit:
                    break
        return found

    def _check_resources(self) -> None:
        if "resources" not in self._conversation.capabilities:
            raise WrongSetting(
                f"{self._account.name} has no search tool that Rove knows and no resources",
                hint=f"List its tools: rove sources probe {self._account.name}",
            )

    async def _resource(self, maker: ItemMaker, uri: str) -> ContextItem:
        result = await self._conversation.ask("resources/read", {"uri": uri})
        contents = result.get("contents")
        texts = [
            text
            for each in (contents if isinstance(contents, list) else [])
            if isinstance(each, Mapping) and isinstance(text := each.get("text"), str)
        ]
        item = maker.item({"text": "\n".join(texts), "title": uri, "url": uri}, id=uri)
        return evolve(item, ref=evolve(item.ref, kind=_RESOURCE))

    async def _customer_hosts(self, mapping: ServerMapping) -> Sequence[str]:
        """Return the hosts of a customer of a shared domain, by the addresses of a first search."""
        answer = await self._call_search(mapping, "test")
        maker = self._maker(mapping)
        urls = [str(row.get("url", "")) for row in maker.results(answer)]
        hosts = [urlsplit(url).netloc for url in urls]
        return [
            host
            for host in dict.fromkeys(hosts)
            if any(host == each or host.endswith(f".{each}") for each in mapping.item_domains)
        ]


def _offered_tool(tool: ServerTool) -> OfferedTool:
    """Return a tool for people; a name that is no name is left out."""
    properties = tool.schema.get("properties")
    arguments = properties if isinstance(properties, Mapping) else {}
    return OfferedTool(
        name=tool.name,
        reads=tool.reads,
        arguments=tuple(filter(TOOL_NAME.fullmatch, arguments)),
    )


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() else " " for each in text)[:_LONGEST_TITLE]


def _used_tools(mapping: ServerMapping) -> Sequence[str]:
    return [name for name in (mapping.search_tool, mapping.read_tool) if name]


def _wire(account: Account[McpSettings], http: Http) -> "Wire":
    settings = account.settings
    if settings.command:
        return ProcessWire(settings.command, settings.environment, account.name, http.clock)
    return HttpWire(http, account.base_url, account.name)
