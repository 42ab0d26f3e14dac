"""The source of one repository: its code and commits."""

import re
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import unquote, urlsplit

from rove_code.background_work import Progress, in_thread
from rove_code.engines import engine_of
from rove_code.items import CodeItems
from rove_code.listing import STEP, HistoryChanges
from rove_code.model import Place
from rove_code.repository_facts import Memory, RepositoryFacts, Where, commits_in, places_in
from rove_code.settings import CodeSettings
from rove_core import (
    Account,
    Container,
    ContextItem,
    Identity,
    ItemNotFound,
    ItemRef,
    ListedChange,
    ListScope,
    ProjectPaths,
    Query,
    RepositoryUnusable,
    RevisionNotFound,
    SourceHooks,
    counted,
    hookimpl,
)
from rove_core.clock import SYSTEM

if TYPE_CHECKING:
    from rove_code.repositories import Commit
    from rove_code.view import VersionView, ViewedFile

Result = TypeVar("Result")

_LATEST: Final = "latest"
_WORKSPACE: Final = "workspace"
_WORD: Final = re.compile(r"\w+(?:[-./:#@]\w+)*")
_SHA: Final = re.compile(r"[0-9a-f]{7,64}")
#: So many chunks are looked at, and so many at most are an answer: the rest of it is commits.
_LOOKED_AT: Final = 200
_CODE: Final = 10
_MEMORY: Final = Memory()


class CodeSource(SourceHooks):
    """The source of one repository at the latest commit of its checked-out branch."""

    def __init__(self, account: Account[CodeSettings]) -> None:
        self._account = account
        self._root = Path(unquote(urlsplit(account.base_url).path)).absolute()
        self._folder = self._root / Path(account.settings.folder).expanduser()

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return which repository it is; raise RepositoryNotFound if there is none."""
        return await self._looked(self._identity)

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield code in which all words occur, the best first, and then commits, the newest first.

        Code is as old as the last change of its file.
        """
        for item in await self._looked(lambda view, known: self._found(view, known, query)):
            yield item

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a declaration, some lines, or a commit."""
        return await self._looked(lambda view, known: self._item(view, known, ref.id))

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the repository."""
        identity = await self.rove_identity()
        return [Container(name=identity.name, title=identity.name)]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the commits that came since, newest first; of a long history the end."""
        changes, items = await self._looked(
            lambda view, known: self._changes(view, known, scope), anew=True
        )
        for name in changes.gone:
            yield ListedChange(gone=self._items(None).commit_ref(name, called=name))
        for count, item in enumerate(items, 1):
            is_due = count % STEP == 0 or count == scope.limit
            cursor = changes.cursor(count) if is_due else ""
            yield ListedChange(item=item, whole=True, cursor=cursor)
        if len(items) < scope.limit:
            yield ListedChange(cursor=changes.cursor(len(items)))

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # a path means the same wherever it stands
        """Return the places of files, and the commits, that a text names.

        Until the repository was looked at once, only a path with its line is taken for one.
        """
        facts = _MEMORY.get(self._folder)
        items = self._items(facts)
        places = places_in(text, self._folder, facts)
        refs = [items.code_ref(where, where.first, where.last) for where in places]
        refs += map(items.commit_ref, commits_in(text, facts))
        return list(dict.fromkeys(refs))

    async def _looked(
        self, look: "Callable[[VersionView, RepositoryFacts], Result]", *, anew: bool = False
    ) -> Result:
        """Return the current state of the repository, or a very recent one."""

        def work(progress: Progress) -> Result:
            with engine_of(ProjectPaths.at(self._root), SYSTEM) as engine:
                try:
                    view = engine.view(self._folder, _LATEST, progress, anew=anew)
                except RevisionNotFound:
                    view = engine.view(self._folder, _WORKSPACE, progress, anew=anew)
                return look(view, _MEMORY.look(self._folder, view))

        return await in_thread(work)

    def _items(self, facts: RepositoryFacts | None) -> CodeItems:
        return CodeItems(self._account.name, self._folder, facts, frozenset(self._account.hosts))

    def _identity(self, view: "VersionView", facts: RepositoryFacts) -> Identity:
        root = view.repository.root
        counts = f"{counted(len(facts.paths), 'file')} and {counted(len(facts.commits), 'commit')}"
        return Identity(
            name=root.name,
            reads=(f"{counts} in {root}",),
            hosts=(facts.pages.host,) if facts.pages else (),
        )

    def _found(
        self, view: "VersionView", facts: RepositoryFacts, query: Query
    ) -> Sequence[ContextItem]:
        words = [_word(word) for word in _WORD.findall(query.text)]
        items = self._items(facts)
        code = _code(view, items, query.text, words) if _covers_field("code_text", query) else ()
        asks_commits = words and _covers_field("commit_message", query)
        commits = [each for each in view.commits() if _fits(words, *_searched_texts(each))]
        authors = view.authors(commits) if asks_commits else {}
        found = [
            *islice(code, _CODE),
            *(items.commit(each, authors.get(each.id, "")) for each in commits if asks_commits),
        ]
        return [item for item in found if query.covers(item.timestamp)][: query.limit]

    def _changes(
        self, view: "VersionView", facts: RepositoryFacts, scope: ListScope
    ) -> tuple[HistoryChanges, Sequence[ContextItem]]:
        """Return what changed in the history, with as many items as are wanted."""
        changes = HistoryChanges.since(view.commits(), scope)
        added, items = changes.added[: scope.limit], self._items(facts)
        authors = view.authors(added)
        return changes, [items.commit(each, authors.get(each.id, "")) for each in added]

    def _item(self, view: "VersionView", facts: RepositoryFacts, identifier: str) -> ContextItem:
        where = Where.of(identifier)
        if where.path in facts.paths and (taken := view.file(where.path)):
            return self._items(facts).code(where, *_lines(where, taken))
        if _SHA.fullmatch(identifier):
            return self._commit(view, facts, identifier)
        raise ItemNotFound(f"{where.path!r} is not a file that is read in {self._folder}")

    def _commit(self, view: "VersionView", facts: RepositoryFacts, name: str) -> ContextItem:
        try:
            (commit,) = view.repository.commits([name])
        except (RepositoryUnusable, ValueError) as error:
            raise ItemNotFound(f"{self._folder} has no commit {name}") from error
        author = view.authors([commit]).get(commit.id, "")
        return self._items(facts).commit(commit, author, called=name)


def _code(
    view: "VersionView", items: CodeItems, text: str, words: Sequence[re.Pattern[str]]
) -> Iterator[ContextItem]:
    """Yield the code in which all words occur, the best first; none twice under one name."""
    seen: set[str] = set()
    for hit in view.find(text, _LOOKED_AT) if words else ():
        names = [each.path for each in hit.declarations]
        if not _fits(words, hit.path, hit.text, *names):
            continue
        where = Where(hit.path, hit.place.first, hit.place.last)
        if len(names) == 1 and f"{hit.path}#{names[0]}" not in seen:
            where = Where(hit.path, name=names[0])
        seen.add(str(where))
        yield items.code(where, hit.place, hit.text)


def _lines(where: Where, taken: "ViewedFile") -> tuple[Place, str]:
    """Return the place that is meant in a file, and its text; raise ItemNotFound if it has none."""
    parsed = taken.parsed
    if where.name:
        found = next((each for each in parsed.declarations if each.path == where.name), None)
        place = found.place if found else None
    elif where.first == where.last:
        chunk = taken.chunk_at(where.first or 1)
        place = chunk.place if chunk else None
    else:
        place = taken.between(where.first, where.last)
    if place is None:
        raise ItemNotFound(f"{where.path} has no {where.name or f'line {where.first}'}")
    return place, taken.text[place.start : place.end]


def _searched_texts(commit: "Commit") -> tuple[str, ...]:
    return commit.message, *commit.paths


def _covers_field(field: str, query: Query) -> bool:
    return not query.fields or field in query.fields


def _word(word: str) -> re.Pattern[str]:
    """Find a word wherever it begins, a number to its end: ``TB-12`` is not in ``TB-123``."""
    end = r"(?!\d)" if word[-1].isdigit() else ""
    return re.compile(rf"{re.escape(word)}{end}", re.IGNORECASE)


def _fits(words: Sequence[re.Pattern[str]], *texts: str) -> bool:
    whole = "\n".join(texts)
    return all(word.search(whole) for word in words)
