"""How many one-line faults the compliance suite catches: ``python -m benchmarks mutants``.

Each fault is written into a copy of a plugin that reaches gold. A fault counts as caught when the
copy no longer reaches gold. The kinds of mistake were listed first, and then placed in the code.
"""

# ruff: noqa: E501  # a fault is one line, whatever its length

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from attrs import frozen

from rove.new_plugin import make_plugin
from rove_core.testing.levels import MISSING

_TRACKER: Final = "rove_wiki/tracker.py"
_SOURCE: Final = "rove_wiki/source.py"
_INIT: Final = "rove_wiki/__init__.py"


@frozen
class Fault:
    """One line that is wrong.

    Attributes:
        kind: The kind of mistake.
        file: Where it is, in a plugin made by ``rove plugins new wiki``.
        right: What stood there.
        wrong: What stands there now.
    """

    kind: str
    file: str
    right: str
    wrong: str


_COVERS: Final = "if query.covers(ticket.changed):"
_RETURN_COMMENTS: Final = "for comment in ticket.comments"
_READ_TICKET: Final = "return self._item((await self._http.get(path)).read(TicketReply))"
_EACH_TICKET: Final = "for ticket in reply.read(Page).tickets:"
_CREDENTIAL: Final = "return token.credential(app, urlsplit(self._account.base_url).netloc)"
_RENEW: Final = "return await renew_login(self._http, self._app(), credential)"
_RECOGNISE: Final = "return [self._ref(name) for name in dict.fromkeys(self._id.findall(text))]"

#: Faults of a source behind HTTP.
FAULTS: Final = (
    # What is found
    Fault("only the first page", _TRACKER, "return reply.read(Page).next", "return None"),
    Fault(
        "order reversed", _TRACKER, _EACH_TICKET, "for ticket in reply.read(Page).tickets[::-1]:"
    ),
    Fault(
        "each item twice",
        _TRACKER,
        "                    yield ticket",
        "                    yield ticket; yield ticket",
    ),
    Fault(
        "first item of a page lost",
        _TRACKER,
        _EACH_TICKET,
        "for ticket in reply.read(Page).tickets[1:]:",
    ),
    Fault(
        "last item of a page lost",
        _TRACKER,
        _EACH_TICKET,
        "for ticket in reply.read(Page).tickets[:-1]:",
    ),
    Fault("limit ignored", _TRACKER, "left -= 1", "left -= 0"),
    Fault("limit off by one", _TRACKER, "left = query.limit", "left = query.limit + 1"),
    Fault("window ignored", _TRACKER, _COVERS, "if True:"),
    Fault(
        "since ignored", _TRACKER, _COVERS, "if not query.until or ticket.changed <= query.until:"
    ),
    Fault(
        "until ignored", _TRACKER, _COVERS, "if not query.since or ticket.changed >= query.since:"
    ),
    Fault(
        "since exclusive",
        _TRACKER,
        _COVERS,
        "if query.covers(ticket.changed) and ticket.changed != query.since:",
    ),
    Fault("fields ignored", _TRACKER, "if query.fields:", "if False:"),
    Fault(
        "fields ignored for several words",
        _TRACKER,
        "if query.fields:",
        "if query.fields and len(query.text.split()) == 1:",
    ),
    Fault(
        "window ignored in fields",
        _TRACKER,
        _COVERS,
        "if query.fields or query.covers(ticket.changed):",
    ),
    Fault(
        "one word of several",
        _TRACKER,
        '"q": query.text,',
        '"q": (query.text.split() or [""])[0],',
    ),
    Fault(
        "only one field used",
        _TRACKER,
        "if query.fields:",
        "params['in'] = 'title'\n        if query.fields:",
    ),
    Fault("words in another case", _TRACKER, '"q": query.text,', '"q": query.text[:3],'),
    # Failures
    Fault(
        "429 as nothing",
        _TRACKER,
        "        async with aclosing(self._found(query)) as found:",
        "        from rove_core import RateLimited\n        from contextlib import suppress\n        async with aclosing(self._found(query)) as found:\n          with suppress(RateLimited):",
    ),
    Fault(
        "every failure as nothing",
        _TRACKER,
        "        async with aclosing(self._found(query)) as found:",
        "        from rove_core import RoveError\n        from contextlib import suppress\n        async with aclosing(self._found(query)) as found:\n          with suppress(RoveError):",
    ),
    Fault(
        "5xx as not found",
        _TRACKER,
        f"        {_READ_TICKET}",
        f"        from rove_core import ItemNotFound, Unavailable\n        try:\n            {_READ_TICKET}\n        except Unavailable as error:\n            raise ItemNotFound('gone') from error",
    ),
    Fault(
        "429 as not found",
        _TRACKER,
        f"        {_READ_TICKET}",
        f"        from rove_core import ItemNotFound, RateLimited\n        try:\n            {_READ_TICKET}\n        except RateLimited as error:\n            raise ItemNotFound('gone') from error",
    ),
    Fault(
        "403 as an empty item",
        _TRACKER,
        f"        {_READ_TICKET}",
        f"        from rove_core import ScopeMissing\n        try:\n            {_READ_TICKET}\n        except ScopeMissing:\n            return self._item(TicketReply(ref.id, ref.id, '', '', datetime(2024, 1, 1, tzinfo=__import__('datetime').UTC)))",
    ),
    Fault(
        "a foreign error",
        _TRACKER,
        f"        {_READ_TICKET}",
        f"        try:\n            {_READ_TICKET}\n        except Exception as error:\n            raise ValueError('oops') from error",
    ),
    Fault(
        "404 as an item",
        _TRACKER,
        f"        {_READ_TICKET}",
        f"        from rove_core import ItemNotFound\n        try:\n            {_READ_TICKET}\n        except ItemNotFound:\n            return self._item(TicketReply(ref.id, ref.id, '', '', datetime(2024, 1, 1, tzinfo=__import__('datetime').UTC)))",
    ),
    Fault(
        "identity hides a refusal",
        _TRACKER,
        '        me = (await self._http.get("api/me")).read(Me)',
        "        from rove_core import RoveError\n        try:\n            me = (await self._http.get('api/me')).read(Me)\n        except RoveError:\n            me = Me('somebody')",
    ),
    # What an item says
    Fault("title empty", _TRACKER, "title=ticket.title,", 'title="",'),
    Fault("title is the id", _TRACKER, "title=ticket.title,", "title=ticket.id,"),
    Fault("content empty", _TRACKER, "content=ticket.text,", 'content="",'),
    Fault("content cut", _TRACKER, "content=ticket.text,", "content=ticket.text[:20],"),
    Fault(
        "content stripped of tags",
        _TRACKER,
        "content=ticket.text,",
        'content=re.sub(r"<[^>]*>?", "", ticket.text),',
    ),
    Fault(
        "content escaped",
        _TRACKER,
        "content=ticket.text,",
        'content=ticket.text.replace("&", "&amp;").replace("<", "&lt;"),',
    ),
    Fault(
        "content in lower case", _TRACKER, "content=ticket.text,", "content=ticket.text.lower(),"
    ),
    Fault(
        "author empty",
        _TRACKER,
        "            author=ticket.author,\n            facts",
        '            author="",\n            facts',
    ),
    Fault(
        "author by first name",
        _TRACKER,
        "            author=ticket.author,\n            facts",
        "            author=ticket.author.split()[0],\n            facts",
    ),
    Fault("url empty", _TRACKER, "kind=kind, id=name, url=url)", "kind=kind, id=name)"),
    Fault("url of another page", _TRACKER, '/tickets/{name}"', '/ticket/{name.lower()}"'),
    Fault(
        "url of another host",
        _TRACKER,
        'url = f"{self._account.base_url}',
        'url = f"https://acme.example',
    ),
    Fault(
        "local time for UTC",
        _TRACKER,
        "timestamp=ticket.changed,",
        "timestamp=ticket.changed + __import__('datetime').timedelta(hours=1),",
    ),
    Fault(
        "the machine's zone",
        _TRACKER,
        "timestamp=ticket.changed,",
        "timestamp=ticket.changed.replace(tzinfo=None).astimezone(),",
    ),
    Fault(
        "a naive time",
        _TRACKER,
        "timestamp=ticket.changed,",
        "timestamp=ticket.changed.replace(tzinfo=None),",
    ),
    Fault(
        "the time of reading",
        _TRACKER,
        "timestamp=ticket.changed,",
        "timestamp=datetime.now(__import__('datetime').UTC),",
    ),
    Fault(
        "role of another thing", _TRACKER, '            role="ticket",', '            role="page",'
    ),
    Fault(
        "status dropped",
        _TRACKER,
        "status=ItemStatus(name=ticket.status) if ticket.status else None,",
        "status=None,",
    ),
    Fault("links dropped", _TRACKER, "links=tuple(links),", "links=(),"),
    Fault("every link relates", _TRACKER, '_RELATIONS.get(other.type, "relates")', '"relates"'),
    Fault("links turned around", _TRACKER, '"blocks": "blocks"', '"blocks": "blocked_by"'),
    Fault(
        "thread dropped",
        _TRACKER,
        f"thread=tuple(self._comment(ticket, comment) {_RETURN_COMMENTS}),",
        "thread=(),",
    ),
    Fault("thread cut", _TRACKER, _RETURN_COMMENTS, "for comment in ticket.comments[:1]"),
    Fault("thread reversed", _TRACKER, _RETURN_COMMENTS, "for comment in ticket.comments[::-1]"),
    Fault(
        "comments by the ticket's author",
        _TRACKER,
        "author=comment.author,",
        "author=ticket.author,",
    ),
    Fault(
        "comments at the ticket's time",
        _TRACKER,
        "timestamp=comment.at,",
        "timestamp=ticket.changed,",
    ),
    Fault("comments without words", _TRACKER, "content=comment.text,", 'content="",'),
    # Accounts and references
    Fault(
        "account by a fixed name",
        _TRACKER,
        "account=self._account.name, kind=kind",
        'account="wiki", kind=kind',
    ),
    Fault("another item than was asked for", _TRACKER, "{quote(ref.id, safe='')}", "WIKI-1"),
    Fault("ids not quoted", _TRACKER, "quote(ref.id, safe='')", "ref.id"),
    Fault(
        "recognises inside words",
        _TRACKER,
        r"(?<![\w/.-]))(WIKI-[0-9]+)(?![\w-])",
        r")(WIKI-[0-9]+)",
    ),
    Fault("recognises the addresses of others", _TRACKER, r"(?<![\w/.-])", r"(?<![\w.-])"),
    Fault("recognises nothing", _TRACKER, _RECOGNISE, "return []"),
    Fault(
        "one client for all accounts",
        _TRACKER,
        '        async with aclosing(self._http.pages("api/tickets", _next, params=params)) as replies:',
        "        type(self)._one = one = getattr(type(self), '_one', self._http)\n        async with aclosing(one.pages('api/tickets', _next, params=params)) as replies:",
    ),
    Fault(
        "one account for all",
        _TRACKER,
        "        self._account = account\n",
        "        self._account = self.__class__.__dict__.get('_first') or account\n        self.__class__._first = self._account\n",
    ),
    # Logins
    Fault(
        "rotated token dropped",
        _SOURCE,
        _RENEW,
        "from attrs import evolve\n        return evolve(credential, access=(await renew_login(self._http, self._app(), credential)).access)",
    ),
    Fault("renewal does nothing", _SOURCE, _RENEW, "return credential"),
    Fault(
        "renewal hides a refusal",
        _SOURCE,
        f"        {_RENEW}",
        f"        from rove_core import LoginRefused\n        try:\n            {_RENEW}\n        except LoginRefused:\n            return credential",
    ),
    Fault(
        "trouble as a refusal",
        _SOURCE,
        f"        {_RENEW}",
        f"        from rove_core import LoginRefused, RetryLater\n        try:\n            {_RENEW}\n        except RetryLater as error:\n            raise LoginRefused('no') from error",
    ),
    Fault(
        "credential for every host",
        _SOURCE,
        _CREDENTIAL,
        'return token.credential(app, urlsplit(self._account.base_url).netloc, "example.com")',
    ),
    Fault(
        "asks for what it does not declare",
        _SOURCE,
        "await login.ask(CLIENT_ID)",
        "await login.ask(CLIENT_ID.__class__(name='x', title='x'))",
    ),
    Fault(
        "token in the log",
        _SOURCE,
        f"        {_CREDENTIAL}",
        f"        import logging\n        logging.getLogger().warning('got %s', token.access.reveal())\n        {_CREDENTIAL}",
    ),
    # Manners
    Fault(
        "prints",
        _TRACKER,
        "        left = query.limit\n",
        "        left = query.limit\n        print('searching')\n",
    ),
    Fault(
        "sleeps in the loop",
        _TRACKER,
        "        left = query.limit\n",
        "        left = query.limit\n        __import__('time').sleep(0.001)\n",
    ),
    Fault(
        "reads a file when recognising",
        _TRACKER,
        f"        {_RECOGNISE}",
        f"        open(__file__).close()\n        {_RECOGNISE}",
    ),
    Fault(
        "imports its source with its kind",
        _INIT,
        "from rove_wiki.settings",
        "import httpx\nfrom rove_wiki.settings",
    ),
    Fault(
        "a task left behind",
        _TRACKER,
        "        left = query.limit\n",
        "        left = query.limit\n        import asyncio\n        self._t = asyncio.ensure_future(asyncio.Event().wait())\n",
    ),
    Fault(
        "a marker forgotten",
        _TRACKER,
        "    @hookimpl\n    async def rove_item_detail",
        "    async def rove_item_detail",
    ),
    Fault("a hook misspelt", _TRACKER, "async def rove_item_detail", "async def rove_item_details"),
    Fault(
        "a search that is no generator",
        _TRACKER,
        "                    yield self._item(ticket)",
        "                    return self._item(ticket)",
    ),
)


def main(arguments: Sequence[str]) -> None:
    """Play each fault, and print what was caught and what was not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="faults whose kind contains this")
    only: str = parser.parse_args(arguments).only
    chosen = [fault for fault in FAULTS if only in fault.kind]
    with tempfile.TemporaryDirectory() as folder:
        plugin = announced(Path(folder, "plugin"))
        if failure := first_failure(plugin):
            sys.exit(f"without a fault the plugin does not reach gold: {failure}")
        missed = list(_missed(plugin, chosen))
    print(f"{len(chosen) - len(missed)} of {len(chosen)} faults caught")
    print(*(f"missed: {fault.kind}" for fault in missed), sep="\n")


def _missed(plugin: Path, faults: Sequence[Fault]) -> Iterator[Fault]:
    for fault in faults:
        file = plugin / fault.file
        text = file.read_text("utf-8")
        if fault.right not in text:
            raise ValueError(f"{fault.kind}: {fault.right!r} is not in {fault.file}")
        file.write_text(text.replace(fault.right, fault.wrong, 1), "utf-8")
        failure = first_failure(plugin)
        file.write_text(text, "utf-8")
        print(f"{'caught' if failure else 'MISSED':7} {fault.kind:40} {failure}", flush=True)
        if not failure:
            yield fault


def announced(
    plugin: Path, *, kind: str = "oauth", writes: bool = False, name: str = "wiki"
) -> Path:
    """Make a plugin, let it be found as an installed one, and return its folder."""
    make_plugin(name, kind=kind, target=plugin, writes=writes)
    about = plugin / f"rove_{name}-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: rove-{name}\nVersion: 0.1.0\n")
    (about / "entry_points.txt").write_text(f"[rove]\n{name} = rove_{name}\n")
    return plugin


def first_failure(plugin: Path, *, only: str = "", name: str = "wiki") -> str:
    """Return what keeps the plugin from gold; empty when it reaches it.

    Args:
        plugin: Its folder.
        only: The one standard test to run; all when empty.
        name: The kind of source that it brings.
    """
    done = subprocess.run(  # noqa: S603  # our own command
        [
            sys.executable,
            "-m",
            "pytest",
            "-x",
            "-q",
            "-rfEs",
            "-p",
            "no:cacheprovider",
            "-p",
            "no:schemathesis",  # no suite needs it, and it takes longer to load than pytest
            "tests",
            "-k",
            only,
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=plugin,
        env={
            **os.environ,
            "PYTHONPATH": str(plugin),
            "PYTHONDONTWRITEBYTECODE": "1",
            "ROVE_LOAD_PLUGINS": name,
        },
    )
    if done.returncode:
        found = re.search(r"^(?:FAILED|ERROR) \S+?(\w+)(?: - .*)?$", done.stdout, re.MULTILINE)
        return found[1] if found else "the tests cannot be run"
    return MISSING if MISSING in done.stdout else ""


if __name__ == "__main__":
    main(sys.argv[1:])
