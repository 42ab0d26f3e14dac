"""One folder of notes: each file is an item."""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rove_core import (
    Account,
    ContextItem,
    Identity,
    ItemNotFound,
    ItemRef,
    Query,
    SourceHooks,
    hookimpl,
)
from rove_notes.folder import Folder, NoteFile, read
from rove_notes.settings import NotesSettings

_WORD = re.compile(r"\w+(?:[-./:#@]\w+)*")


class NotesSource(SourceHooks):
    """Reads Markdown and plain text below one folder."""

    def __init__(self, account: Account[NotesSettings]) -> None:
        self._account = account
        self._folder = Folder(_place(account))
        self._path = re.compile(
            r"(?<![\w./-])(?:\./)?"
            rf"({re.escape(self._folder.name)}/[\w./-]*\w\.(?i:md|txt))"
            r"(?!\.?[\w/-])"
        )

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return which folder it is; raise WrongSetting if there is none."""
        count = len(await asyncio.to_thread(self._folder.notes))
        return Identity(name=self._folder.name, reads=(f"{count} notes in {self._folder.path}",))

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield notes in which all the words occur, newest first."""
        words = [_word(word) for word in _WORD.findall(query.text)]
        files = await asyncio.to_thread(self._folder.notes) if words else []
        wanted = query.limit
        for file in (file for file in files if _within(file, query)):
            item = await asyncio.to_thread(self._readable, file)
            if item and all(word.search(_searched(item, query.fields)) for word in words):
                yield item
                wanted -= 1
            if not wanted:
                return

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a note."""
        file = await asyncio.to_thread(self._folder.note, ref.id)
        return await asyncio.to_thread(self._item, file)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a path means the same wherever it stands
        """Return the notes whose paths stand in a text, or whose path it is."""
        paths = self._path.findall(text) or [text]
        return [self._ref(path) for path in dict.fromkeys(paths) if self._folder.may_be_id(path)]

    def _readable(self, file: NoteFile) -> ContextItem | None:
        """Return the item, or None when the file has gone meanwhile or may not be read."""
        with suppress(ItemNotFound):
            return self._item(file)
        return None

    def _item(self, file: NoteFile) -> ContextItem:
        note = read(file)
        return ContextItem(
            ref=self._ref(file.id),
            source="notes",
            title=note.title,
            content=note.text,
            timestamp=file.changed,
        )

    def _ref(self, identifier: str) -> ItemRef:
        path = self._folder.path.parent / identifier
        return ItemRef(self._account.name, "note", identifier, path.as_uri())


def _place(account: Account[NotesSettings]) -> Path:
    """Return where the folder is: below the project, unless its settings say all of it."""
    project = unquote(urlsplit(account.base_url).path)
    return Path(project) / Path(account.settings.folder).expanduser()


def _word(word: str) -> re.Pattern[str]:
    """Find a word from its beginning on, a number to its end: ``TB-12`` is not in ``TB-123``."""
    end = r"(?!\d)" if word[-1].isdigit() else ""
    return re.compile(rf"(?<!\w){re.escape(word)}{end}", re.IGNORECASE)


def _searched(item: ContextItem, fields: Sequence[str]) -> str:
    path = item.ref.id.partition("/")[2]
    texts = {"note_title": f"{path}\n{item.title}", "note_content": item.content}
    return "\n".join(text for name, text in texts.items() if not fields or name in fields)


def _within(file: NoteFile, query: Query) -> bool:
    after = query.since is None or query.since <= file.changed
    return after and (query.until is None or file.changed <= query.until)
