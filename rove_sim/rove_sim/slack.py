"""Slack in a box."""

from rove_core.plain import JSON
from rove_sim.company import Company, Thread
from rove_sim.server import Request, Response

_HOST = "https://northwind.slack.com"


class Slack:
    """Answers as Slack would for one workspace."""

    def __init__(self, company: Company) -> None:
        self._company = company
        self._threads = {(thread.channel_id, thread.ts): thread for thread in company.threads}

    def __call__(self, request: Request) -> Response:
        """Answer one request."""
        if request.headers.get("authorization") != f"Bearer {self._company.token}":
            return Response({"ok": False, "error": "invalid_auth"})
        asked = {**request.query, **request.form()}
        match request.path:
            case "/api/auth.test":
                return Response({"ok": True, "url": f"{_HOST}/", "user": "robin", "user_id": "U1"})
            case "/api/search.messages":
                return self._search(asked.get("query", ""))
            case "/api/conversations.info":
                return self._channel(asked.get("channel", ""))
            case "/api/conversations.replies":
                return self._replies(asked.get("channel", ""), asked.get("ts", ""))
            case _:
                return Response({"ok": False, "error": "unknown_method"})

    def _search(self, query: str) -> Response:
        words = query.replace('"', "").lower().split()
        matches = [
            _match(thread, ts, author, text)
            for thread in self._company.threads
            for ts, author, text in _messages(thread)
            if all(word in text.lower() for word in words)
        ]
        return Response({"ok": True, "messages": {"total": len(matches), "matches": matches}})

    def _channel(self, channel: str) -> Response:
        names = {thread.channel_id: thread.channel for thread in self._company.threads}
        if channel not in names:
            return Response({"ok": False, "error": "channel_not_found"})
        return Response({"ok": True, "channel": {"id": channel, "name": names[channel]}})

    def _replies(self, channel: str, ts: str) -> Response:
        thread = self._threads.get((channel, ts))
        if thread is None:
            return Response({"ok": False, "error": "thread_not_found"})
        messages = [
            {"ts": at, "thread_ts": ts, "username": author, "text": text}
            for at, author, text in _messages(thread)
        ]
        return Response({"ok": True, "messages": messages, "has_more": False})


def _messages(thread: Thread) -> list[tuple[str, str, str]]:
    replies = [(reply.id, reply.author, reply.text) for reply in thread.replies]
    return [(thread.ts, thread.author, thread.text), *replies]


def _match(thread: Thread, ts: str, author: str, text: str) -> JSON:
    return {
        "ts": ts,
        "username": author,
        "text": text,
        "channel": {"id": thread.channel_id, "name": thread.channel},
        "permalink": _permalink(thread, ts),
    }


def _permalink(thread: Thread, ts: str) -> str:
    link = f"{_HOST}/archives/{thread.channel_id}/p{ts.replace('.', '')}"
    return link if ts == thread.ts else f"{link}?thread_ts={thread.ts}"
