"""Standard tests that compare what a source asks and returns with a reviewed recording."""

# ruff: noqa: S101  # assert is how pytest speaks

import asyncio
import functools
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeAlias
from urllib.parse import urlsplit

import attrs
import pytest

from rove_core.errors import RoveError
from rove_core.items import ContextItem, ItemRef
from rove_core.sources import AnySourceKind
from rove_core.testing.clock import VirtualClock
from rove_core.testing.fault_catalogue import Fault
from rove_core.testing.faults import FaultProxy
from rove_core.testing.http1 import SeenRequest
from rove_core.testing.levels import MISSING, gold
from rove_core.testing.recorder import Recorder, changes, store, stored
from rove_core.testing.scene import Scene, on_stage
from rove_core.testing.source_under_test import (
    PATIENCE,
    Place,
    SourceUnderTest,
    on_site,
    proxied,
    renew_at_each_call,
    through,
)
from rove_core.testing.work_recording import record_changes

#: Set this, and the tests write their recordings anew.
RECORD: Final = "ROVE_RECORD"
_RECORDS: Final = bool(os.environ.get(RECORD))
#: What people type into a search box, around the words of ``query``.
_TYPED: Final = (
    '"{}"',
    "{} -other",
    "{}: (a OR b) AND [c]",
    "{} O'Neil \\ / * ? ~ % _",
    "{} ü é <b>&amp;",
    "{} 2024-12-15 #12 @ann",
    "  {}  ",
    "",
)
_SECOND: Final = timedelta(seconds=1)
#: How many windows, items and questions are recorded of each kind.
_WINDOWS: Final = 4
_ITEMS: Final = 12
_QUESTIONS: Final = 4
#: Statuses of HTTP with which any vendor may reply.
_STATUSES: Final = (400, 401, 403, 404, 429)
_ROUNDS: Final = 2

Playing: TypeAlias = Callable[[Any, Recorder], Coroutine[Any, Any, None]]


def recorded(test: Playing) -> Callable[..., None]:
    """Run a test that records, and compare its recording with the one in the file."""

    @functools.wraps(test)
    def run(self: "RecordingTests", source_kind: AnySourceKind, vendor: Place) -> None:
        if self.recordings is None:
            pytest.skip(f"no recordings are given for {self.kind}")
        parts: dict[str, Any] = {}

        async def play() -> None:
            async with (
                asyncio.timeout(PATIENCE) as patience,
                vendor as place,
                _stage(source_kind, place) as (scene, proxy),
            ):
                renew_at_each_call(patience, scene)
                recording = Recorder(scene, proxy, parts)
                await test(self, recording)

        asyncio.run(play())
        name = test.__name__.removeprefix("test_").partition("_")[0]
        _compare(self.recordings / f"{type(self).__name__}-{name}.json", parts)

    del run.__dict__["__wrapped__"]
    return run


class RecordingTests(SourceUnderTest):
    """Tests that nothing changes unnoticed in what a source asks its vendor and returns.

    Attributes:
        recordings: The folder of the recordings. ``ROVE_RECORD=1 pytest`` writes them: read them
            once, as you would a colleague's code, and keep them with the tests.
        vendor_failures: Replies with which the vendor reports failures, by a name for each.
        failure_errors: The Rove error that each of them is, by the same names.
        failure_items: For failures of which the identity means something else or nothing: the
            kind and the id of an item whose reading raises the error, by the same names.
    """

    recordings: ClassVar[Path | None] = None
    vendor_failures: ClassVar[Mapping[str, Fault]] = MappingProxyType({})
    failure_errors: ClassVar[Mapping[str, type[RoveError]]] = MappingProxyType({})
    failure_items: ClassVar[Mapping[str, tuple[str, str]]] = MappingProxyType({})

    @gold
    @proxied("rove_identity")
    async def test_reported_failures_have_their_errors(
        self, scene: Scene, proxy: FaultProxy
    ) -> None:
        """Each reply with which the vendor reports a failure raises the error that it means."""
        if not self.vendor_failures:
            pytest.skip(f"no vendor_failures are given for {self.kind}")
        if not self.failure_errors:
            pytest.skip(f"{MISSING}give failure_errors: which error each of vendor_failures is")
        if missing := self.vendor_failures.keys() - self.failure_errors.keys():
            pytest.skip(f"{MISSING}give failure_errors, too, for {', '.join(sorted(missing))}")
        raised: dict[str, type[RoveError] | None] = {}
        for name in self.failure_errors:
            scene.connect()
            proxy.play(self.vendor_failures[name], times=None)
            raised[name] = None
            try:
                await self._call_that_fails(scene, name)
            except RoveError as error:
                raised[name] = type(error)
            proxy.stop()

        assert raised == {**self.failure_errors}

    @gold
    @recorded
    async def test_reading_is_as_recorded(self, recording: Recorder) -> None:
        """Identity, containers, items, searches and listings are as they were recorded."""
        scene = recording.scene
        await _read_account(recording)
        refs = [self.ref(scene, self.known), *self._further(scene)]
        if scene.has("rove_list"):
            refs += await _read_listings(recording)
        if scene.has("rove_search"):
            refs += await self._read_searches(recording)
        await self._read_items(recording, list(dict.fromkeys(refs))[:_ITEMS])
        if scene.has("rove_recognise"):
            await self._read_mentions(recording, refs)
        if "page_size" in attrs.fields_dict(scene.kind.settings):
            scene.change(page_size=1)
            await _read_listings(recording, "pages of one: ", brief=True)
            if scene.has("rove_item_detail"):
                known = self.ref(scene, self.known)
                await recording.call(
                    "pages of one: detail", lambda: scene.detail(known), brief=True
                )
            if scene.has("rove_search"):
                await recording.call(
                    "pages of one: search", lambda: scene.find(self.query), brief=True
                )

    @gold
    @recorded
    async def test_history_is_as_recorded(self, recording: Recorder) -> None:
        """What a listing says after each change at the vendor is as it was recorded."""
        scene, chance = recording.scene, Random(7)  # noqa: S311  # a history, not a secret
        if not scene.has("rove_list") or not scene.vendor.steps:
            pytest.skip(f"{self.kind} has no rove_list, or Vendor no steps")
        found, cursor = await scene.list_changes()
        since = max(each.item.timestamp for each in found if each.item)
        names: tuple[str, ...] = ()
        if scene.has("rove_containers"):
            names = tuple(each.name for each in await scene.awaited("rove_containers"))
        steps = ["add", *sorted(scene.vendor.steps)] * _ROUNDS
        for number, step in enumerate(steps, 1):
            scene.vendor.steps[step](chance)

            async def follow() -> object:
                nonlocal cursor
                listed, cursor = await scene.list_changes(cursor)
                return listed

            await recording.call(f"{number}. {step}: list", follow)
        if scene.has("rove_list_recent"):
            await recording.call("recent", lambda: scene.list_recent(names, since), brief=True)
            await recording.call(
                "recent, later", lambda: scene.list_recent(names[:1], since + _SECOND), brief=True
            )
        await recording.call("since", lambda: _listed(scene, since=since), brief=True)

    @gold
    @recorded
    async def test_failures_are_as_recorded(self, recording: Recorder) -> None:
        """What each failure of the vendor leads to is as it was recorded."""
        scene, proxy = recording.scene, recording.proxy
        if not self.vendor_failures:
            pytest.skip(f"no vendor_failures are given for {self.kind}")
        if proxy is None:
            pytest.skip(f"{self.kind} talks to no vendor over plain HTTP here")
        failures = {f"{each}": Fault(status=each, body=b'{"message": "no"}') for each in _STATUSES}
        failures.update(self.vendor_failures)
        for call, read in self._calls(scene).items():
            scene.connect()
            before = len(proxy.requests)
            with suppress(RoveError):
                await read()
            asked = list(dict.fromkeys(map(_question, proxy.requests[before:])))[:_QUESTIONS]
            for number, question in enumerate(asked, 1):
                for name, fault in failures.items():
                    scene.connect()
                    proxy.play(fault, times=None, when=functools.partial(_is, question))
                    await recording.call(f"{call}, {name} at request {number}", read, brief=True)
                    proxy.stop()
        for part in recording.parts.values():  # What is asked is another test's.
            assert isinstance(part, dict)
            del part["asked"]

    @gold
    @recorded
    async def test_changes_are_as_recorded(self, recording: Recorder) -> None:
        """What changes of work items ask and return is as it was recorded."""
        tests: Any = self
        if not recording.scene.has("rove_work_item") or not hasattr(tests, "work_ref"):
            pytest.skip(f"{self.kind} has no rove_work_item, or the class no tests of it")
        containers = [tests.work_container] if tests.work_container else []
        ref = tests.work_ref(recording.scene)
        await record_changes(recording, ref, containers, tests.work_assignee)

    async def _call_that_fails(self, scene: Scene, name: str) -> None:
        """Make the call that raises the error of a failure."""
        if name not in self.failure_items:
            await scene.awaited("rove_identity")
            return
        kind, id_ = self.failure_items[name]
        await scene.detail(attrs.evolve(self.ref(scene, id_), kind=kind))

    def _further(self, scene: Scene) -> list[ItemRef]:
        ref = self.ref(scene, self.known)
        return [
            attrs.evolve(ref, id=each.id, kind=each.kind or ref.kind) for each in self.more_expected
        ]

    def _calls(self, scene: Scene) -> dict[str, Callable[[], Awaitable[object]]]:
        known = self.ref(scene, self.known)
        calls: dict[str, tuple[str, Callable[[], Awaitable[object]]]] = {
            "identity": ("rove_identity", lambda: scene.awaited("rove_identity")),
            "containers": ("rove_containers", lambda: scene.awaited("rove_containers")),
            "search": ("rove_search", lambda: scene.find(self.query)),
            "detail": ("rove_item_detail", lambda: scene.detail(known)),
            "list": ("rove_list", lambda: _listed(scene)),
            "work item": ("rove_work_item", lambda: scene.awaited("rove_work_item", ref=known)),
        }
        return {name: call for name, (hook, call) in calls.items() if scene.has(hook)}

    async def _read_searches(self, recording: Recorder) -> list[ItemRef]:
        scene = recording.scene
        found: Any = await recording.call("search", lambda: scene.find(self.query))
        items: list[ContextItem] = found or []
        times = sorted({item.timestamp for item in items})[:_WINDOWS]
        for at in times:
            for name, window in {
                "since": {"since": at},
                "after": {"since": at + _SECOND},
                "until": {"until": at},
                "before": {"until": at - _SECOND},
                "at": {"since": at, "until": at},
            }.items():
                search = functools.partial(scene.find, self.query, **window)  # type: ignore[arg-type]  # the names are those of find
                await recording.call(f"search {name} {at.isoformat()}", search, brief=True)
        window = {"since": times[0], "until": times[-1]} if times else {}
        for name in (field.name for field in scene.kind.fields):
            words = self.in_fields.get(name, (self.query, ()))[0]
            for within, given in (("", {}), (" in a window", window)):
                search = functools.partial(_find_in, scene, words, name, given)
                await recording.call(f"search in {name}{within}: {words}", search, brief=True)
        for form in _TYPED:
            search = functools.partial(scene.find, form.format(self.query))
            await recording.call(f"search for {form}", search, brief=True)
        return [item.ref for item in items]

    async def _read_items(self, recording: Recorder, refs: Sequence[ItemRef]) -> None:
        scene = recording.scene
        for ref in refs:
            if scene.has("rove_item_detail"):
                await recording.call(
                    f"detail {ref.kind} {ref.id}", functools.partial(scene.detail, ref)
                )
            if scene.has("rove_work_item"):
                read = functools.partial(scene.awaited, "rove_work_item", ref=ref)
                await recording.call(f"work item {ref.kind} {ref.id}", read)
        for name in (self.unknown, "x", f"{self.known}0", f"{self.known}/1"):
            if scene.has("rove_item_detail"):
                wrong = functools.partial(scene.detail, self.ref(scene, name))
                await recording.call(f"detail of {name}", wrong)

    async def _read_mentions(self, recording: Recorder, refs: Sequence[ItemRef]) -> None:
        scene = recording.scene
        texts = on_site(scene, (*self.mentions, *self.no_mentions))
        texts += [form for ref in refs for form in (ref.url, ref.id, f"#{ref.id}", f"x{ref.id}y")]
        own = self.ref(scene, self.known)
        origins = {
            "": None,
            "from the known item: ": own,
            "from another account: ": attrs.evolve(own, account=f"{own.account}-other"),
        }
        for text in dict.fromkeys(filter(None, texts)):
            for name, origin in origins.items():

                async def recognise(text: str = text, origin: ItemRef | None = origin) -> object:
                    return scene.recognise(text, origin=origin)

                await recording.call(f"{name}{recording.masked(text)}", recognise, brief=True)


async def _find_in(
    scene: Scene, words: str, name: str, window: Mapping[str, datetime]
) -> list[ContextItem]:
    since, until = window.get("since"), window.get("until")
    return await scene.find(words, fields=(name,), since=since, until=until)


async def _read_account(recording: Recorder) -> None:
    scene = recording.scene
    if scene.credential is not None:
        recording.parts["login"] = [
            recording.masked(url) for login in scene.logins for url in login.shown
        ]
        recording.parts["credential"] = {
            "headers": sorted(scene.credential.headers),
            "renewable": bool(scene.credential.refresh),
        }
    for hook in ("rove_identity", "rove_containers"):
        if scene.has(hook):
            await recording.call(hook, functools.partial(scene.awaited, hook))
    if not scene.has("rove_containers"):
        return
    for container in await scene.awaited("rove_containers"):
        names = [container.name, f"{container.name}x"]
        if scene.has("rove_readable"):
            readable = functools.partial(scene.awaited, "rove_readable", names=names)
            await recording.call(f"readable {container.name}", readable)
        if scene.has("rove_iterations"):
            for name in names:
                call = functools.partial(scene.awaited, "rove_iterations", container=name)
                await recording.call(f"iterations {name}", call)


async def _read_listings(
    recording: Recorder, title: str = "", *, brief: bool = False
) -> list[ItemRef]:
    scene = recording.scene
    if not scene.has("rove_list"):
        return []
    listed: Any = await recording.call(f"{title}list", lambda: _listed(scene), brief=brief)
    items = [each.item for each in listed or [] if each.item]
    times = sorted({item.timestamp for item in items})[-_WINDOWS:]
    for at in () if brief else times:
        since = functools.partial(_listed, scene, since=at)
        await recording.call(f"list since {at.isoformat()}", since, brief=True)
    names = []
    if scene.has("rove_containers"):
        names = [each.name for each in await scene.awaited("rove_containers")]
    for name in names:
        some = functools.partial(_listed, scene, containers=(name,))
        await recording.call(f"{title}list {name}", some, brief=True)
        if scene.has("rove_list_recent") and times:
            recent = functools.partial(scene.list_recent, (name,), times[0])
            await recording.call(f"{title}recent {name}", recent, brief=brief)
    return [item.ref for item in items]


async def _listed(scene: Scene, **given: Any) -> object:  # noqa: ANN401  # as the scene has them
    return (await scene.list_changes(**given))[0]


@asynccontextmanager
async def _stage(
    kind: AnySourceKind,
    vendor: Any,  # noqa: ANN401  # a Vendor
) -> AsyncIterator[tuple[Scene, FaultProxy | None]]:
    if urlsplit(vendor.base_url).scheme == "http":
        async with through(kind, vendor) as (scene, proxy):
            yield scene, proxy
    else:
        async with on_stage(kind, vendor, clock=VirtualClock()) as scene:
            await scene.enter()
            yield scene, None


def _compare(file: Path, parts: Mapping[str, Any]) -> None:
    if _RECORDS:
        store(file, parts)
    assert file.is_file(), f"there is no {file.name} yet: {RECORD}=1 pytest writes it; then read it"
    differ = changes(stored(file), parts)
    more = f"\n... and {len(differ) - 5} more" if len(differ) > 5 else ""
    advice = f"\nIf that is right, write {file.name} anew with {RECORD}=1 and read the changes."
    assert not differ, "\n".join(differ[:5]) + more + advice


def _question(seen: SeenRequest) -> tuple[str, str, bytes]:
    return seen.method, seen.path, seen.body


def _is(question: tuple[str, str, bytes], seen: SeenRequest) -> bool:
    return question == _question(seen)
