"""Mappings of MCP servers: search and read tools, and fields of their answers."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final
from urllib.parse import urlsplit

from attrs import evolve, frozen

from rove_core import JSON, WrongSetting
from rove_mcp.settings import McpSettings

_DATA: Final = files("rove_mcp.source")
#: Keys by which servers say the same, the likeliest first.
_IDS: Final = ("id", "uri", "key", "identifier")
_TITLES: Final = ("title", "name", "summary", "subject")
_TEXTS: Final = ("text", "content", "body", "description", "markdown", "highlight")
_AUTHORS: Final = ("author", "metadata.author", "created_by", "user", "owner", "creator")
_TIMES: Final = (
    *("updated_at", "updatedAt", "modified_at", "modifiedTime", "last_edited_time"),
    *("lastModified", "last_modified", "timestamp", "metadata.updated_at", "metadata.lastModified"),
    *("metadata.last_modified", "metadata.timestamp", "created_at", "createdAt", "date"),
)
_URLS: Final = ("url", "html_url", "link", "permalink", "web_url")
_RESULTS: Final = ("results", "items", "data", "issues", "pages", "files", "documents")


@frozen(kw_only=True)
class ServerMapping:
    """Mapping of a server: search and read tools, and fields of their answers.

    Attributes:
        name: What the mapping is called; empty for one that the tools themselves tell.
        search_tool: The tool that searches; resources are searched when empty.
        search_argument: Its argument that takes the words.
        search_form: How the words stand in it.
        search_with: Its other arguments, each as ``name=value``.
        read_tool: The tool that reads one item; empty when the search brings all.
        read_argument: Its argument that takes the id.
        results: Paths of the list of results.
        block: The pattern of the line that begins a result, where the results are one text; each
            line of the text is an id when empty.
        id: Paths of an item's id.
        title: Paths of its title.
        text: Paths of its text.
        author: Paths of its author.
        time: Paths of the time it was last changed.
        url: Paths of its address.
        page: The address of an item, with ``{id}``.
        hosts: Hosts on which items live.
        item_domains: Domains below which each customer has a host.
        role: What items are to people.
    """

    name: str = ""
    search_tool: str = ""
    search_argument: str = "query"
    search_form: str = "{words}"
    search_with: tuple[str, ...] = ()
    read_tool: str = ""
    read_argument: str = "id"
    results: tuple[str, ...] = _RESULTS
    block: str = ""
    id: tuple[str, ...] = _IDS
    title: tuple[str, ...] = _TITLES
    text: tuple[str, ...] = _TEXTS
    author: tuple[str, ...] = _AUTHORS
    time: tuple[str, ...] = _TIMES
    url: tuple[str, ...] = _URLS
    page: str = ""
    hosts: tuple[str, ...] = ()
    item_domains: tuple[str, ...] = ()
    role: str = "page"


@cache
def shipped_mappings() -> Mapping[str, Mapping[str, Any]]:
    """Return the shipped mappings by name, as they are written."""
    return tomllib.loads(_DATA.joinpath("mappings.toml").read_text("utf-8"))


def mapping_of(settings: McpSettings, url: str, tools: Sequence[str]) -> ServerMapping:
    """Return how a server is used: as the settings say, as its vendor's mapping, or by its tools.

    Args:
        settings: The account's settings.
        url: Where the server answers.
        tools: The names of its tools.

    Raises:
        WrongSetting: There is no mapping of the name that the settings give.
    """
    name = settings.mapping or _for_host(urlsplit(url).hostname or "") or _for_tools(tools)
    mappings = shipped_mappings()
    if name and name not in mappings:
        raise WrongSetting(
            f"there is no mapping {name!r}", hint=f"There are: {', '.join(sorted(mappings))}"
        )
    found = _shipped_mapping(name) if name else ServerMapping()
    if not name and "search" in tools:
        found = evolve(found, search_tool="search", read_tool="fetch" * ("fetch" in tools))
    elif found.search_tool and found.search_tool not in tools and "search" in tools:
        # A server that has moved on to what connectors agree on is used so.
        found = evolve(
            ServerMapping(name=name, hosts=found.hosts, item_domains=found.item_domains),
            search_tool="search",
            read_tool="fetch" * ("fetch" in tools),
        )
    return _with_settings(found, settings)


def in_form(words: str, form: str) -> str:
    """Return words as the form of a search has them; between quotes, a quote is escaped."""
    if "'{words}'" in form:
        words = words.replace("\\", "\\\\").replace("'", "\\'")
    return form.replace("{words}", words)


def at(value: JSON, path: str) -> JSON:
    """Return the value at a path; None if there is none."""
    for key in path.split(".") if path else ():
        match value:
            case Mapping():
                value = value.get(key)
            case list() if key.isdecimal() and int(key) < len(value):
                value = value[int(key)]
            case _:
                return None
    return value


def first_at(value: JSON, paths: Sequence[str]) -> JSON:
    """Return the value at the first path that has one."""
    return next((found for path in paths if (found := at(value, path)) not in (None, "")), None)


def _for_host(host: str) -> str:
    return next(
        (name for name, each in shipped_mappings().items() if host in each.get("domains", ())), ""
    )


def _for_tools(tools: Sequence[str]) -> str:
    """Return the mapping of a self-hosted server, identified by its tools."""
    return next(
        (
            name
            for name, each in shipped_mappings().items()
            if each.get("tools") and set(each["tools"]) <= set(tools)
        ),
        "",
    )


def _shipped_mapping(name: str) -> ServerMapping:
    entry = shipped_mappings()[name]
    mapping = ServerMapping(
        name=name,
        search_tool=entry["search_tool"],
        search_argument=entry["search_argument"],
        search_form=entry.get("search_form", "{words}"),
        search_with=tuple(entry.get("search_with", ())),
        read_tool=entry["read_tool"],
        read_argument=entry.get("read_argument", "id"),
        block=entry.get("block", ""),
        page=entry.get("page", ""),
        hosts=tuple(entry.get("hosts", ())),
        item_domains=tuple(entry.get("item_domains", ())),
        role=entry.get("role", "page"),
    )
    return evolve(
        mapping,
        results=_prefer(entry.get("results"), _RESULTS),
        id=_prefer(entry.get("id"), _IDS),
        title=_prefer(entry.get("name_path"), _TITLES),
        text=_prefer(entry.get("text"), _TEXTS),
        author=_prefer(entry.get("author"), _AUTHORS),
        time=_prefer(entry.get("time"), _TIMES),
        url=_prefer(entry.get("url"), _URLS),
    )


def _prefer(path: str | None, others: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((path, *others))) if path else others


def _with_settings(found: ServerMapping, own: McpSettings) -> ServerMapping:
    """Return a mapping with the user's settings applied."""
    return evolve(
        found,
        search_tool=own.search_tool or found.search_tool,
        search_argument=own.search_argument or found.search_argument,
        search_form=own.search_form if own.search_form != "{words}" else found.search_form,
        search_with=own.search_with or found.search_with,
        read_tool=own.read_tool or found.read_tool,
        read_argument=own.read_argument or found.read_argument,
        results=_prefer(own.results, found.results),
        id=_prefer(own.id, found.id),
        title=_prefer(own.title, found.title),
        text=_prefer(own.text, found.text),
        author=_prefer(own.author, found.author),
        time=_prefer(own.time, found.time),
        url=_prefer(own.url, found.url),
        page=own.page or found.page,
        hosts=(*own.hosts, *found.hosts),
        role=own.role if own.role != "page" else found.role,
    )
