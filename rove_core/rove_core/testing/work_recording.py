"""Record how a source changes work items."""

import functools
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, get_args

import attrs

from rove_core.items import ItemRef
from rove_core.testing.recorder import Recorder
from rove_core.work.changes import NewAttachment, NewComment, NewWorkItem, WorkItemChange
from rove_core.work.items import WorkField, WorkItem, WorkItemType

_KEY: Final = "rove-suite-0009"
_NOBODY: Final = "nobody-of-this-id"


async def record_changes(
    recording: Recorder, ref: ItemRef, containers: Sequence[str], assignee: str
) -> None:
    """Record every change of a work item, what is added to it, and new ones."""
    scene = recording.scene
    work: Any = await recording.call(
        "work item", functools.partial(_hook(recording, "rove_work_item"), ref=ref)
    )
    if not isinstance(work, WorkItem):
        return
    if scene.has("rove_change_work_item"):
        await _record_fields(recording, work, assignee)
    if scene.has("rove_status_options"):
        await _record_statuses(recording, ref)
    await _record_additions(recording, ref)
    if scene.has("rove_create_work_item"):
        await _record_new(recording, ref, containers)
        await _record_types(recording, containers)


async def _record_fields(recording: Recorder, work: WorkItem, assignee: str) -> None:
    scene = recording.scene
    own = scene.account.identity.id if scene.account.identity else ""
    values: dict[str, tuple[Any, ...]] = {
        "title": ('Changed <b>&amp; "quoted"',),
        "description": ("Two\n\n- *parts* with <b> & `code`\n\n[a link](https://a.example/b)",),
        "priority": (0, 1, 2, 3, 4),
        "assignee": (assignee or own, _NOBODY),
        "labels": (("suite", "two words"), ()),
        "due": (date(2031, 1, 15),),
        "estimate": (5.0, 0.5),
        "iteration": (work.iteration or "no-such-iteration",),
        "parent": (attrs.evolve(work.ref, url=""),),
    }
    for name, given in values.items():
        for value in given:
            await _change(
                recording,
                work.ref,
                f"{name} {value!r}" if name != "parent" else name,
                **{name: value},
            )
    for name in get_args(WorkField):
        if name not in {"title", "status"}:
            await _change(recording, work.ref, f"clear {name}", clear=(name,))
    await _change(recording, work.ref, "two fields", title="Both", description="of them")
    await _change(recording, work.ref, "of another revision", title="Late", if_revision="0")


async def _record_statuses(recording: Recorder, ref: ItemRef) -> None:
    options = functools.partial(_hook(recording, "rove_status_options"), ref=ref)
    found: Any = await recording.call("status options", options)
    for option in found if isinstance(found, Sequence) else ():
        await _change(recording, ref, f"status {option.status.name}", status=option.status.name)
        await recording.call(f"status options of {option.status.name}", options)
    await _change(recording, ref, "no such status", status="No such status")


async def _record_additions(recording: Recorder, ref: ItemRef) -> None:
    scene = recording.scene
    if scene.has("rove_add_comment"):
        add = _hook(recording, "rove_add_comment")
        for words in ("Said & <done> *here*", "Said & <done> *here*", "Said\n\n- again"):
            comment = NewComment(content=words, key=_KEY)
            await recording.call(
                f"comment {words!r}", functools.partial(add, ref=ref, comment=comment)
            )
    if scene.has("rove_add_attachment"):
        add = _hook(recording, "rove_add_attachment")
        for name in ("proof.txt", "proof.txt", "zwei Wörter.md"):
            file = NewAttachment(name=name, content=b"proof", media_type="text/plain", key=_KEY)
            await recording.call(f"attach {name}", functools.partial(add, ref=ref, attachment=file))
    if scene.has("rove_item_detail"):
        await recording.call("detail afterwards", functools.partial(scene.detail, ref), asks=False)


async def _record_new(recording: Recorder, parent: ItemRef, containers: Sequence[str]) -> None:
    create = _hook(recording, "rove_create_work_item")
    for container in (*containers, "no-such-container"):
        for number, type_ in enumerate(get_args(WorkItemType)):
            new = NewWorkItem(
                container=container,
                title=f"A new {type_}",
                description="With *words*",
                type=type_,
                parent=attrs.evolve(parent, url="") if type_ == "subtask" else None,
                key=f"rove-suite-1{number:03}",
            )
            await recording.call(
                f"create {type_} in {container}", functools.partial(create, new=new)
            )


async def _record_types(recording: Recorder, containers: Sequence[str]) -> None:
    """Record a new item of each type that a listed item has, by the vendor's name for it."""
    if not recording.scene.has("rove_list"):
        return
    listed, _ = await recording.scene.list_changes()
    names = sorted({each.work.type_name for each in listed if each.work} - {""})
    create = _hook(recording, "rove_create_work_item")
    for container in containers:
        for number, name in enumerate(names):
            new = NewWorkItem(
                container=container,
                title=f"A new {name}",
                description="With *words*",
                type_name=name,
                key=f"rove-suite-2{number:03}",
            )
            await recording.call(
                f"create a {name} in {container}", functools.partial(create, new=new)
            )


async def _change(recording: Recorder, ref: ItemRef, name: str, **given: Any) -> None:  # noqa: ANN401  # any field of a change
    call = functools.partial(
        _hook(recording, "rove_change_work_item"), ref=ref, change=WorkItemChange(**given)
    )
    await recording.call(f"change {name}", call)


def _hook(recording: Recorder, name: str) -> Any:  # noqa: ANN401  # a coroutine function
    return functools.partial(recording.scene.awaited, name)
