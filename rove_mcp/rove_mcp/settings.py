"""Settings and login methods of an MCP server account."""

from typing import Final

import attrs
from attrs import frozen

from rove_core import LoginField, LoginWay
from rove_core.auth.oauth import CLIENT_ID, CLIENT_SECRET, OAuthSettings

TOKEN: Final = LoginField(name="token", title="Token or API key", secret=True)
OAUTH: Final = LoginWay(
    name="oauth",
    title="In a browser if the server asks for a login; it renews itself",
    person=True,
    default=True,
)
APP: Final = LoginWay(
    name="app",
    title="In a browser, with an app that you registered",
    fields=(CLIENT_ID, CLIENT_SECRET),
    person=True,
)
BEARER: Final = LoginWay(name="token", title="Token from the server's owner", fields=(TOKEN,))
KEY: Final = LoginWay(name="key", title="API key, in a header of its own", fields=(TOKEN,))
OPEN: Final = LoginWay(name="open", title="No login: the server needs none")
COMMAND: Final = LoginWay(
    name="command", title="A local server, started as a command", base_url="http://localhost"
)


@frozen(kw_only=True)
class McpSettings(OAuthSettings):
    """The settings of an MCP server.

    Vendors limit the calls of tools. Notion allows 180 a minute, others more; each says itself
    when it wants fewer.

    Attributes:
        command: The command that starts a local server; empty for one that answers by HTTP.
        environment: The variables that a local server is given, by name; besides them it gets
            PATH, HOME, LANG, TMPDIR and USER.
        key_header: The header of an API key.
        scope: The scopes to log in with; those that the server names when empty.
        mapping: The shipped mapping to use; the one for the server's host when empty.
        search_tool: The tool that searches.
        search_argument: Its argument that takes the words.
        search_form: How the words stand in it (``**/*{words}*``).
        search_with: Its other arguments, each as ``name=value``.
        read_tool: The tool that reads one item.
        read_argument: Its argument that takes the item's id.
        results: Where the results stand in the answer of the search (``data.items``); where
            that is a text, each line is the id of one.
        id: Where the id stands in a result.
        title: Where the title stands.
        text: Where the text stands.
        author: Where the author stands.
        time: Where the time of the last change stands.
        url: Where the address stands.
        page: The address of an item, with ``{id}``: by it ids are found in texts.
        hosts: The hosts on which its items live, besides the server's own.
        role: What its items are to people.
    """

    rate_limit: int = 180
    command: str = ""
    environment: tuple[str, ...] = ()
    key_header: str = "X-API-Key"
    scope: str = ""
    mapping: str = ""
    search_tool: str = ""
    search_argument: str = ""
    search_form: str = "{words}"
    search_with: tuple[str, ...] = ()
    read_tool: str = ""
    read_argument: str = ""
    results: str = ""
    id: str = ""
    title: str = ""
    text: str = ""
    author: str = ""
    time: str = ""
    url: str = ""
    page: str = ""
    hosts: tuple[str, ...] = ()
    role: str = attrs.field(
        default="page",
        validator=attrs.validators.in_(("ticket", "change", "talk", "page", "code", "file")),
    )
