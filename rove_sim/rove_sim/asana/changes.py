"""Changes that Asana accepts."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final, TypeAlias

import attrs
from attrs import frozen

from rove_core import JSON
from rove_sim.asana.records import attachment_record, select, story_record, task_record, whole
from rove_sim.asana.refusals import invalid, unknown
from rove_sim.asana.rich_text import inner
from rove_sim.asana.workspace import (
    AsanaWorkspace,
    field_gid,
    moved,
    numbered,
    option_gid,
    person_gid,
    section_gid,
    tag_gid,
)
from rove_sim.company_asana import (
    AsanaAttachment,
    AsanaField,
    AsanaPlace,
    AsanaStory,
    AsanaTask,
    AsanaValue,
)
from rove_sim.forms import form_parts
from rove_sim.routes import RoutedRequest
from rove_sim.server import Response

_CREATED: Final = 201
_DONE: Final = Response({"data": {}})

_Fields: TypeAlias = Mapping[str, JSON]


@frozen
class AsanaChanges:
    """Changes the tasks of a workspace, as its owner.

    Attributes:
        workspace: What is changed.
    """

    workspace: AsanaWorkspace

    def create(self, call: RoutedRequest) -> Response:
        """Create a task, in projects or below another task."""
        data, now = _data(call), self.workspace.now()
        projects = data.get("projects")
        gids = projects if isinstance(projects, list) else []
        places = [AsanaPlace(project=self.workspace.project(str(gid)).name) for gid in gids]
        if not (places or data.get("parent") or data.get("workspace")):
            raise invalid("You should specify one of workspace, parent, projects")
        task = AsanaTask(
            gid=self.workspace.new_gid(),
            name="",
            author=self._who,
            created=now,
            places=tuple(places),
            parent=self._parent(data["parent"]) if data.get("parent") else "",
        )
        task = attrs.evolve(task, **self._new_values(task, data))
        return self._reply(call, self.workspace.put(task), status=_CREATED)

    def update(self, call: RoutedRequest) -> Response:
        """Change fields of a task."""
        task, data = self._task(call), _data(call)
        after = attrs.evolve(
            task, **self._new_values(task, data), updated=self.workspace.touch(task)
        )
        kinds = {True: "marked_complete", False: "marked_incomplete"}
        if (after.completed is None) != (task.completed is None):
            kind = kinds[after.completed is not None]
            after = self._with_story(after, kind, f"{kind.replace('_', ' ')} this task")
        return self._reply(call, self.workspace.put(after))

    def move(self, call: RoutedRequest) -> Response:
        """Put a task into a section of a project."""
        task = self.workspace.task(str(_data(call).get("task")))
        for project in self.workspace.projects():
            for name in project.sections:
                if section_gid(project, name) == call.path["section"]:
                    before = self.workspace.section(task, project.name)
                    after = moved(task, project.name, name)
                    words = f'moved this Task from "{before}" to "{name}" in {project.name}'
                    self.workspace.put(self._with_story(after, "section_changed", words))
                    return _DONE
        raise unknown("section", call.path["section"])

    def tag(self, call: RoutedRequest) -> Response:
        """Give a task a tag, or take one away."""
        task, gid = self._task(call), str(_data(call).get("tag"))
        name = next((each for each in self.workspace.tags() if tag_gid(each) == gid), "")
        if not name:
            raise unknown("tag", gid)
        others = [each for each in task.tags if each != name]
        tags = (*others, name) if call.request.path.endswith("/addTag") else tuple(others)
        self.workspace.put(attrs.evolve(task, tags=tags, updated=self.workspace.touch(task)))
        return _DONE

    def set_parent(self, call: RoutedRequest) -> Response:
        """Make a task a part of another one, or of none."""
        task, data = self._task(call), _data(call)
        parent = self._parent(data["parent"]) if data.get("parent") else ""
        after = attrs.evolve(task, parent=parent, updated=self.workspace.touch(task))
        return self._reply(call, self.workspace.put(after))

    def comment(self, call: RoutedRequest) -> Response:
        """Comment on a task."""
        task = self._task(call)
        story = AsanaStory(
            gid=self.workspace.new_gid(),
            author=self._who,
            at=self.workspace.touch(task),
            text=_rich(_data(call), "text"),
        )
        task = self.workspace.put(attrs.evolve(task, stories=(*task.stories, story)))
        record = story_record(self.workspace, task, len(task.stories) - 1)
        return Response({"data": _shown(call, record)}, _CREATED)

    def edit(self, call: RoutedRequest) -> Response:
        """Edit the text of the user's own comment."""
        gid = call.path["story"]
        for task, number, each in numbered(self.workspace.tasks.values(), "story"):
            if each == gid:
                stories = [*task.stories]
                stories[number] = attrs.evolve(
                    stories[number],
                    text=_rich(_data(call), "text"),
                    edited=self.workspace.touch(task),
                )
                after = self.workspace.put(attrs.evolve(task, stories=tuple(stories)))
                record = story_record(self.workspace, after, number)
                return Response({"data": _shown(call, record)})
        raise unknown("story", gid)

    def attach(self, call: RoutedRequest) -> Response:
        """Take a file."""
        parts = form_parts(call.request)
        if not {"file", "parent"} <= parts.keys():
            raise invalid("file: Missing input")
        task = self.workspace.task(parts["parent"].content.decode())
        content, gid = parts["file"].content, self.workspace.new_gid()
        self.workspace.files[gid] = content
        at = self.workspace.touch(task)
        name = parts["file"].filename or "file"
        file = AsanaAttachment(gid=gid, name=name, at=at, size=len(content))
        task = self.workspace.put(
            attrs.evolve(task, attachments=(*task.attachments, file), updated=at)
        )
        record = attachment_record(task, len(task.attachments) - 1, call.request.origin)
        return Response({"data": _shown(call, record)})

    def _new_values(self, task: AsanaTask, data: _Fields) -> dict[str, Any]:
        """Return the new values of a task under the simulator's names."""
        done = task.completed or self.workspace.touch(task)
        read: Mapping[str, tuple[str, Callable[[JSON], object]]] = {
            "name": ("name", str),
            "html_notes": ("notes", lambda html: inner(str(html), "html_notes")),
            "completed": ("completed", lambda is_done: done if is_done else None),
            "due_on": ("due", lambda day: date.fromisoformat(str(day)) if day else None),
            "assignee": ("assignee", self._member),
            "custom_fields": ("values", lambda fields: self._values(task, fields)),
        }
        return {name: reader(data[key]) for key, (name, reader) in read.items() if key in data}

    def _values(self, task: AsanaTask, data: JSON) -> tuple[AsanaValue, ...]:
        values = {each.field: each.value for each in task.values}
        fields = {field_gid(each): each for each in self.workspace.fields()}
        for gid, value in data.items() if isinstance(data, dict) else ():
            if gid not in fields:
                raise unknown("custom_field", gid)
            values[fields[gid].name] = _value(fields[gid], value)
        return tuple(AsanaValue(field=name, value=value) for name, value in values.items())

    def _member(self, gid: JSON) -> str:
        if gid is None:
            return ""
        for person in self.workspace.company.people:
            if gid in (person_gid(person), person.email):
                return person.key
        raise invalid(f"assignee: Not a user in Organization: {gid}")

    def _parent(self, gid: JSON) -> str:
        if str(gid) not in self.workspace.tasks:
            raise invalid(f"parent: Unknown object: {gid}")
        return str(gid)

    def _with_story(self, task: AsanaTask, kind: str, words: str) -> AsanaTask:
        at = self.workspace.touch(task)
        gid = self.workspace.new_gid()
        story = AsanaStory(gid=gid, author=self._who, at=at, text=words, kind=kind)
        return attrs.evolve(task, stories=(*task.stories, story))

    def _task(self, call: RoutedRequest) -> AsanaTask:
        return self.workspace.task(call.path["task"])

    def _reply(self, call: RoutedRequest, task: AsanaTask, *, status: int = 200) -> Response:
        return Response({"data": _shown(call, task_record(self.workspace, task))}, status)

    @property
    def _who(self) -> str:
        return self.workspace.company.owner.key


def _data(call: RoutedRequest) -> _Fields:
    data = call.request.json().get("data")
    if not isinstance(data, dict):
        raise invalid("Could not parse request data, invalid JSON: data is missing")
    return data


def _rich(data: _Fields, name: str) -> str:
    """Return the words of a comment, which must not be empty."""
    words = inner(str(data.get(f"html_{name}") or ""), f"html_{name}")
    if not words.strip():
        raise invalid(f"{name}: Missing input")
    return words


def _value(one: AsanaField, value: JSON) -> str:
    if value is None:
        return ""
    if one.kind == "number":
        if not isinstance(value, int | float):
            raise invalid(f"custom_field: {one.name} must be a number")
        return f"{value:g}"
    if one.kind == "enum":
        for option in one.options:
            if option_gid(one, option) == value:
                return option
        raise invalid(f"custom_field: {value} is no option of {one.name}")
    return str(value)


def _shown(call: RoutedRequest, record: Mapping[str, JSON]) -> JSON:
    fields = call.words("opt_fields")
    return select(record, fields) if fields else whole(record)
