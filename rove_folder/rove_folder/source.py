"""A folder as a source: search its files' text, and cite pages or lines."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from rove_core import (
    Account,
    Clock,
    Container,
    ContextItem,
    Facts,
    Identity,
    ItemNotFound,
    ItemRef,
    ListedChange,
    ListScope,
    ProjectPaths,
    Query,
    SourceHooks,
    WrongSetting,
    counted,
    escape_markdown,
    hookimpl,
    project_id,
)
from rove_folder.extract.content import ExtractedContent
from rove_folder.extract.extractor import Extractor, further_suffixes
from rove_folder.file_reader import read_below
from rove_folder.files.content_kinds import content_kind
from rove_folder.files.guard import AccessDeniedError, open_below, open_root
from rove_folder.files.kinds import KIND_OF_SUFFIX, most_bytes, suffix_of
from rove_folder.files.places import named_folder
from rove_folder.files.walk import FoundFile, walk
from rove_folder.settings import FolderSourceSettings
from rove_folder.storage.files import FileState
from rove_folder.storage.projects import read_project
from rove_folder.storage.tables import folder_database
from rove_folder.text_index import FoundPassage, Passage, TextIndex, passages_of

_WORD: Final = re.compile(r"\w+")
_PLACE: Final = re.compile(r"(.+?)(?:#(page=|L)([1-9]\d{0,6}))?", re.DOTALL)
_STEP: Final = 64
#: How much of a text is one item; the rest of a longer one is below it.
_MOST_CONTENT: Final = 6_000
_MOST_PARTS: Final = 200


class FolderSource(SourceHooks):
    """Reads the files of one folder."""

    def __init__(self, account: Account[FolderSourceSettings], clock: Clock) -> None:
        self._account = account
        self._clock = clock
        self._extractors = account.extractors
        self._further = frozenset(further_suffixes(account.extractors))
        self._suffixes = self._further.union(KIND_OF_SUFFIX)
        self._project = Path(unquote(urlsplit(account.base_url).path) or ".").absolute()
        self._turn = asyncio.Lock()

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return which folder it is; raise WrongSetting if there is none."""
        root = await asyncio.to_thread(self._root)
        count = len(await asyncio.to_thread(self._walk, root))
        return Identity(name=root.name, reads=(f"{counted(count, 'file')} in {root}",))

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the passages and the names in which all the words occur, newest first."""
        root = await asyncio.to_thread(self._root)
        words = _WORD.findall(query.text)
        async with self._turn:
            found = await asyncio.to_thread(self._find_passages, root, words, query.fields)
        seen: set[str] = set()
        for passage in sorted(found, key=lambda each: (-each.mtime, each.path)):
            item = self._passage_item(root, passage)
            if passage.path in seen or not query.covers(item.timestamp):
                continue
            seen.add(passage.path)
            yield item
            if len(seen) == query.limit:
                return

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a file, or the page or lines of it that the id names."""
        root = await asyncio.to_thread(self._root)
        with Extractor(self._clock, self._extractors) as extractor:
            return await asyncio.to_thread(self._item, root, ref.id, extractor)

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the folder and those right below it."""
        root = await asyncio.to_thread(self._root)
        names = await asyncio.to_thread(self._walk, root)
        below = sorted({path.split("/")[0] for path in names if "/" in path})
        return [
            Container(name=root.name),
            *(Container(name=f"{root.name}/{name}") for name in below),
        ]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the files that are new, changed or gone."""
        root = await asyncio.to_thread(self._root)
        listed = await asyncio.to_thread(self._walk, root)
        there = {
            f"{root.name}/{path}": file
            for path, file in listed.items()
            if not scope.containers
            or any(f"{root.name}/{path}".startswith(f"{each}/") for each in scope.containers)
        }
        before = _read_cursor(scope.cursor)
        changed = [
            name
            for name, file in there.items()
            if before.get(name) != [file.mtime, file.size]
            and (scope.since is None or name in before or _moment(file.mtime) >= scope.since)
        ]
        changed.sort(key=lambda name: (-there[name].mtime, name))
        states = {name: state for name, state in before.items() if name in there}
        stored = before.keys() | {each.id for each in scope.unconfirmed}
        for name in sorted(stored - there.keys()):
            yield ListedChange(gone=self._ref(root, name))
        with Extractor(self._clock, self._extractors) as extractor:
            for count, name in enumerate(changed[: scope.limit], 1):
                states[name] = [there[name].mtime, there[name].size]
                # One that has gone meanwhile, or has no text, is no item.
                with suppress(ItemNotFound):
                    item = await asyncio.to_thread(self._item, root, name, extractor)
                    is_step = count % _STEP == 0 or count == scope.limit
                    cursor = _cursor(states) if is_step else ""
                    yield ListedChange(item=item, whole=True, cursor=cursor)
        yield ListedChange(cursor=_cursor(states))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a path means the same wherever it stands
        """Return the files whose paths or file addresses a text contains."""
        root = self._named_root()
        if root is None:
            return []
        # Not Path.as_uri, which fails where the locale lacks a character of the path.
        address = f"file://{quote(str(root.parent), errors='surrogateescape')}/"
        if address in text:
            text = unquote(text.replace(address, ""))
        endings = "|".join(sorted((each[1:] for each in self._suffixes), key=len, reverse=True))
        path = re.compile(
            rf"(?<![\w./-])(?:\./)?({re.escape(root.name)}/[\w./-]*\w\.(?i:{endings})"
            r"(?:\#(?:page=|L)[1-9]\d{0,6})?)(?!\.?[\w/-])"
        )
        found = path.findall(text) or [text]
        return [
            self._ref(root, each) for each in dict.fromkeys(found) if self._is_id(root.name, each)
        ]

    def _is_id(self, folder: str, text: str) -> bool:
        try:
            path, _ = _parse_id(folder, text)
        except ItemNotFound:
            return False
        return suffix_of(path.rpartition("/")[2]) in self._suffixes and text.isprintable()

    def _walk(self, root: Path) -> Mapping[str, FoundFile]:
        try:
            found = walk(root, self._further).files
        except OSError as error:
            raise WrongSetting(f"Folder not found: {root}") from error
        return {path: file for path, file in found.items() if file.kind != "image"}

    def _named_root(self) -> Path | None:
        """Return the linked folder without checking the disk."""
        with suppress(WrongSetting):
            return self._root()
        return None

    def _root(self) -> Path:
        """Return the folder: the one that the settings name, else the linked one."""
        if named := self._account.settings.folder:
            return named_folder(named, ProjectPaths.at(self._project))
        root = self._linked_root()
        if not root.is_dir():
            hint = "Link another one: rove folder link FOLDER"
            raise WrongSetting(f"Folder not found: {root}", hint=hint)
        return root

    def _linked_root(self) -> Path:
        places = ProjectPaths.at(self._project)
        with folder_database(places).reading() as db:
            project = read_project(db, project_id(self._project), 0)
        if project is None or project.folder_path is None:
            hint = "Link one with: rove folder link FOLDER"
            raise WrongSetting("No folder is linked to this project.", hint=hint)
        return Path(project.folder_path)

    def _find_passages(
        self, root: Path, words: Sequence[str], fields: Sequence[str]
    ) -> Sequence[FoundPassage]:
        index = TextIndex.of(self._project)
        self._sync(index, root)
        found = index.search(str(root), words) if not fields or "file_text" in fields else []
        return found if fields else [*found, *index.named(str(root), words)]

    def _sync(self, index: TextIndex, root: Path) -> None:
        """Read what changed since the last search."""
        there, states = self._walk(root), index.states(str(root))
        if gone := [path for path in states if path not in there]:
            index.forget(str(root), gone)
        due = [file for path, file in there.items() if states.get(path) != FileState(*file[2:])]
        with Extractor(self._clock, self._extractors) as extractor:
            for begin in range(0, len(due), _STEP):
                batch = due[begin : begin + _STEP]
                index.record(str(root), dict(_contents(root, batch, extractor)))

    def _item(self, root: Path, identifier: str, extractor: Extractor) -> ContextItem:
        """Return a file, or a part of it, as an item."""
        path, place = _parse_id(root.name, identifier)
        content, changed = _content(root, path, extractor)
        passages = list(passages_of(content))
        base = f"{root.name}/{path}"
        if place:
            parts = [each for each in passages if each.place == place]
            if not parts:
                raise ItemNotFound(f"{identifier} is not in {root}")
            passage = parts[0]
            return self._make_item(
                root, identifier, "\n".join(each.text for each in parts), changed, passage
            )
        text = "\n".join(each.text for each in passages)
        if len(text) <= _MOST_CONTENT:
            return self._make_item(root, base, text, changed)
        item = self._make_item(root, base, passages[0].text, changed)
        mark = _mark(paged=bool(content.pages))
        parts_below = tuple(
            self._make_item(root, f"{base}#{mark}{each.place}", each.text, changed, each)
            for each in passages[1:_MOST_PARTS]
        )
        return ContextItem(
            ref=item.ref,
            source=item.source,
            role=item.role,
            title=item.title,
            content=item.content,
            timestamp=item.timestamp,
            thread=parts_below,
        )

    def _passage_item(self, root: Path, found: FoundPassage) -> ContextItem:
        identifier = f"{root.name}/{found.path}"
        if found.place > 1:
            identifier += f"#{_mark(paged=found.paged)}{found.place}"
        passage = Passage(text=found.text, place=found.place)
        return self._make_item(root, identifier, found.text, _moment(found.mtime), passage)

    def _make_item(
        self,
        root: Path,
        identifier: str,
        text: str,
        changed: datetime,
        passage: Passage | None = None,
    ) -> ContextItem:
        path, place = _parse_id(root.name, identifier)
        name = path.rpartition("/")[2]
        where = ""
        if place and passage:
            where = f", page {place}" if "#page=" in identifier else f", line {place}"
        is_markdown = suffix_of(name) in {".md", ".markdown"}
        return ContextItem(
            ref=self._ref(root, identifier),
            source="folder",
            role="file",
            title=f"{name}{where}",
            content=text if is_markdown else escape_markdown(text),
            timestamp=changed,
            facts=Facts(),
        )

    def _ref(self, root: Path, identifier: str) -> ItemRef:
        path, _ = _parse_id(root.name, identifier)
        _, mark, fragment = identifier.partition("#")
        url = (root / path).as_uri() + (f"#{fragment}" if mark else "")
        return ItemRef(account=self._account.name, kind="file", id=identifier, url=url)


def _content(root: Path, path: str, extractor: Extractor) -> tuple[ExtractedContent, datetime]:
    """Return a file's content, and when it changed."""
    try:
        found = read_below(root, path)
    except (AccessDeniedError, OSError) as error:
        raise ItemNotFound(f"{root.name}/{path} cannot be read") from error
    content = extractor.read(path.rpartition("/")[2], found.data)
    if isinstance(content, str):
        raise ItemNotFound(f"{root.name}/{path}: {content}")
    return content, _moment(found.mtime)


def _contents(
    root: Path, files: Sequence[FoundFile], extractor: Extractor
) -> Iterator[tuple[FoundFile, tuple[str, ExtractedContent | None]]]:
    """Yield files with their content; unreadable ones have none."""
    with open_root(root) as descriptor:
        for file in files:
            try:
                with open_below(descriptor, file.path) as opened:
                    data = opened.read(most_bytes(file.kind) + 1)
            except (AccessDeniedError, OSError):
                continue
            if len(data) > most_bytes(content_kind(data)):
                yield file, ("", None)
                continue
            content = extractor.read(file.path.rpartition("/")[2], data)
            digest = sha256(data).hexdigest()
            yield file, (digest, None if isinstance(content, str) else content)


def _parse_id(folder: str, identifier: str) -> tuple[str, int]:
    """Return the path of an id, and the page or line; 0 for the whole file."""
    name, _, path = identifier.partition("/")
    found = _PLACE.fullmatch(path)
    if name != folder or found is None or any(part in {"", ".", ".."} for part in path.split("/")):
        raise ItemNotFound(f"{identifier!r} is not a file of {folder}")
    return found[1], int(found[3] or 0)


def _mark(*, paged: bool) -> str:
    return "page=" if paged else "L"


def _moment(nanoseconds: int) -> datetime:
    return datetime.fromtimestamp(nanoseconds / 1e9, UTC)


def _cursor(states: Mapping[str, Sequence[int]]) -> str:
    return json.dumps(states, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


def _read_cursor(cursor: str) -> dict[str, list[int]]:
    try:
        states = json.loads(cursor or "{}")
    except ValueError:
        return {}
    return states if isinstance(states, dict) else {}
