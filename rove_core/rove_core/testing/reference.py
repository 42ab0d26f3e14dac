"""A reference source on one page, to read and to copy: notes in memory, with a login."""

import re
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import attrs

from rove_core._markers import hookimpl
from rove_core.clock import SYSTEM
from rove_core.errors import ItemNotFound, LoginRefused
from rove_core.hookspecs import SourceHooks
from rove_core.items import Account, ContextItem, Identity, ItemRef, Query, SearchableField
from rove_core.listing import Container, ListedChange, ListScope, UpdateCursor
from rove_core.login import Credential, Login, LoginField, LoginWay
from rove_core.safety.secret import Secret
from rove_core.sources import SourceKind

if TYPE_CHECKING:
    from rove_core.http import Http

HOST: Final = "notes.example"
#: Who gets in, by the key they show.
PEOPLE: Final = {"open-sesame": "Robin Doe"}
KEY: Final = LoginField(name="key", title="Key of the notebook", secret=True)
_PAGE: Final = re.escape(f"https://{HOST}/")
_NOTE: Final = re.compile(rf"(?<![\w/.-])(?:{_PAGE})?(NOTE-[0-9]{{1,9}})(?![\w-])")


@attrs.frozen
class ReferenceNote:
    """A note of the reference source."""

    id: str
    title: str
    text: str
    at: datetime
    answers: tuple[str, ...] = ()

    def contains(self, words: str) -> bool:
        """Return whether each word occurs."""
        text = "\n".join((self.id, self.title, self.text, *self.answers)).casefold()
        return all(word in text for word in words.casefold().split())


_DAY = datetime(2024, 12, 15, 12, 0, tzinfo=UTC)
_LONG_AGO: Final = datetime(1970, 1, 1, tzinfo=UTC)
NOTES: Final = {
    note.id: note
    for note in (
        ReferenceNote("NOTE-3", "Login", "Keys stay valid.", _DAY, ("Until when?", "June.")),
        ReferenceNote("NOTE-2", "Sessions", "A login lasts 15 minutes.", _DAY - timedelta(days=1)),
        ReferenceNote("NOTE-1", "Colours", "The button is blue.", _DAY - timedelta(days=2)),
    )
}


@attrs.frozen(kw_only=True)
class ReferenceSettings:
    """Settings of an account."""

    titled: bool = True


class ReferenceSource(SourceHooks):
    """Reads the notebook as one of the people who have a key."""

    def __init__(self, account: Account[ReferenceSettings]) -> None:
        self._account = account

    @hookimpl
    async def rove_authenticate(self, login: Login) -> Credential:
        """Ask for the key."""
        key = await login.ask_secret(KEY)
        if key.reveal() not in PEOPLE:
            raise LoginRefused("the notebook does not know this key")
        header = Secret(f"Key {key.reveal()}")
        return Credential(headers={"Authorization": header}, hosts=(HOST,), refresh=key)

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:
        """Keep the key: it never expires."""
        return attrs.evolve(credential, expires_at=None)

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return who the notebook takes us for."""
        return Identity(name="Robin Doe", id="robin", hosts=(HOST,))

    @hookimpl
    async def rove_disconnect(self) -> None:
        """Give the key back."""

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield the notes in which all words occur, newest first."""
        found = [note for note in NOTES.values() if note.contains(query.text)]
        if query.since:
            found = [note for note in found if note.at >= query.since]
        if query.until:
            found = [note for note in found if note.at <= query.until]
        for note in found[: query.limit]:
            await SYSTEM.sleep(0)
            yield self._item(note)

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return a note with the answers to it, or one answer."""
        await SYSTEM.sleep(0)
        name, _, number = ref.id.partition("/")
        if ref.kind == "answer" and name in NOTES and number.isdecimal():
            return self._answers(NOTES[name])[int(number)]
        if ref.kind != "note" or ref.id not in NOTES:
            raise ItemNotFound(f"there is no {ref.kind} {ref.id!r} in the notebook")
        item = self._item(NOTES[ref.id])
        return attrs.evolve(item, thread=tuple(self._answers(NOTES[ref.id])))

    @hookimpl
    async def rove_containers(self) -> Sequence[Container]:
        """Return the notebook."""
        return [Container(name="notebook")]

    @hookimpl
    async def rove_readable(self, names: Sequence[str]) -> Sequence[Container]:
        """Return the notebook, if it is among the names."""
        return [each for each in await self.rove_containers() if each.name in names]

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the notes that changed, newest first, and then those that are gone."""
        place, left = UpdateCursor.of(scope, keep_ids=True), scope.limit
        for note in NOTES.values():
            if left and place.is_new(note.id, note.at):
                left -= 1
                item = self._item(note)
                yield ListedChange(item=item, cursor=place.text(done=False))
        if left:
            for name in place.forget_missing(NOTES, SYSTEM.now()):
                yield ListedChange(gone=self._ref(name))
            yield ListedChange(cursor=place.text(done=True))

    @hookimpl
    async def rove_list_recent(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """Yield the notes that changed since a time, with the answers to them."""
        lost = {*scope.containers} - {each.name for each in await self.rove_containers()}
        if lost:
            raise ItemNotFound(f"there is no notebook {min(lost)!r}")
        since, notebook = scope.since or _LONG_AGO, scope.containers[0]
        for note in [each for each in NOTES.values() if each.at >= since]:
            whole = attrs.evolve(self._item(note), thread=tuple(self._answers(note)))
            yield ListedChange(item=whole, whole=True, container=notebook)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # an id means the same wherever it stands
        """Return the notes that a text names."""
        return [self._ref(name) for name in dict.fromkeys(_NOTE.findall(text))]

    def _ref(self, name: str) -> ItemRef:
        return ItemRef(
            account=self._account.name, kind="note", id=name, url=f"https://{HOST}/{name}"
        )

    def _item(self, note: ReferenceNote) -> ContextItem:
        title = note.title if self._account.settings.titled else note.id
        return ContextItem(
            ref=self._ref(note.id),
            source="Reference",
            role="page",
            title=title,
            content=note.text,
            timestamp=note.at,
        )

    def _answer(self, note: ReferenceNote, number: int) -> ItemRef:
        page = f"https://{HOST}/{note.id}#{number}"
        return ItemRef(
            account=self._account.name, kind="answer", id=f"{note.id}/{number}", url=page
        )

    def _answers(self, note: ReferenceNote) -> Sequence[ContextItem]:
        return [
            ContextItem(
                ref=self._answer(note, number),
                source="reference",
                role="comment",
                title=f"{note.id} answer",
                content=text,
                timestamp=note.at + timedelta(minutes=number),
            )
            for number, text in enumerate(note.answers)
        ]


def _connect(account: Account[ReferenceSettings], http: "Http") -> SourceHooks:  # noqa: ARG001  # a notebook in memory
    return ReferenceSource(account)


@hookimpl
def rove_sources() -> Sequence[SourceKind[ReferenceSettings]]:
    """Bring the notebook."""
    return [
        SourceKind(
            name="reference",
            title="Reference",
            settings=ReferenceSettings,
            connect=_connect,
            logins=(LoginWay(name="key", title="Key", fields=(KEY,)),),
            fields=(SearchableField("text", "text", "What was written down"),),
            id_pattern=r"NOTE-(?P<number>[0-9]+)",
            id_forms=(f"https://{HOST}/NOTE-{{number}}",),
            base_url=f"https://{HOST}",
        )
    ]
