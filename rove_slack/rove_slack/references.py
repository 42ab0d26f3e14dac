"""Recognise addresses of messages and files; a thread's id is its channel and root."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Final

from attrs import frozen

_PERMALINK: Final = re.compile(
    r"\bhttps://(?P<host>[A-Za-z0-9][A-Za-z0-9.:-]{0,250})/archives/(?P<channel>[A-Z][A-Z0-9]{1,30})"
    r"/p(?P<seconds>\d{10})(?P<rest>\d{6})(?!\d)(?:\?(?P<query>[\w.=&;%-]{0,300}))?"
)
#: Slack keeps canvases below the workspace, and other files below who shared them.
_FILE: Final = re.compile(
    r"\bhttps://(?P<host>[A-Za-z0-9][A-Za-z0-9.:-]{0,250})"
    r"/(?P<place>(?:docs|files)/[A-Z][A-Z0-9]{1,30})/(?P<file>F[A-Z0-9]{1,30})(?![\w-])"
)
#: What the ids of files begin with that a link names; the rest is Slack's own id.
FILE_PREFIX: Final = "file/"
_THREAD: Final = re.compile(r"(?:^|[&;])thread_ts=(\d{10}\.\d{6})(?!\d)")
_TS: Final = re.compile(r"\d{1,10}\.\d{1,6}", re.ASCII)
_CHANNEL: Final = re.compile(r"[A-Z][A-Z0-9]+", re.ASCII)


@frozen
class Permalink:
    """A message's address, taken apart.

    Attributes:
        host: The workspace's host.
        channel: The channel's id.
        ts: Slack's name of the message within the channel: a time, and never a number.
        root: The ``ts`` of the thread's first message; of the message itself without a thread.
    """

    host: str
    channel: str
    ts: str
    root: str

    @property
    def thread(self) -> str:
        """The id of its thread."""
        return f"{self.channel}/{self.root}"


def permalinks(text: str) -> Iterator[Permalink]:
    """Yield the addresses of messages in a text, on whatever host."""
    for found in _PERMALINK.finditer(text) if "/archives/" in text else ():
        ts = f"{found['seconds']}.{found['rest']}"
        thread = _THREAD.search(found["query"] or "")
        root = thread[1] if thread else ts
        yield Permalink(found["host"].lower(), found["channel"], ts, root)


@frozen
class FileLink:
    """The address of a file or a canvas, taken apart.

    Attributes:
        host: The workspace's host.
        file: Slack's id of it.
        url: The address, without the file's name.
    """

    host: str
    file: str
    url: str

    @property
    def id(self) -> str:
        """The id of its item."""
        return f"{FILE_PREFIX}{self.file}"


def file_links(text: str) -> Iterator[FileLink]:
    """Yield the addresses of files and canvases in a text, on whatever host."""
    for found in _FILE.finditer(text) if "/docs/" in text or "/files/" in text else ():
        host, file = found["host"].lower(), found["file"]
        yield FileLink(host, file, f"https://{host}/{found['place']}/{file}")


def address(host: str, channel: str, ts: str, root: str = "") -> str:
    """Return the address of a message, within its thread if it has one."""
    if not (host and _CHANNEL.fullmatch(channel) and is_ts(ts)):
        return ""
    query = f"?thread_ts={root}&cid={channel}" if is_ts(root) and root != ts else ""
    return f"https://{host}/archives/{channel}/p{ts.replace('.', '')}{query}"


def is_ts(ts: str) -> bool:
    """Return whether a text is what Slack calls a message by."""
    return bool(_TS.fullmatch(ts))


def thread_of(thread: str) -> tuple[str, str]:
    """Return the channel and the root that an id names; empty texts when it is none."""
    channel, _, ts = thread.partition("/")
    return (channel, ts) if _CHANNEL.fullmatch(channel) and is_ts(ts) else ("", "")


def moment(ts: str) -> datetime | None:
    """Return the time in a message's id, in whole seconds; None if it has none."""
    return datetime.fromtimestamp(int(ts.partition(".")[0]), UTC) if is_ts(ts) else None
