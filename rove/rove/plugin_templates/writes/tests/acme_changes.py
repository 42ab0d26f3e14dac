"""Changes in the fake Acme: revisions, status transitions and idempotency keys."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from rove_core.testing import SeenRequest

NEXT = {"Open": ["In progress"], "In progress": ["Open", "Done"], "Done": ["In progress"]}
NOON = datetime(2024, 12, 20, 12, 0, tzinfo=UTC)


class FakeChanges:
    """Changes tickets; those that changed last come first."""

    def __init__(self, tickets: list[dict[str, Any]]) -> None:
        self._tickets = tickets
        self._keys: dict[str, dict[str, Any]] = {}
        self._added: list[dict[str, Any]] = []
        self._ticks = 0
        for ticket in tickets:
            status = ticket.setdefault("status", "Open")
            ticket.update(revision=1, labels=[], next=NEXT[status], created=ticket["changed"])

    def make(self, seen: SeenRequest) -> dict[str, Any]:
        """Return the body and the status of the reply to a request that changes something."""
        body, (_, _, *place) = json.loads(seen.body), seen.path.split("/")
        if place == ["tickets"]:
            return {"body": self._create(body, seen.headers["idempotency-key"]), "status": 201}
        ticket = next((one for one in self._tickets if one["id"] == place[1]), None)
        if ticket is None:
            return {"body": {"error": "no such ticket"}, "status": 404}
        if "comments" in place:
            return {"body": self._comment(ticket, place[3], body["text"]), "status": 200}
        if seen.headers["if-match"] != str(ticket["revision"]):
            return {"body": {"error": "it has changed"}, "status": 412}
        if body.get("status", ticket["status"]) not in (ticket["status"], *ticket["next"]):
            return {"body": {"error": "not possible now"}, "status": 422}
        self._change(ticket, **body)
        return {"body": ticket, "status": 200}

    def listed(self, asked: Mapping[str, list[str]]) -> list[dict[str, Any]]:
        """Return the tickets that changed in some time."""
        since, until = (
            datetime.fromisoformat(asked[name][0]) if name in asked else None
            for name in ("since", "until")
        )
        changed = [(datetime.fromisoformat(one["changed"]), one) for one in self._tickets]
        return [
            one
            for at, one in changed
            if (since is None or at >= since) and (until is None or at <= until)
        ]

    def add(self, chance: Random) -> None:
        """Create a ticket as somebody else."""
        title = f"Ticket {chance.randint(1, 999)}"
        self._added.append(self._create({"title": title, "text": ""}, f"step {self._ticks}"))

    def edit(self, chance: Random) -> None:
        """Change a ticket as somebody else."""
        self._change(chance.choice(self._tickets), title=f"Other words {self._ticks}")

    def there(self) -> Mapping[str, str]:
        """Return the ids of added items, with their current text."""
        return {one["id"]: one["title"] for one in self._added}

    def _create(self, body: Mapping[str, Any], key: str) -> dict[str, Any]:
        if key not in self._keys:
            number, at = len(self._tickets) + 1, NOON.isoformat()
            ticket = {"id": f"ACME-{number}", "author": "Robin", "created": at, "revision": 0}
            self._tickets.append(ticket)
            self._change(ticket, title=body["title"], text=body["text"], status="Open", labels=[])
            self._keys[key] = ticket
        return self._keys[key]

    def _comment(self, ticket: dict[str, Any], key: str, text: str) -> dict[str, Any]:
        comments = ticket.setdefault("comments", [])
        for there in comments:
            if there["id"] == key and there["text"] == text:
                return dict(there)
        at = (NOON + timedelta(minutes=self._ticks)).isoformat()
        comment = {"id": key, "author": "Robin Doe", "text": text, "at": at}
        self._change(ticket, comments=[*(c for c in comments if c["id"] != key), comment])
        return comment

    def _change(self, ticket: dict[str, Any], **values: object) -> None:
        self._ticks += 1
        ticket.update(values)
        ticket.update(revision=ticket["revision"] + 1, next=NEXT[ticket["status"]])
        ticket["changed"] = (NOON + timedelta(minutes=self._ticks)).isoformat()
        self._tickets.remove(ticket)
        self._tickets.insert(0, ticket)
