"""Acme in a box: pages, tokens and limits as the real one has them, on this machine alone."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from copy import deepcopy
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from rove_core.testing import FaultProxy, SeenRequest, ServerReply, Vendor

from acme_changes import FakeChanges  # writes
from acme_login import FakeLogins

TICKETS: list[dict[str, Any]] = [
    {
        "id": "ACME-3",
        "title": "Rotate keys as needed",
        "text": "Every login of a partner ends in June.",
        "author": "Cleo Ash",
        "changed": "2024-12-14T09:00:00+01:00",
    },
    {
        "id": "ACME-2",
        "title": "Login with OAuth2",
        "text": "Needed for *the* pilot: `if a<b && c>d` fails today, see <https://acme.example>.",
        "author": "Ben Day",
        "changed": "2024-12-12T09:00:00+01:00",
        "status": "In progress",
        "links": [{"type": "blocks", "id": "ACME-3"}, {"type": "part of", "id": "ACME-1"}],
        "comments": [
            {"id": "7", "author": "Ann", "text": "Until `<June>`?", "at": "2024-12-12T10:00:00Z"},
            {"id": "8", "author": "Ben Day", "text": "Yes, @Ann.", "at": "2024-12-12T11:00:00Z"},
        ],
    },
    {
        "id": "ACME-1",
        "title": "Partners",
        "text": "They keep their keys; a login with a key is enough.",
        "author": "Ann",
        "changed": "2024-12-10T09:00:00+01:00",
    },
]
#: How many requests the server takes before it says 429 once: more than any test needs.
LIMIT = 500


class Acme:
    """Answers as the vendor does."""

    def __init__(self) -> None:
        self.logins = FakeLogins()
        self.tickets = deepcopy(TICKETS)
        self.changes = FakeChanges(self.tickets)  # writes
        self._asked = 0

    def __call__(self, seen: SeenRequest) -> ServerReply:
        """Return the reply to one request."""
        self._asked += 1
        if self._asked % LIMIT == 0:
            return ServerReply(status=429, headers={"retry-after": "1"})
        url = urlsplit(seen.path)
        if answer := self.logins.answer(seen):
            return answer
        query, login = parse_qs(url.query), seen.headers.get("authorization", "")
        if not self.logins.lets_in(login):
            return _json({"error": "who are you?"}, status=401)
        if seen.method != "GET":  # writes
            if not self.logins.may_write(login):  # writes
                return _json({"error": "it needs tickets:write"}, status=403)  # writes
            return _json(**self.changes.make(seen))  # writes
        if url.path == "/api/changes":  # writes
            return _json(_page(url.path, query, self.changes.listed(query)))  # writes
        if url.path == "/api/me":
            return _json({"name": "Robin Doe"})  # reads
            return _json({"name": "Robin Doe", "writes": self.logins.may_write(login)})  # writes
        if url.path == "/api/tickets":
            return _json(_page(url.path, query, self._found(query)))
        for ticket in self.tickets:
            if url.path == f"/api/tickets/{ticket['id']}":
                return _json(ticket)
        return _json({"error": "no such ticket"}, status=404)

    def _found(self, query: Mapping[str, list[str]]) -> list[dict[str, Any]]:
        """Return the tickets that contain all words."""
        fields = query.get("in", ["title,text"])[0].split(",")
        words = query["q"][0].lower().split()
        texts = [" ".join(str(one[name]) for name in fields).lower() for one in self.tickets]
        both = zip(self.tickets, texts, strict=True)
        return [ticket for ticket, text in both if all(word in text for word in words)]


@asynccontextmanager
async def acme() -> AsyncIterator[Vendor]:
    """Yield the fake vendor with three tickets."""
    server = Acme()
    async with FaultProxy(server) as proxy:
        yield Vendor(base_url=proxy.url, **server.logins.answers())  # reads
        yield Vendor(  # writes
            base_url=proxy.url,  # writes
            steps={"add": server.changes.add, "edit": server.changes.edit},  # writes
            there=server.changes.there,  # writes
            reader=Vendor(base_url=proxy.url, **server.logins.reader()),  # writes
            **server.logins.answers(),  # writes
        )  # writes


def _page(
    path: str, query: Mapping[str, list[str]], found: Sequence[dict[str, Any]]
) -> Mapping[str, object]:
    """Return one page of tickets, and where the next page is."""
    first, size = int(query.get("from", ["0"])[0]), int(query.get("size", ["50"])[0])
    page, rest = found[first : first + size], found[first + size :]
    again = {name: texts[0] for name, texts in query.items()} | {"from": str(first + size)}
    return {"tickets": page, "next": f"{path}?{urlencode(again)}" if rest else None}


def _json(body: object, *, status: int = 200) -> ServerReply:
    headers = {"content-type": "application/json"}
    return ServerReply(status=status, headers=headers, body=json.dumps(body).encode())
