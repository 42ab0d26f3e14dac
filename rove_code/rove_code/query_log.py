"""A log of what the holders of tokens asked, and which files they were shown."""

import json
import logging
import os
import re
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from attrs import define, field

from rove_core import HttpRequest, HttpResponse, RoveError, private_folder, redact_secrets
from rove_core.clock import Clock

_NAME: Final = "code-queries.jsonl"
#: A larger log is put aside, in place of the one that was put aside before.
_MOST: Final = 8 << 20
#: So much of a question is kept.
_QUESTION: Final = 500
#: So many repositories of a request, and so much of the name of each.
_REPOSITORIES: Final = 20
_PATH: Final = 300
_LOGIN: Final = re.compile(r"//[^/]*@")
_LEFT_OUT: Final = "[token]"
_MODE: Final = 0o600
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
_log: Final = logging.getLogger(__name__)


@define
class QueryLog:
    """The log of a project, a line of JSON for each request. Threads may share it.

    It has no token, and no secret of a question.
    """

    path: Path
    _clock: Clock
    _turn: threading.Lock = field(factory=threading.Lock, init=False)

    @classmethod
    def of(cls, rove: Path, clock: Clock) -> "QueryLog":
        """Return the log that lies in a ``.rove`` folder."""
        return cls(rove / _NAME, clock)

    def add(self, user: str, request: HttpRequest, response: HttpResponse, *, token: str) -> None:
        """Write down a request and what became of it.

        Args:
            user: Who sent it.
            request: The request.
            response: The response.
            token: The request's token, which is left out wherever it stands.
        """

        def clean(text: str) -> str:
            return redact_secrets(text.replace(token, _LEFT_OUT) if token else text)

        query, answer = _json(request.body), _json(response.body)
        line = {
            "at": self._clock.now().isoformat(timespec="seconds"),
            "user": user,
            "path": request.path,
            "status": response.status,
            "asked": clean(_question(query))[:_QUESTION],
            "repositories": [clean(name)[:_PATH] for name in _repositories(query)],
            "files": _files(answer),
        }
        try:
            self._append(f"{json.dumps(line)}\n".encode())
        except (OSError, RoveError) as error:
            # The answer is made already, and the next line may fit again.
            _log.warning("%s cannot be written: %s", self.path, error)

    def _append(self, data: bytes) -> None:
        with self._turn:
            private_folder(self.path.parent)
            with suppress(FileNotFoundError):
                if self.path.stat().st_size + len(data) > _MOST:
                    self.path.replace(self.path.with_suffix(".1.jsonl"))
            with os.fdopen(os.open(self.path, _FLAGS, _MODE), "ab") as file:
                file.write(data)


def _json(data: bytes) -> dict[str, object]:
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _question(query: dict[str, object]) -> str:
    """Return the last message of a conversation, or the name that is asked about."""
    if isinstance(name := query.get("name"), str) and name:
        return f"{query.get('asked', 'symbol')} {name}"
    messages = query.get("messages")
    last = messages[-1] if isinstance(messages, list) and messages else {}
    content = last.get("content") if isinstance(last, dict) else ""
    return content if isinstance(content, str) else json.dumps(content)


def _repositories(query: dict[str, object]) -> list[str]:
    """Return the repositories as the request names them, without the logins of addresses."""
    rows = query.get("repos", [query])
    found = [
        name
        for row in (rows if isinstance(rows, list) else ())[:_REPOSITORIES]
        if isinstance(row, dict)
        for name in map(row.get, ("checkoutPath", "repoPath", "originUri"))
        if isinstance(name, str)
    ]
    return [_LOGIN.sub("//", name) for name in found]


def _files(answer: dict[str, object]) -> list[str]:
    """Return the files of which something is shown."""
    metadata = answer.get("metadata")
    rows = metadata.get("chunks") if isinstance(metadata, dict) else answer.get("places")
    found: dict[str, None] = {}
    for row in rows if isinstance(rows, list) else ():
        path = row.get("path") if isinstance(row, dict) else None
        if isinstance(path, str) and row.get("extent") != "elided":
            found[path] = None
    return list(found)
