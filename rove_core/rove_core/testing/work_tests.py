"""Standard tests of work items: a change is made, once, and nothing else changes."""

# ruff: noqa: S101  # assert is how pytest speaks

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, ClassVar, Final

import attrs
import pytest

from rove_core._item_words import StatusCategory
from rove_core.errors import Conflict, ItemNotFound, RoveError, ScopeMissing, WrongCall
from rove_core.facts import ItemStatus
from rove_core.items import ItemRef
from rove_core.markup.hidden_mark import find_hidden_mark
from rove_core.testing.fault_catalogue import Fault
from rove_core.testing.faults import FaultProxy
from rove_core.testing.levels import MISSING, gold, silver
from rove_core.testing.scene import Scene, on_stage
from rove_core.testing.source_under_test import SourceUnderTest, logged_in, proxied
from rove_core.testing.work_values import (
    TITLE,
    fields_of,
    number_of,
    own_id,
    value_of,
    values_for,
)
from rove_core.work.changes import NewAttachment, NewComment, NewWorkItem, WorkItemChange
from rove_core.work.items import WorkItem

_KEY: Final = "rove-suite-0001"
#: The vendor has done it, and who asked does not learn it.
_LOST_REPLY: Final = Fault(cut_at=0, reset=True)
#: Steps from status to status, each of another kind.
_WALK: Final = 16
_STATES: Final = ("active", "planned", "completed")


class WorkTests(SourceUnderTest):
    """Tests of work item changes.

    Attributes:
        work: The id of a work item that the tests may change; the known item's where empty.
        work_kind: What that item is in its source's words; the known item's where empty.
        work_container: The name of the container in which items may be created.
        work_assignee: Who can be assigned, by the vendor's id; who logged in where empty.
        work_statuses: What the work item's statuses mean, by their names, in an order in which
            they can be taken; needed for gold.
        work_fields: Values of the work item as a person sees them at the vendor, by the names of
            the fields of `WorkItem`: of an assignee the name, of a parent the id.
        work_guard: Whether the vendor itself refuses a change of a revision that is not the last
            one; needed for gold.
    """

    work: ClassVar[str] = ""
    work_kind: ClassVar[str] = ""
    work_container: ClassVar[str] = ""
    work_assignee: ClassVar[str] = ""
    work_statuses: ClassVar[Mapping[str, StatusCategory]] = MappingProxyType({})
    work_fields: ClassVar[Mapping[str, object]] = MappingProxyType({})
    work_guard: ClassVar[bool | None] = None

    @logged_in("rove_work_item")
    async def test_work_item_is_the_one_asked_for(self, scene: Scene) -> None:
        """A work item has the requested reference, a title, a status, a revision and UTC times."""
        ref = self.work_ref(scene)
        work = await _read(scene, ref)

        assert (work.ref.account, work.ref.id) == (scene.account.name, ref.id)
        assert all((work.title, work.status.name, work.revision))
        assert [at for at in (work.created, work.updated) if at.utcoffset()] == []
        assert scene.is_own(work.ref.url)

    @gold
    @logged_in("rove_work_item")
    async def test_work_item_keeps_the_reply(self, scene: Scene) -> None:
        """The vendor's reply is in ``raw``, for values without a field."""
        work = await _read(scene, self.work_ref(scene))

        assert work.raw != {}

    @logged_in("rove_work_item")
    async def test_unknown_work_item_is_not_found(self, scene: Scene) -> None:
        """Reading or changing an unknown work item raises `ItemNotFound`."""
        ref = attrs.evolve(self.work_ref(scene), id=self.unknown)
        with pytest.raises(ItemNotFound):
            await scene.awaited("rove_work_item", ref=ref)
        if scene.has("rove_change_work_item"):
            with pytest.raises(ItemNotFound):
                await _change(scene, ref, WorkItemChange(title=TITLE))

    @logged_in("rove_change_work_item")
    async def test_change_is_kept(self, scene: Scene) -> None:
        """The result of a change has the new value, and so does the item when read again."""
        ref = self.work_ref(scene)
        changed = await _change(scene, ref, WorkItemChange(title=TITLE))

        assert changed.title == TITLE
        assert await _read(scene, ref) == changed

    @silver
    @logged_in("rove_change_work_item")
    async def test_change_touches_nothing_else(self, scene: Scene) -> None:
        """A change affects only the given field and gives the item a new revision."""
        ref = self.work_ref(scene)
        before = await _read(scene, ref)
        after = await _change(scene, ref, WorkItemChange(title=TITLE))

        assert fields_of(after, without="title") == fields_of(before, without="title")
        assert after.revision != before.revision

    @silver
    @logged_in("rove_change_work_item")
    async def test_each_change_has_its_revision(self, scene: Scene) -> None:
        """Two changes within one second have different revisions."""
        ref = self.work_ref(scene)
        works = [await _change(scene, ref, WorkItemChange(title=f"{TITLE} {n}")) for n in (1, 2)]
        if "labels" in works[0].changeable:
            works.append(await _change(scene, ref, WorkItemChange(labels=("suite",))))

        assert len({each.revision for each in works}) == len(works)

    @silver
    @logged_in("rove_change_work_item")
    async def test_overtaken_change_is_refused(self, scene: Scene) -> None:
        """A change from an outdated revision raises `Conflict` and overwrites nothing."""
        ref = self.work_ref(scene)
        before = await _read(scene, ref)
        await _change(scene, ref, WorkItemChange(title=TITLE))
        with pytest.raises(Conflict) as refused:
            await _change(
                scene,
                ref,
                WorkItemChange(title="Too late", if_revision=before.revision),
            )

        assert (await _read(scene, ref)).title == TITLE
        message = f"{refused.value.message} {refused.value.hint}"
        assert [each for each in scene.secrets() if each.reveal() in message] == []

    @silver
    @logged_in("rove_change_work_item")
    async def test_change_from_its_revision_is_made(self, scene: Scene) -> None:
        """A change from the latest revision succeeds."""
        ref = self.work_ref(scene)
        before = await _read(scene, ref)
        change = WorkItemChange(title=TITLE, if_revision=before.revision)

        assert (await _change(scene, ref, change)).title == TITLE

    @silver
    @logged_in("rove_change_work_item", "rove_status_options")
    async def test_offered_status_can_be_taken(self, scene: Scene) -> None:
        """The item can take each offered status in turn, and then has it with its category."""
        ref = self.work_ref(scene)
        own = (await _read(scene, ref)).status
        options = await scene.awaited("rove_status_options", ref=ref)
        possible = [each.status for each in options if not each.needs]

        assert possible != []
        assert own.name not in [each.status.name for each in options]
        taken: set[tuple[str, str]] = set()
        for _ in range(_WALK):
            offered = await scene.awaited("rove_status_options", ref=ref)
            names = {each.status.name: each.status for each in offered if not each.needs}
            left = [name for name in names if (own.name, name) not in taken]
            if not left:
                break
            changed = await _change(scene, ref, WorkItemChange(status=left[0]))
            assert changed.status == names[left[0]]
            taken.add((own.name, left[0]))
            own = changed.status

    @gold
    @proxied("rove_change_work_item")
    async def test_guard_reaches_the_vendor(self, scene: Scene, proxy: FaultProxy) -> None:
        """With conditional requests, a change between reading and writing survives."""
        if self.work_guard is None:
            pytest.skip(f"{MISSING}give work_guard: whether the vendor refuses other revisions")
        if not self.work_guard:
            pytest.skip(f"the vendor of {scene.kind.name} guards no change")
        ref, faster = self.work_ref(scene), WorkItemChange(title="Somebody was faster")
        before = await _read(scene, ref)

        async def overtake() -> None:
            async with on_stage(scene.kind, scene.vendor, clock=scene.clock) as other:
                await other.enter()
                await _change(other, ref, faster)

        proxy.before(overtake, when=lambda seen: TITLE.encode() in seen.body)
        late = WorkItemChange(title=TITLE, if_revision=before.revision)
        with pytest.raises(Conflict):
            await _change(scene, ref, late)

        assert (await _read(scene, ref)).title == faster.title

    @silver
    @proxied("rove_change_work_item")
    async def test_failed_precondition_is_a_conflict(self, scene: Scene, proxy: FaultProxy) -> None:
        """A change that is refused with 412 raises `Conflict`."""
        change = WorkItemChange(title=TITLE)
        fault = Fault(status=412, body=b'{"message": "no"}')
        proxy.play(fault, times=None, when=lambda seen: TITLE.encode() in seen.body)
        if not self.work_guard:
            pytest.skip(f"the vendor of {scene.kind.name} guards no change")
        with pytest.raises(Conflict):
            await _change(scene, self.work_ref(scene), change)

    @gold
    @logged_in("rove_change_work_item", "rove_status_options")
    async def test_statuses_mean_what_they_do(self, scene: Scene) -> None:
        """Each described status has its category when offered, when taken, and as a fact."""
        if not self.work_statuses:
            pytest.skip(f"{MISSING}give work_statuses: what the statuses of the item mean")
        ref = self.work_ref(scene)
        for name, category in self.work_statuses.items():
            status = ItemStatus(name=name, category=category)
            if (await _read(scene, ref)).status.name != name:
                options = await scene.awaited("rove_status_options", ref=ref)
                assert status in [each.status for each in options]
                if missing := {each.status.name for each in options} - self.work_statuses.keys():
                    pytest.skip(f"{MISSING}give work_statuses, too, for {', '.join(missing)}")
                await _change(scene, ref, WorkItemChange(status=name))
            assert (await _read(scene, ref)).status == status
            fact = (await scene.detail(ref)).facts.status
            assert fact is not None
            assert fact.category in (None, category)

    @silver
    @logged_in("rove_change_work_item", "rove_status_options")
    async def test_fields_change_together(self, scene: Scene) -> None:
        """A change of title and status keeps both, even if the vendor needs two requests."""
        ref = self.work_ref(scene)
        options = await scene.awaited("rove_status_options", ref=ref)
        status = next(each.status for each in options if not each.needs)
        changed = await _change(scene, ref, WorkItemChange(title=TITLE, status=status.name))

        read = await _read(scene, ref)

        assert (changed.title, changed.status) == (TITLE, status)
        assert (read.title, read.status) == (TITLE, status)

    @silver
    @logged_in("rove_change_work_item", "rove_status_options")
    async def test_other_status_is_refused(self, scene: Scene) -> None:
        """An impossible status is refused, and the message lists the possible ones."""
        ref = self.work_ref(scene)
        before = await _read(scene, ref)
        options = await scene.awaited("rove_status_options", ref=ref)
        with pytest.raises(WrongCall) as refused:
            await _change(scene, ref, WorkItemChange(status="No such status"))

        assert any(each.status.name in refused.value.message for each in options)
        assert await _read(scene, ref) == before

    @silver
    @logged_in("rove_add_comment")
    async def test_comment_is_added_once(self, scene: Scene) -> None:
        """A comment with the same key is added once; with a new text it is edited."""
        ref = self.work_ref(scene)
        comments = [NewComment(content=words, key=_KEY) for words in ("First", "First", "Second")]
        refs = [await scene.awaited("rove_add_comment", ref=ref, comment=each) for each in comments]
        texts = [each.content for each in (await scene.detail(ref)).thread]

        assert len({each.id for each in refs}) == 1
        assert len([words for words in texts if "First" in words]) == 0
        assert len([words for words in texts if "Second" in words]) == 1

    @silver
    @logged_in("rove_add_comment")
    async def test_comment_shows_no_key(self, scene: Scene) -> None:
        """The key of a comment is invisible to readers."""
        ref = self.work_ref(scene)
        await scene.awaited(
            "rove_add_comment", ref=ref, comment=NewComment(content="Said once", key=_KEY)
        )
        texts = [each.content for each in (await scene.detail(ref)).thread]

        assert [words.strip() for words in texts if "Said once" in words] == ["Said once"]

    @silver
    @logged_in("rove_create_work_item")
    async def test_work_item_is_created_once(self, scene: Scene) -> None:
        """A work item with the same key is created once; another key creates another item."""
        if not self.work_container:
            pytest.skip(f"{MISSING}give work_container: where items may be created")
        first, again, other = [
            await _create(scene, self.work_container, key)
            for key in (_KEY, _KEY, "rove-suite-0002")
        ]

        assert again.ref.id == first.ref.id != other.ref.id
        assert (first.title, first.description) == (TITLE, "What is to be done")

    @silver
    @logged_in("rove_create_work_item", "rove_change_work_item")
    async def test_edited_work_item_keeps_its_key(self, scene: Scene) -> None:
        """A work item keeps its key when its description is edited."""
        if not self.work_container:
            pytest.skip(f"{MISSING}give work_container: where items may be created")
        first = await _create(scene, self.work_container, _KEY)
        await _change(scene, first.ref, WorkItemChange(description="Written anew"))

        assert (await _create(scene, self.work_container, _KEY)).ref.id == first.ref.id

    @silver
    @logged_in("rove_create_work_item", "rove_item_detail")
    async def test_work_item_shows_no_key(self, scene: Scene) -> None:
        """The key of a work item is invisible to readers."""
        if not self.work_container:
            pytest.skip(f"{MISSING}give work_container: where items may be created")
        ref = (await _create(scene, self.work_container, _KEY)).ref
        content = (await scene.detail(ref)).content

        assert "What is to be done" in content
        assert (_KEY in content, find_hidden_mark(content)) == (False, "")

    @silver
    @proxied("rove_add_comment")
    async def test_lost_reply_leaves_one_comment(self, scene: Scene, proxy: FaultProxy) -> None:
        """If the reply to a new comment is lost, a retry adds no second comment."""
        ref = self.work_ref(scene)
        comment = NewComment(content="Said once", key=_KEY)
        proxy.play(_LOST_REPLY, when=lambda seen: b"Said once" in seen.body)
        with suppress(RoveError):
            await scene.awaited("rove_add_comment", ref=ref, comment=comment)
        await scene.awaited("rove_add_comment", ref=ref, comment=comment)
        texts = [each.content for each in (await scene.detail(ref)).thread]

        assert len([words for words in texts if "Said once" in words]) == 1

    @silver
    @proxied("rove_create_work_item")
    async def test_lost_reply_leaves_one_work_item(self, scene: Scene, proxy: FaultProxy) -> None:
        """If the reply to a new work item is lost, a retry creates no second item."""
        if not self.work_container:
            pytest.skip(f"{MISSING}give work_container: where items may be created")
        proxy.play(_LOST_REPLY, when=lambda seen: TITLE.encode() in seen.body)
        with suppress(RoveError):
            await _create(scene, self.work_container, _KEY)
        first = await _create(scene, self.work_container, _KEY)
        other = await _create(scene, self.work_container, "rove-suite-0002")

        assert first.title == TITLE
        assert number_of(other) - number_of(first) in {0, 1}

    @silver
    @logged_in("rove_add_attachment")
    async def test_file_is_attached_once(self, scene: Scene) -> None:
        """A file with the same key is attached once."""
        ref = self.work_ref(scene)
        file = NewAttachment(name="suite.txt", content=b"proof", media_type="text/plain", key=_KEY)
        refs = [
            await scene.awaited("rove_add_attachment", ref=ref, attachment=file) for _ in range(2)
        ]
        names = (await scene.detail(ref)).facts.attachments

        assert refs[0].id == refs[1].id
        assert [name for name in names if "suite" in name] == ["suite.txt"]

    @silver
    @logged_in("rove_list", "rove_work_item")
    async def test_listing_tells_the_work(self, scene: Scene) -> None:
        """A listed work item equals the same item when read."""
        ref = self.work_ref(scene)
        listed, _ = await scene.list_changes()
        work = {each.work.ref.id: each.work for each in listed if each.work}

        assert ref.id in work
        read = await _read(scene, ref)
        assert fields_of(work[read.ref.id]) == fields_of(read)

    @silver
    @logged_in("rove_iterations")
    async def test_iterations_are_in_order(self, scene: Scene) -> None:
        """Iterations come once each: current ones, next ones, and what is over, the last first."""
        if not self.work_container:
            pytest.skip(f"{MISSING}give work_container: what has sprints or cycles")
        found = await scene.awaited("rove_iterations", container=self.work_container)
        order = [_STATES.index(each.state) for each in found]

        assert found != []
        assert len({each.id for each in found}) == len(found)
        assert order == sorted(order)
        planned = [each.starts for each in found if each.state == "planned" and each.starts]
        over = [each.starts for each in found if each.state == "completed" and each.starts]
        assert (planned, over) == (sorted(planned), sorted(over, reverse=True))

    @gold
    @logged_in("rove_change_work_item")
    async def test_fields_go_there_and_back(self, scene: Scene) -> None:
        """Each changeable field can be set, read and cleared on its own."""
        ref = self.work_ref(scene)
        before = await _read(scene, ref)
        for name, value in values_for(before, self.work_assignee or own_id(scene)).items():
            change: Any = {name: value}
            changed = await _change(scene, ref, WorkItemChange(**change))
            assert value_of(changed, name) == value, name
            if name not in {"title", "status", "description", "priority"}:
                cleared = await _change(scene, ref, WorkItemChange(clear=(name,)))
                assert not value_of(cleared, name), name

    @gold
    @logged_in("rove_change_work_item")
    async def test_reader_is_told_what_is_missing(self, scene: Scene) -> None:
        """A read-only login is known in advance, and a change names the missing scope."""
        if scene.vendor.reader is None:
            pytest.skip(f"{MISSING}give reader of Vendor: somebody who may read and not write")
        async with on_stage(scene.kind, scene.vendor.reader, clock=scene.clock) as reader:
            await reader.enter()
            identity = reader.account.identity
            assert identity is None or identity.writes is not True
            with pytest.raises(ScopeMissing):
                await _change(reader, self.work_ref(reader), WorkItemChange(title=TITLE))

    def work_ref(self, scene: Scene) -> ItemRef:
        """Return a reference to the work item that the tests may change."""
        kind = self.work_kind or self.known_kind
        return ItemRef(account=scene.account.name, kind=kind, id=self.work or self.known)


async def _read(scene: Scene, ref: ItemRef) -> WorkItem:
    work: WorkItem = await scene.awaited("rove_work_item", ref=ref)
    return work


async def _change(scene: Scene, ref: ItemRef, change: WorkItemChange) -> WorkItem:
    work: WorkItem = await scene.awaited("rove_change_work_item", ref=ref, change=change)
    return work


async def _create(scene: Scene, container: str, key: str) -> WorkItem:
    new = NewWorkItem(container=container, title=TITLE, description="What is to be done", key=key)
    work: WorkItem = await scene.awaited("rove_create_work_item", new=new)
    return work
