"""The content of an Azure DevOps organization, and the log of its revisions."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

import attrs
from attrs import define, field, frozen

from rove_sim import ids
from rove_sim.company import Company
from rove_sim.company_azure import AzureIteration, AzureWorkItem
from rove_sim.company_people import Person, stranger

_TICK: Final = timedelta(milliseconds=1)


@frozen
class LoggedRevision:
    """That a work item had a revision.

    Attributes:
        id: The number of the work item.
        at: When it had it.
        deleted: Whether it was deleted with it.
    """

    id: int
    at: datetime
    deleted: bool = False


@define(eq=False)
class AzureBoard:
    """The work items of one organization, as they are now.

    Attributes:
        company: Its people, projects and sprints.
        now: Returns the current time.
        items: By their numbers.
        revisions: How many revisions each has had.
        log: Every revision, in order.
        hidden: Projects that cannot be seen.
        files: What was uploaded, by its GUID: its name and its content.
        gates: Fields that a state needs, by the state.
    """

    company: Company
    now: Callable[[], datetime]
    items: dict[int, AzureWorkItem] = field(factory=dict, init=False)
    revisions: dict[int, int] = field(factory=dict, init=False)
    log: list[LoggedRevision] = field(factory=list, init=False)
    hidden: set[str] = field(factory=set, init=False)
    files: dict[str, tuple[str, bytes]] = field(factory=dict, init=False)
    gates: dict[str, str] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for item in sorted(self.company.work_items, key=lambda each: each.changed):
            self.put(item)

    def put(self, item: AzureWorkItem) -> AzureWorkItem:
        """Add a work item, or a revision of it."""
        self.items[item.id] = item
        self.revisions[item.id] = self.revisions.get(item.id, len(item.history)) + 1
        self.log.append(LoggedRevision(item.id, item.changed))
        return item

    def revise(self, item: AzureWorkItem) -> AzureWorkItem:
        """Add a revision of a work item that is made just now."""
        before = self.items[item.id].changed if item.id in self.items else None
        at = self.now()
        return self.put(attrs.evolve(item, updated=max(at, before + _TICK) if before else at))

    def remove(self, number: int) -> None:
        """Move a work item to the recycle bin."""
        del self.items[number]
        self.log.append(LoggedRevision(number, self.now(), deleted=True))

    def find(self, number: str) -> AzureWorkItem | None:
        """Return a work item that can be seen."""
        item = self.items.get(int(number)) if number.isdecimal() else None
        return item if item and item.project not in self.hidden else None

    def visible(self) -> list[AzureWorkItem]:
        """Return the work items that can be seen."""
        return [each for each in self.items.values() if each.project not in self.hidden]

    def below(self, item: AzureWorkItem) -> list[AzureWorkItem]:
        """Return the work items that are a part of another one."""
        return [each for each in self.items.values() if each.parent == str(item.id)]

    @property
    def projects(self) -> Mapping[str, str]:
        """The ids of the projects that can be seen, by their names."""
        named = [*self.company.azure_projects, *(each.project for each in self.items.values())]
        return {
            each: ids.uuid(f"azure/project/{each}")
            for each in sorted(dict.fromkeys(named))
            if each not in self.hidden
        }

    def project(self, name: str) -> str | None:
        """Return the name of a project by its name, in any case, or by its id."""
        for own, guid in self.projects.items():
            if name.lower() in (own.lower(), guid):
                return own
        return None

    def iterations(self, project: str) -> list[AzureIteration]:
        """Return the sprints of a project."""
        return [each for each in self.company.iterations if each.project == project]

    def member(self, who: str) -> Person | None:
        """Return an employee by Azure's name for them."""
        for one in self.company.people:
            if who.lower() in (one.key, one.name.lower(), one.email.lower(), one.azure):
                return one
        return None

    def person(self, who: str) -> Person:
        """Return a person; a stranger has a name only."""
        return self.member(who) or stranger(who)

    @property
    def next_id(self) -> int:
        """A number that no work item has had."""
        return max(self.revisions, default=0) + 1

    @property
    def next_comment(self) -> int:
        """A number that no comment has."""
        numbers = [each.number for item in self.items.values() for each in item.comments]
        return max(numbers, default=0) + 1
