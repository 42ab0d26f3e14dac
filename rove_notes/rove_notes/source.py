"""The source of one folder of notes; each file is an item."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from rove_core import (
    Account,
    Container,
    ContextItem,
    Facts,
    Identity,
    ItemNotFound,
    ItemRef,
    ListedChange,
    ListScope,
    Query,
    SourceHooks,
    counted,
    escape_markdown,
    hookimpl,
)
from rove_notes.folder import NotesFolder
from rove_notes.listing import STEP, folder_changes
from rove_notes.note import Note, facts_of, read_note
from rove_notes.settings import NotesSettings

_WORD = re.compile(r"\w+(?:[-./:#@]\w+)*")


#: A backslash before a sign that only shows what was typed.
_ESCAPE: Final = re.compile(r"\\(?=[!-/:-@\[-`{-~])")


class NotesSource(SourceHooks):
    """Reads Markdown, plain text and transcripts below one folder."""

    def __init__(self, account: Account[NotesSettings]) -> None:
        self._account = account
        self._folder = NotesFolder(_place(account))
        self._path = re.compile(
            r"(?<![\w./-])(?:\./)?"
            rf"({re.escape(self._folder.name)}/[\w./-]*\w\.(?i:md|txt|vtt|srt))"
            r"(?!\.?[\w/-])"
        )

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return which folder it is; raise WrongSetting if there is none."""
        count = len(await asyncio.to_thread(self._folder.ids))
        notes = counted(count, "note")
        return Identity(name=self._folder.name, reads=(f"{notes} in {self._folder.path}",))

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield notes in which all the words occur, newest first."""
        words = [_word(word) for word in _WORD.findall(query.text)]
        found: list[tuple[datetime, str]] = []
        for name in await asyncio.to_thread(self._folder.ids) if words else ():
            # One that has gone meanwhile, or may not be read, is no answer.
            with suppress(ItemNotFound):
                item = await asyncio.to_thread(self._item, name)
                searched = _searched_text(item, query.fields)
                if query.covers(item.timestamp) and all(word.search(searched) for word in words):
                    found.append((item.timestamp, name))
        # Which are the newest is known at the end; to keep all their texts until then is too much.
        for _, name in sorted(found, reverse=True)[: query.limit]:
            with suppress(ItemNotFound):
                yield await asyncio.to_thread(self._item, name)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a note; a transcript has one part per turn."""
        return await asyncio.to_thread(self._item, ref.id)

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the folder and those right below it."""
        names = await asyncio.to_thread(self._folder.ids)
        below = {"/".join(name.split("/")[:2]) for name in names if name.count("/") > 1}
        return [Container(name=name) for name in (self._folder.name, *sorted(below))]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the notes that are new, changed or deleted."""
        changes = await asyncio.to_thread(folder_changes, self._folder, scope)
        for name in changes.gone:
            yield ListedChange(gone=self._ref(name))
        for count, name in enumerate(changes.changed[: scope.limit], 1):
            # One that has gone meanwhile, or may not be read, is listed the next time.
            with suppress(ItemNotFound):
                item = await asyncio.to_thread(self._item, name)
                is_step = count % STEP == 0 or count == scope.limit
                cursor = changes.cursor(count) if is_step else ""
                yield ListedChange(item=item, whole=True, cursor=cursor)
        yield ListedChange(cursor=changes.cursor(scope.limit))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a path means the same wherever it stands
        """Return the notes whose paths or file addresses a text contains."""
        urls = map(unquote, self._url.findall(text)) if "file:" in text else ()
        paths = [*self._path.findall(text), *urls] or [text]
        return [self._ref(path) for path in dict.fromkeys(paths) if self._folder.may_be_id(path)]

    @cached_property
    def _url(self) -> re.Pattern[str]:
        # Not Path.as_uri, which fails where the locale lacks a character of the path.
        folder = quote(str(self._folder.path.parent), errors="surrogateescape")
        return re.compile(rf"file://{re.escape(folder)}/([^\s<>()\[\]\"]+)")

    def _item(self, name: str) -> ContextItem:
        note = read_note(self._folder.read(name))
        return ContextItem(
            ref=self._ref(name),
            source="notes",
            role="page",
            title=note.title,
            content=note.text,
            timestamp=note.at,
            facts=facts_of(note.above),
            metadata=note.above,
            thread=tuple(self._turns(name, note)),
        )

    def _turns(self, name: str, note: Note) -> Iterator[ContextItem]:
        for number, turn in enumerate(note.turns, 1):
            offset = _offset(turn.at)
            yield ContextItem(
                ref=ItemRef(
                    account=self._account.name,
                    kind="message",
                    id=f"{name}#{number}",
                    url=self._ref(name).url,
                ),
                source="notes",
                role="talk",
                title=f"{note.title}, {offset}",
                content=escape_markdown(turn.text),
                timestamp=note.at + turn.at,
                author=turn.speaker,
                facts=Facts(on=name, offset=int(turn.at.total_seconds())),
            )

    def _ref(self, identifier: str) -> ItemRef:
        path = self._folder.path.parent / identifier
        return ItemRef(account=self._account.name, kind="note", id=identifier, url=path.as_uri())


def _offset(at: timedelta) -> str:
    minutes, seconds = divmod(int(at.total_seconds()), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def _place(account: Account[NotesSettings]) -> Path:
    """Return where the folder is: below the project, unless its settings say all of it."""
    project = unquote(urlsplit(account.base_url).path)
    return Path(project) / Path(account.settings.folder).expanduser()


def _word(word: str) -> re.Pattern[str]:
    """Find a word from its beginning on, a number to its end: ``TB-12`` is not in ``TB-123``."""
    end = r"(?!\d)" if word[-1].isdigit() else ""
    return re.compile(rf"(?<!\w){re.escape(word)}{end}", re.IGNORECASE)


def _searched_text(item: ContextItem, fields: Sequence[str]) -> str:
    turns = (f"{turn.author}: {turn.content}" for turn in item.thread)
    facts = map(str, item.metadata.values())
    texts = {
        "note_title": f"{item.ref.id.partition('/')[2]}\n{item.title}",
        "note_content": "\n".join([item.content, *turns, *facts]),
    }
    content = "\n".join(text for name, text in texts.items() if not fields or name in fields)
    return _ESCAPE.sub("", content)
