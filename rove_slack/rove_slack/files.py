"""Files and canvases: those of messages on demand, others by a link to them."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from attrs import evolve, frozen

from rove_core import (
    ContextItem,
    Facts,
    ItemNotFound,
    ItemRef,
    ScopeMissing,
    file_to_markdown,
    html_to_markdown,
    status_fault,
)
from rove_core.json_reader import integer, mapping, objects, string
from rove_slack.api import FILE, ask
from rove_slack.items import ThreadItems
from rove_slack.messages import ThreadMessage, file_name
from rove_slack.references import FILE_PREFIX, FileLink, file_links, moment, thread_of
from rove_slack.threads import ThreadReader

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rove_core import JSON, Http

#: Larger files are named and not downloaded.
_MOST_BYTES: Final = 1_000_000
_FOLDER: Final = "/file/"
#: How Slack calls a canvas, for what it was before.
_CANVASES: Final = frozenset({"quip", "canvas"})
_UNREADABLE: Final = ("image/", "video/", "audio/")


@frozen
class SharedFiles:
    """Reads the files of one workspace's messages.

    Attributes:
        http: The account's requests.
        threads: Reads threads.
        items: Knows who wrote what, and where.
        hosts: Where files may be downloaded: Slack also names files that others keep.
    """

    http: "Http"
    threads: ThreadReader
    items: ThreadItems
    hosts: tuple[str, ...]

    @staticmethod
    def is_one(id_: str) -> bool:
        """Return whether an id names a file of a message."""
        return _FOLDER in id_

    async def item(self, ref: ItemRef) -> ContextItem:
        """Return a file by the name that its message shows.

        Raises:
            ItemNotFound: There is no such file, or no such message.
        """
        place, _, name = ref.id.partition(_FOLDER)
        channel, ts = thread_of(place)
        thread = await self.threads.read(channel, ts)
        found = [each for each in thread.messages if string(each, "ts") == ts]
        files = [
            file for each in found for file in objects(each.get("files")) if file_name(file) == name
        ]
        if not files:
            raise ItemNotFound(f"{place} has no file {name!r}")
        message = ThreadMessage(found[0], self.items.names)
        whole = await self.items.thread(channel, ts, thread)
        part = next((each for each in whole.thread if each.ref.id == place), whole)
        return ContextItem(
            ref=ref,
            source="slack",
            role="file",
            title=name,
            content=await self._content(await self._described(string(files[0], "id"))),
            timestamp=part.timestamp,
            author=part.author,
            facts=Facts(on=self.items.names.place(channel).title, created=message.at),
        )

    def ref(self, link: FileLink) -> ItemRef:
        """Return the reference to a file that a text links to."""
        return ItemRef(account=self.items.account, kind="file", id=link.id, url=link.url)

    async def linked(self, ref: ItemRef) -> ContextItem:
        """Return a file or a canvas that a link names.

        Raises:
            ItemNotFound: There is none, it holds no text, or the login reads no files.
        """
        try:
            file = await self._described(ref.id.removeprefix(FILE_PREFIX))
            reason = self._reason_for_no_text(file)
            content = "" if reason else await self._text(file)
        except ScopeMissing as error:
            raise ItemNotFound(f"{ref.id} cannot be read: {error.message}") from error
        if not content:
            raise ItemNotFound(f"{ref.id} has no text: {reason or _kind(file)}")
        user, created = string(file, "user"), _moment(file, "created")
        await self.items.names.learn(people=[user])
        return ContextItem(
            ref=self._addressed(ref, string(file, "permalink")),
            source="slack",
            role="page" if _is_canvas(file) else "file",
            title=string(file, "title") or string(file, "name") or ref.id,
            content=content,
            timestamp=_moment(file, "updated") or created or datetime.fromtimestamp(0, UTC),
            author=self.items.names.person(user).name if user else "",
            facts=Facts(created=created),
        )

    def _addressed(self, ref: ItemRef, address: str) -> ItemRef:
        """Return a file's reference with the address that Slack gives, if it is one of the file."""
        own = {self.items.host, urlsplit(ref.url).netloc}
        is_its = any(link.id == ref.id and link.host in own for link in file_links(address))
        return evolve(ref, url=address if is_its else ref.url)

    async def _described(self, id_: str) -> "Mapping[str, JSON]":
        reply = await ask(self.http, FILE, {"file": id_})
        return mapping(mapping(reply.json()).get("file"))

    async def _content(self, file: "Mapping[str, JSON]") -> str:
        """Return a file's text, or why none is shown."""
        if reason := self._reason_for_no_text(file):
            return reason
        size = integer(file, "size") or 0
        return await self._text(file) or f"{_kind(file)}, {size:,} bytes: no text"

    def _reason_for_no_text(self, file: "Mapping[str, JSON]") -> str:
        kind, size = _kind(file), integer(file, "size") or 0
        address = string(file, "url_private")
        if size > _MOST_BYTES:
            return f"{kind}, {size:,} bytes: not read, only files up to {_MOST_BYTES:,} bytes are"
        if address and urlsplit(address).netloc not in self.hosts:
            return f"{kind}: not kept by Slack, not read"
        if not address or (kind.startswith(_UNREADABLE) and not _is_canvas(file)):
            return f"{kind}, {size:,} bytes: no text"
        return ""

    async def _text(self, file: "Mapping[str, JSON]") -> str:
        kind, is_canvas = _kind(file), _is_canvas(file)
        # What a file holds is none of Slack's replies, which are JSON whatever went wrong.
        http = self.http.reading(status_fault)
        address = string(file, "url_private")
        reply = await http.get(address, kind="files-pri", headers={"accept": "*/*"})
        if reply.content_type == "text/html" and not (is_canvas or kind == "text/html"):
            raise ScopeMissing(
                "Slack sent a login page instead of the file",
                hint="Log in again to get access to files: rove --add-source slack",
            )
        if is_canvas:
            return html_to_markdown(reply.text)
        return file_to_markdown(string(file, "name"), reply.body, media_type=kind)


def _kind(file: "Mapping[str, JSON]") -> str:
    return string(file, "mimetype") or "unknown type"


def _is_canvas(file: "Mapping[str, JSON]") -> bool:
    return string(file, "filetype") in _CANVASES or string(file, "mode") in _CANVASES


def _moment(file: "Mapping[str, JSON]", name: str) -> datetime | None:
    seconds = integer(file, name)
    return moment(f"{seconds}.0") if seconds else None
