"""The current content of an Asana workspace."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta

import attrs
from attrs import define, evolve, field, frozen

from rove_core import JSON
from rove_sim.asana.refusals import unknown
from rove_sim.company import Company
from rove_sim.company_asana import AsanaField, AsanaPlace, AsanaProject, AsanaTask, asana_gid
from rove_sim.company_people import Person

#: The least time between two changes.
_TICK = timedelta(milliseconds=1)


@frozen
class AsanaEvent:
    """One line of what happened in a project.

    Attributes:
        project: The project's id.
        record: What is told of it.
    """

    project: str
    record: JSON


@define
class AsanaWorkspace:
    """The tasks of one company.

    Attributes:
        company: Its people and projects.
        now: Returns the current time.
        tasks: By their ids.
        files: What was uploaded, by the id of its attachment.
        events: What happened so far.
        hidden: Projects that cannot be seen any more, by their names.
    """

    company: Company
    now: Callable[[], datetime]
    tasks: dict[str, AsanaTask] = field(init=False)
    files: dict[str, bytes] = field(factory=dict, init=False)
    events: list[AsanaEvent] = field(factory=list, init=False)
    hidden: set[str] = field(factory=set, init=False)
    made: int = field(default=0, init=False)
    _named: dict[str, AsanaProject] = field(init=False)

    @tasks.default
    def _tasks(self) -> dict[str, AsanaTask]:
        return {task.gid: task for task in self.company.tasks}

    @_named.default
    def _projects_by_name(self) -> dict[str, AsanaProject]:
        by_name = {each.name: each for each in self.company.asana_projects}
        places = (place.project for task in self.tasks.values() for place in task.places)
        return {**{name: AsanaProject(name=name) for name in places}, **by_name}

    @property
    def gid(self) -> str:
        """The id of the workspace."""
        return asana_gid("workspace")

    def projects(self) -> list[AsanaProject]:
        """Return the visible projects, also those that only tasks name."""
        return [each for name, each in self._named.items() if name not in self.hidden]

    def archive(self, name: str) -> None:
        """Archive a project."""
        self._named[name] = evolve(self._named[name], archived=True)

    def named(self, name: str) -> AsanaProject | None:
        """Return a project that can be seen, by its name."""
        return None if name in self.hidden else self._named.get(name)

    def project(self, gid: str) -> AsanaProject:
        """Return a project by its id."""
        for project in self.projects():
            if project.gid == gid:
                return project
        raise unknown("project", gid)

    def fields(self) -> list[AsanaField]:
        """Return the custom fields of all projects, each once."""
        found = {each.name: each for project in self.projects() for each in project.fields}
        return list(found.values())

    def tags(self) -> list[str]:
        """Return the names of all tags."""
        used = (tag for task in self.tasks.values() for tag in task.tags)
        return list(dict.fromkeys([*self.company.asana_tags, *used]))

    def task(self, gid: str) -> AsanaTask:
        """Return a task by its id."""
        task = self.tasks.get(gid)
        if task is None or not self.is_seen(task):
            raise unknown("task", gid)
        return task

    def is_seen(self, task: AsanaTask) -> bool:
        """Return whether a task can be seen: one of its projects can be, or it is in none."""
        return not task.places or any(each.project not in self.hidden for each in task.places)

    def below(self, task: AsanaTask) -> list[AsanaTask]:
        """Return the parts of a task."""
        return [each for each in self.tasks.values() if each.parent == task.gid]

    def within(self, project: AsanaProject) -> list[AsanaTask]:
        """Return the tasks of a project, in its order."""
        order = {name: at for at, name in enumerate(project.sections)}
        found = [(self.section(each, project.name), each) for each in self.tasks.values()]
        there = [pair for pair in found if pair[0]]
        return [task for _, task in sorted(there, key=lambda pair: order.get(pair[0], len(order)))]

    def section(self, task: AsanaTask, project: str) -> str:
        """Return the section of a project that a task is in; empty if it is not in it."""
        definition = self.named(project)
        for place in task.places:
            if definition and place.project == project:
                return place.section or definition.sections[0]
        return ""

    def person(self, gid: str) -> Person:
        """Return a person by id."""
        for person in self.company.people:
            if person_gid(person) == gid:
                return person
        raise unknown("user", gid)

    def set_up(self, project: AsanaProject) -> None:
        """Give a project other sections or fields."""
        self._named[project.name] = project

    def put(self, task: AsanaTask) -> AsanaTask:
        """Add or replace a task, and notify its old and new projects."""
        before = self.tasks.get(task.gid)
        for place in task.places:
            self._named.setdefault(place.project, AsanaProject(name=place.project))
        self.tasks[task.gid] = task
        now, was = _projects(task), _projects(before) if before else set[str]()
        for name in now | was:
            action = "changed" if name in now & was else "added" if name in now else "removed"
            self._add_event(name, task, action)
        return task

    def remove(self, gid: str) -> None:
        """Delete a task."""
        task = self.tasks.pop(gid)
        for name in _projects(task):
            self._add_event(name, task, "deleted")

    def touch(self, task: AsanaTask) -> datetime:
        """Return a time for a change of a task, later than that of any other one of it."""
        return max(self.now(), task.changed + _TICK)

    def new_gid(self) -> str:
        """Return an id that nothing has yet; each is greater than the one before."""
        self.made += 1
        return str(13 * 10**14 + self.made)

    def _add_event(self, project: str, task: AsanaTask, action: str) -> None:
        gid = self._named[project].gid
        record: JSON = {
            "action": action,
            "created_at": self.now().isoformat(),
            "resource": {"gid": task.gid, "resource_type": "task", "name": task.name},
            "parent": {"gid": gid, "resource_type": "project", "name": project},
            "type": "task",
            "user": None,
        }
        self.events.append(AsanaEvent(gid, record))


def person_gid(person: Person) -> str:
    """Return the id of a person."""
    return asana_gid(f"user/{person.key}")


def section_gid(project: AsanaProject, section: str) -> str:
    """Return the id of a section."""
    return asana_gid(f"section/{project.gid}/{section}")


def tag_gid(name: str) -> str:
    """Return the id of a tag."""
    return asana_gid(f"tag/{name}")


def field_gid(one: AsanaField) -> str:
    """Return the id of a custom field."""
    return asana_gid(f"field/{one.name}")


def option_gid(one: AsanaField, option: str) -> str:
    """Return the id of an option of a custom field."""
    return asana_gid(f"option/{one.name}/{option}")


def story_gid(task: AsanaTask, number: int) -> str:
    """Return the id of a story of a task, by its place."""
    return task.stories[number].gid or asana_gid(f"story/{task.gid}/{number}")


def attachment_gid(task: AsanaTask, number: int) -> str:
    """Return the id of an attachment of a task, by its place."""
    return task.attachments[number].gid or asana_gid(f"attachment/{task.gid}/{number}")


def moved(task: AsanaTask, project: str, section: str) -> AsanaTask:
    """Return a task in a section of a project."""
    places = {each.project: each for each in task.places}
    places[project] = AsanaPlace(project=project, section=section)
    return attrs.evolve(task, places=tuple(places.values()))


def _projects(task: AsanaTask) -> set[str]:
    return {each.project for each in task.places}


def numbered(tasks: Iterable[AsanaTask], kind: str) -> Iterator[tuple[AsanaTask, int, str]]:
    """Yield the ids of the stories or attachments of tasks, each with its task and its place."""
    for task in tasks:
        of = story_gid if kind == "story" else attachment_gid
        for number in range(len(task.stories if kind == "story" else task.attachments)):
            yield task, number, of(task, number)
