"""Calling accounts: whatever one source does at run time costs its own account one error."""

import asyncio
import gc
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from itertools import count
from types import ModuleType
from typing import Final, TypeAlias

import pytest

from rove_core import (
    ContextItem,
    Credential,
    Identity,
    ItemRef,
    Query,
    SourceHooks,
    hookimpl,
    run,
)
from rove_core.clock import SYSTEM
from rove_core.errors import (
    PluginFailed,
    RoveError,
    TimedOut,
    Unavailable,
    UnknownAccount,
)
from rove_core.plugins import calls
from rove_core.plugins.accounts import Accounts
from rove_core.plugins.limits import MOST_REFERENCES
from rove_core.plugins.loader import use_plugins

Items: TypeAlias = AsyncGenerator[ContextItem, None]


def _item(account: str, name: str = "A-1") -> ContextItem:
    return ContextItem(
        ref=ItemRef(account=account, kind="note", id=name),
        source="Acme",
        role="page",
        title=name,
        content="",
        timestamp=datetime(2026, 1, 1, tzinfo=UTC),
    )


def _bent(field: str, value: object) -> ContextItem:
    """Return an item with something in a field that no type checker would let in."""
    item = _item("bad")
    object.__setattr__(item, field, value)
    return item


#: Seconds in which a source yields two items at once, on the slowest of machines.
_ENOUGH: Final = 2.0


class Good(SourceHooks):
    """A source without a flaw."""

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield as much as is wanted."""
        for number in range(query.limit):
            yield _item(query.account, f"A-{number}")

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Return it."""
        return _item(ref.account, ref.id)

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Take every word for an id."""
        return [ItemRef(account="good", kind="note", id=word) for word in text.split()]


class Raising(SourceHooks):
    """Raises what it was made with, after one item."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield one, then raise."""
        yield _item(query.account)
        raise self._error

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:  # noqa: ARG002  # the hook's
        """Raise."""
        raise self._error

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Raise."""
        raise self._error


class Hanging(SourceHooks):
    """Never answers, and does not even listen when it is cancelled, if it is stubborn."""

    def __init__(self, *, stubborn: bool = False) -> None:
        self._stubborn = stubborn
        self.freed = asyncio.Event()

    async def _hang(self) -> None:
        while not self.freed.is_set():
            try:
                await self.freed.wait()
            except asyncio.CancelledError:
                if not self._stubborn:
                    raise

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield two, then hang."""
        yield _item(query.account, "A-1")
        yield _item(query.account, "A-2")
        await self._hang()

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Hang."""
        await self._hang()
        return _item(ref.account)


class Wrong(SourceHooks):
    """Gives what it was made with, whatever is asked."""

    def __init__(self, thing: object) -> None:
        self._thing = thing

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:  # noqa: ARG002  # the hook's
        """Yield it."""
        yield self._thing  # type: ignore[misc]  # what is tested

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:  # noqa: ARG002  # the hook's
        """Return it."""
        return self._thing  # type: ignore[return-value]  # what is tested

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Return it, alone."""
        return [self._thing]  # type: ignore[list-item]  # what is tested


class Endless(SourceHooks):
    """Yields for ever, counts it, and closes badly if it is told to."""

    def __init__(self, *, bad_end: BaseException | None = None) -> None:
        self.count = 0
        self.closed = False
        self._bad_end = bad_end

    @hookimpl
    async def rove_search(self, query: Query) -> AsyncIterator[ContextItem]:
        """Yield and yield."""
        try:
            while True:
                self.count += 1
                yield _item(query.account, f"A-{self.count}")
        finally:
            self.closed = True
            if self._bad_end:
                raise self._bad_end


def _accounts(*plugins: ModuleType, **sources: SourceHooks) -> Accounts:
    accounts = Accounts(use_plugins(plugins).manager)
    for name, source in sources.items():
        accounts.connect(name, source)
    return accounts


async def _found(
    accounts: Accounts, account: str, *, limit: int = 50, deadline: float = 30
) -> tuple[list[str], RoveError | None]:
    """Return what a search brings until it ends, and with what error it ends."""
    ids: list[str] = []
    try:
        query = Query(account=account, text="", limit=limit)
        async for item in accounts.search(query, deadline=deadline):
            ids.append(item.ref.id)  # noqa: PERF401  # what came before an error counts
    except RoveError as error:
        return ids, error
    return ids, None


ERRORS = [
    (KeyError("x"), "KeyError: 'x'"),
    (StopIteration(), "RuntimeError: "),
    (StopAsyncIteration(), ""),
    (SystemExit("enough"), "SystemExit: enough"),
    (GeneratorExit(), "GeneratorExit"),
    (asyncio.CancelledError("mine"), "CancelledError: mine"),
    (RecursionError("deep"), "RecursionError: deep"),
]


@pytest.mark.parametrize(("raised", "said"), ERRORS, ids=lambda value: type(value).__name__)
def test_search_that_raises_keeps_what_came_before(raised: BaseException, said: str) -> None:
    """Whatever a source raises becomes an error of its account, after the items before it."""
    ids, error = run(_found(_accounts(bad=Raising(raised)), "bad"))

    assert ids == ["A-1"]
    assert isinstance(error, PluginFailed)
    assert error.message.startswith(f"bad: rove_search: {said}")
    assert error.account == "bad"


@pytest.mark.parametrize(("raised", "said"), ERRORS, ids=lambda value: type(value).__name__)
def test_detail_that_raises_is_an_error_of_the_account(raised: BaseException, said: str) -> None:
    """The same for a single item."""
    accounts = _accounts(bad=Raising(raised))

    with pytest.raises(PluginFailed) as caught:
        run(accounts.item_detail(ItemRef(account="bad", kind="note", id="A-1")))

    assert caught.value.message.startswith(f"bad: rove_item_detail: {said}")


def test_error_of_the_house_is_kept() -> None:
    """What a source raises in Rove's own words stays what it is, with the account's name on it."""
    _, error = run(_found(_accounts(bad=Raising(Unavailable("down"))), "bad"))

    assert isinstance(error, Unavailable)
    assert (error.message, error.account) == ("down", "bad")


def test_timeout_of_the_source_itself_is_one_of_rove() -> None:
    """A client's own ``TimeoutError`` means: later."""
    _, error = run(_found(_accounts(bad=Raising(TimeoutError("slow"))), "bad"))

    assert isinstance(error, TimedOut)


def test_ctrl_c_is_nobodys_error() -> None:
    """What a person presses is not blamed on a plugin."""
    with pytest.raises(KeyboardInterrupt):
        run(_found(_accounts(bad=Raising(KeyboardInterrupt())), "bad"))
    gc.collect()  # What asyncio says of the task that it broke off belongs to this test.


def test_hanging_search_is_left_with_what_it_found() -> None:
    """The deadline ends a search, and says how much had come."""
    ids, error = run(_found(_accounts(bad=Hanging()), "bad", deadline=_ENOUGH))

    assert ids == ["A-1", "A-2"]
    assert isinstance(error, TimedOut)
    assert error.message == f"bad: first 2, then no answer within {_ENOUGH:g} s"


def test_stubborn_source_is_left_behind(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One that does not let itself be cancelled holds nobody up, and is named."""
    monkeypatch.setattr(calls, "GRACE", 0.01)

    async def ask() -> tuple[tuple[list[str], RoveError | None], str]:
        stubborn = Hanging(stubborn=True)
        accounts = _accounts(bad=stubborn)
        found = await _found(accounts, "bad", deadline=_ENOUGH)
        with pytest.raises(TimedOut) as caught:
            await accounts.item_detail(ItemRef(account="bad", kind="note", id="A-1"), deadline=0.2)
        stubborn.freed.set()
        return found, caught.value.message

    (ids, error), said = run(ask())

    assert ids == ["A-1", "A-2"]
    assert isinstance(error, TimedOut)
    assert said == "bad: no answer within 0.2 s"
    assert "bad: does not stop when it is cancelled" in caplog.text


def test_time_of_the_reader_does_not_count() -> None:
    """A slow reader does not use up the deadline of the source."""

    async def read_slowly() -> int:
        read = 0
        query = Query(account="good", text="", limit=3)
        async for _ in _accounts(good=Good()).search(query, deadline=_ENOUGH):
            await SYSTEM.sleep(0.4 * _ENOUGH)
            read += 1
        return read

    assert run(read_slowly()) == 3


def test_flood_is_stopped_at_the_limit() -> None:
    """What yields for ever is closed once there is enough, hardly ahead of its reader."""
    flood = Endless()

    ids, error = run(_found(_accounts(bad=flood), "bad", limit=10))

    assert (len(ids), error) == (10, None)
    assert flood.count <= 13
    assert flood.closed


def test_bad_end_is_only_logged(caplog: pytest.LogCaptureFixture) -> None:
    """What is raised while closing costs nothing of what was found."""
    bad = _accounts(bad=Endless(bad_end=ValueError("not closed")))

    ids, error = run(_found(bad, "bad", limit=2))

    assert (ids, error) == (["A-1", "A-2"], None)
    assert "bad: stopped with bad: rove_search: ValueError: not closed" in caplog.text


def test_reader_that_leaves_closes_the_source() -> None:
    """Who closes a search early leaves nothing running."""
    flood = Endless()

    async def leave() -> None:
        search = _accounts(bad=flood).search(Query(account="bad", text=""))
        async with aclosing(search) as found:
            await anext(found)

    run(leave())

    assert flood.closed


WRONG = [
    ("text", "gave str instead of ContextItem"),
    (None, "gave NoneType instead of ContextItem"),
    (_item("other"), "gave 'A-1' of the account 'other'"),
    (_bent("content", None), "gave an item whose content is NoneType instead of str"),
]


@pytest.mark.parametrize(("thing", "said"), WRONG)
def test_wrong_thing_is_refused(thing: object, said: str) -> None:
    """What is no item, or one of another account, does not get in."""
    accounts = _accounts(bad=Wrong(thing))

    _, error = run(_found(accounts, "bad"))
    with pytest.raises(PluginFailed) as caught:
        run(accounts.item_detail(ItemRef(account="bad", kind="note", id="A-1")))

    assert isinstance(error, PluginFailed)
    assert error.message == f"bad: rove_search {said}"
    assert caught.value.message == f"bad: rove_item_detail {said}"


@pytest.mark.parametrize(
    "source",
    [
        Raising(KeyError("x")),
        Raising(SystemExit()),
        Wrong("text"),
        Wrong(ItemRef(account="x", kind="y", id="z")),
        Wrong(ItemRef(account="bad", kind="y", id=7)),  # type: ignore[arg-type]  # what is tested
    ],
    ids=["raises", "exits", "wrong type", "other account", "id of a wrong type"],
)
def test_account_that_recognises_badly_costs_no_other(
    source: SourceHooks, caplog: pytest.LogCaptureFixture
) -> None:
    """The others are still asked, and what is wrong is logged once, not per text."""
    accounts = _accounts(bad=source, good=Good())

    found = [accounts.recognise(text) for text in ("A-1", "A-2")]

    assert found == [
        (ItemRef(account="good", kind="note", id="A-1"),),
        (ItemRef(account="good", kind="note", id="A-2"),),
    ]
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "rove_recognise fails: bad: " in caplog.text
    assert str(accounts.failure("bad", "rove_recognise")).startswith("bad: ")


class Forever(SourceHooks):
    """Finds something wherever it looks."""

    @hookimpl
    def rove_recognise(self, text: str, origin: ItemRef | None) -> Sequence[ItemRef]:  # noqa: ARG002  # the hook's
        """Find and find."""
        return (ItemRef(account="bad", kind="note", id=str(n)) for n in count())  # type: ignore[return-value]  # what is tested


def test_flood_of_references_is_stopped() -> None:
    """One account does not drown a build in what it finds in one text."""
    assert len(_accounts(bad=Forever()).recognise("A-1")) == MOST_REFERENCES


def test_hanging_account_holds_up_no_other() -> None:
    """While one hangs the others answer."""

    async def ask() -> Sequence[tuple[list[str], RoveError | None]]:
        accounts = _accounts(bad=Hanging(), good=Good())
        return await asyncio.gather(
            _found(accounts, "bad", deadline=0.05), _found(accounts, "good", limit=3)
        )

    (_, hung), (ids, error) = run(ask())

    assert isinstance(hung, TimedOut)
    assert (ids, error) == (["A-0", "A-1", "A-2"], None)


def test_each_account_answers_for_itself() -> None:
    """A second account of a kind does not answer for the first, also when it came later."""

    async def ask() -> list[ContextItem]:
        accounts = _accounts(good=Good())
        await accounts.item_detail(ItemRef(account="good", kind="note", id="A-1"))
        accounts.connect("good:work", Good())
        names = ("good", "good:work")
        return [
            await accounts.item_detail(ItemRef(account=name, kind="note", id="A-1"))
            for name in names
        ]

    assert [item.account for item in run(ask())] == ["good", "good:work"]


def test_unknown_account_is_told_with_those_there_are() -> None:
    """Who asks an account that is not connected learns which ones are."""
    with pytest.raises(UnknownAccount, match="'jira' is connected here; connected: good"):
        _accounts(good=Good()).can("jira", "rove_search")


def test_missing_capability_is_told() -> None:
    """To call a hook that a source does not have is an error, not silence."""
    accounts = _accounts(good=Good())

    assert not accounts.can("good", "rove_identity")
    with pytest.raises(PluginFailed, match="good: its source has no rove_identity"):
        run(accounts.identity("good"))


def test_disconnected_account_is_gone() -> None:
    """An account can be taken out, and its name used again."""
    accounts = _accounts(good=Good())
    accounts.disconnect("good")
    accounts.connect("good", Good())

    assert accounts.names == ("good",)


def test_account_is_connected_once() -> None:
    """A name that is in use is refused, and the first account keeps it."""
    accounts = _accounts(good=Good())

    with pytest.raises(PluginFailed, match="'good' is already connected"):
        accounts.connect("good", Raising(KeyError()))

    assert accounts.recognise("A-1") == (ItemRef(account="good", kind="note", id="A-1"),)


def test_one_source_serves_one_account() -> None:
    """The same object under a second name is refused, and leaves nothing behind."""
    source = Good()
    accounts = _accounts(good=source)

    with pytest.raises(PluginFailed, match="good:work: ValueError: Plugin"):
        accounts.connect("good:work", source)

    assert accounts.names == ("good",)


class LoggingIn(SourceHooks):
    """Gives no credential, and nobody."""

    @hookimpl
    async def rove_refresh(self, credential: Credential) -> Credential:  # noqa: ARG002  # the hook's
        """Return nothing."""
        return None  # type: ignore[return-value]  # what is tested

    @hookimpl
    async def rove_identity(self) -> Identity:
        """Return a name."""
        return "Robin"  # type: ignore[return-value]  # what is tested


def test_wrong_credential_and_identity_are_refused() -> None:
    """What logging in brings is checked as items are."""
    accounts = _accounts(bad=LoggingIn())

    with pytest.raises(PluginFailed, match="rove_refresh gave NoneType"):
        run(accounts.refresh("bad", Credential(headers={}, hosts=())))
    with pytest.raises(PluginFailed, match="rove_identity gave str"):
        run(accounts.identity("bad"))
