"""A server in front of the one that serves a company: it adds the listings that mirrors need.

What serves a company answers searches and single items. Vendors can also list a project's tickets
and a repository's pull requests, those that changed last first; that is answered here.

It also invents an author and a time for each ticket whose own nobody knows, the same for all. With
these, all tickets would seem to be by one person and of one day, which misleads ranking; they are
taken out again.
"""

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import parse_qsl, quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from attrs import define, field, frozen

from benchmarks.context.outside import Outside
from benchmarks.context.served import Server

_JIRA: Final = re.compile(r"/jira/rest/api/([23])/(project/search|search/jql)$")
_ISSUES: Final = re.compile(r"/github/repos/[^/]+/[^/]+/issues$")
_LISTED: Final = re.compile(r"\bproject\s+(?:in|=)", re.IGNORECASE)
#: Times are compared here, because what serves a company compares days, and a ticket whose time
#: nobody knows counts as old, so that only what changed is listed again.
_UPDATED: Final = re.compile(r'\s*\bAND\s+updated\s*(>=|<=)\s*"([^"]+)"', re.IGNORECASE)
_PAGE: Final = 100
#: Requests that bring tickets, and the time of those whose time nobody knows.
_TICKETS: Final = re.compile(r"/jira/rest/api/[23]/(search|issue/[^/]+$)")
_UNKNOWN_TIME: Final = datetime.fromtimestamp(0, UTC)
_UNKNOWN_TEXT: Final = "1970-01-01T00:00:00.000+0000"


@frozen
class _Answer:
    """What a client gets."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(factory=dict)

    @classmethod
    def of(cls, value: object, **headers: str) -> "_Answer":
        return cls(200, json.dumps(value).encode(), headers)


@contextmanager
def with_listings(server: Server, company: Outside) -> Iterator[Server]:
    """Give a server of a company that lists, too, with a log of its own."""
    log = server.log.with_name("listed.jsonl")
    log.touch()
    listings = _Listings(server, company)

    class Handler(_Handler):
        answers, log_file = listings, log

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as front:
        listings.url = f"http://127.0.0.1:{front.server_port}"
        thread = threading.Thread(target=front.serve_forever, daemon=True)
        thread.start()
        try:
            yield Server(listings.url, log)
        finally:
            front.shutdown()
            thread.join()


@define(slots=False, eq=False)
class _Listings:
    """Answers listings, and passes the rest on."""

    server: Server
    company: Outside
    url: str = field(default="", init=False)
    _found: dict[str, Sequence[Mapping[str, Any]]] = field(factory=dict, init=False)
    _seen: dict[str, Mapping[str, Any]] = field(factory=dict, init=False)

    def answer(self, path: str, body: bytes) -> _Answer:
        """Return what a vendor answers."""
        url = urlsplit(path)
        query: dict[str, Any] = dict(parse_qsl(url.query))
        query |= json.loads(body) if body.startswith(b"{") else {}
        if named := _JIRA.search(url.path):
            if named[2] == "project/search":
                return self._projects()
            if _LISTED.search(str(query.get("jql", ""))):
                return self._tickets(named[1], query)
        if _ISSUES.search(url.path):
            return self._pulls(url.path, int(query.get("page", 1)))
        return self._passed_on(path, body)

    def _projects(self) -> _Answer:
        keys = {key.partition("-")[0] for key in self.company.tickets}
        values = [{"key": each, "name": each} for each in sorted(keys)]
        return _Answer.of({"values": values, "isLast": True, "total": len(values)})

    def _tickets(self, version: str, query: Mapping[str, Any]) -> _Answer:
        """Return a page of the tickets that a clause holds for, by when they changed."""
        key = f"{version} {query['jql']}"
        if key not in self._found:
            jql = str(query["jql"])
            ends = {sign: at.replace("/", "-") for sign, at in _UPDATED.findall(jql)}
            tickets = {
                at: each
                for each in self._all_tickets(version, _UPDATED.sub("", jql))
                if ends.get(">=", "") <= (at := _changed(each))[0] <= ends.get("<=", "9")
            }
            self._found[key] = [tickets[at] for at in sorted(tickets, reverse=True)]
        start, found = int(query.get("nextPageToken") or 0), self._found[key]
        page = found[start : start + min(_PAGE, int(query.get("maxResults") or _PAGE))]
        end = start + len(page)
        more = {"nextPageToken": str(end)} if end < len(found) else {}
        return _Answer.of({"issues": page, "isLast": not more, **more})

    def _all_tickets(self, version: str, jql: str) -> Iterator[Mapping[str, Any]]:
        start, total = 0, 1
        while start < total:
            query = urlencode({"jql": jql, "startAt": start, "maxResults": _PAGE})
            reply = json.loads(
                self._passed_on(f"/jira/rest/api/{version}/search?{query}", b"").body
            )
            start, total = start + _PAGE, int(reply["total"])
            yield from reply["issues"]

    def _pulls(self, path: str, page: int) -> _Answer:
        """Return a page of the pull requests, the newest first; they never changed later."""
        names = self._pull_numbers
        shown = names[(page - 1) * _PAGE : page * _PAGE]
        place = path.removesuffix("issues")
        pulls = [self._pull(f"{place}pulls/{each}") for each in shown]
        if page * _PAGE >= len(names):
            return _Answer.of(pulls)
        following = f"{self.url}{quote(path)}?state=all&sort=updated&page={page + 1}"
        return _Answer.of(pulls, Link=f'<{following}>; rel="next"')

    def _pull(self, path: str) -> Mapping[str, Any]:
        """Return a pull request, asked for once: a listing of thousands is answered many times."""
        if path not in self._seen:
            self._seen[path] = json.loads(self._asked(path, b"").body)
        return self._seen[path]

    @cached_property
    def _pull_numbers(self) -> Sequence[str]:
        pulls = {
            name.rpartition("/")[2]: item.timestamp
            for name, item in self.company.items.items()
            if item.account == "github" and item.ref.kind == "pr"
        }
        return sorted(pulls, key=lambda number: pulls[number], reverse=True)

    def _passed_on(self, path: str, body: bytes) -> _Answer:
        answer = self._asked(path, body)
        if answer.status != HTTPStatus.OK or not _TICKETS.search(urlsplit(path).path):
            return answer
        value = json.loads(answer.body)
        for ticket in value.get("issues", [value]):
            self._forget_inventions(ticket)
        return _Answer.of(value)

    def _forget_inventions(self, ticket: dict[str, Any]) -> None:
        """Remove an author and a time that the company does not know."""
        item, fields = self.company.items[f"jira:{ticket['key']}"], ticket["fields"]
        if not item.author:
            fields |= {"creator": None, "reporter": None}
        if item.timestamp == _UNKNOWN_TIME:
            fields |= {"created": _UNKNOWN_TEXT, "updated": _UNKNOWN_TEXT}

    def _asked(self, path: str, body: bytes) -> _Answer:
        """Ask what serves the company; its own address becomes this one's."""
        request = Request(f"{self.server.url}{path}", data=body or None)  # noqa: S310  # on this machine
        try:
            with urlopen(request) as reply:  # noqa: S310  # a server on this machine
                return _Answer(reply.status, self._here(reply.read()))
        except HTTPError as error:
            return _Answer(error.code, self._here(error.read()))

    def _here(self, body: bytes) -> bytes:
        return body.replace(self.server.url.encode(), self.url.encode())


def _changed(ticket: Mapping[str, Any]) -> tuple[str, str]:
    """Return when a ticket changed, as clauses have it, and its key."""
    return str(ticket["fields"]["updated"])[:16].replace("T", " "), str(ticket["key"])


class _Handler(BaseHTTPRequestHandler):
    """Reads requests, and writes a line for each."""

    protocol_version = "HTTP/1.1"
    #: Headers and body in one packet: sent apart, the second waits 40 ms for an acknowledgement.
    wbufsize = -1
    answers: _Listings
    log_file: Path
    _lock: Final = threading.Lock()

    def do_GET(self) -> None:
        """Answer."""
        self._answer(b"")

    def do_POST(self) -> None:
        """Answer."""
        self._answer(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def _answer(self, body: bytes) -> None:
        answer = self.answers.answer(self.path, body)
        with self._lock, self.log_file.open("a", encoding="utf-8") as log:
            log.write(f"{json.dumps({'path': self.path})}\n")
        self.send_response(answer.status)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(answer.body))}
        for name, value in {**headers, **answer.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        with suppress(BrokenPipeError):  # who asks may have had enough
            self.wfile.write(answer.body)
