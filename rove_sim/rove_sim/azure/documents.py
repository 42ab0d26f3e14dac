"""Work items, comments and other objects as Azure DevOps' JSON."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final

from attrs import frozen

from rove_core import JSON
from rove_sim import ids
from rove_sim.azure.board import AzureBoard
from rove_sim.azure.process import CRITERIA, DUE, POINTS, PRIORITY, states_of
from rove_sim.company_azure import AzureComment, AzureWorkItem

_LINKS: Final = "System.LinkTypes."
_PLAIN: Final = frozenset({"Hyperlink", "ArtifactLink"})
_TEXTS: Final = ("System.Description", CRITERIA)


@frozen
class AzureDocuments:
    """Writes an organization's objects as JSON.

    Attributes:
        board: What it holds.
        here: Where it is asked.
    """

    board: AzureBoard
    here: str

    @property
    def site(self) -> str:
        """Where people see it."""
        return f"https://dev.azure.com/{self.board.company.slug}"

    def fields(self, item: AzureWorkItem) -> dict[str, JSON]:
        """Return the fields of a work item that have a value."""
        values: Mapping[str, JSON] = {
            "System.Id": item.id,
            "System.AreaPath": item.project,
            "System.TeamProject": item.project,
            "System.IterationPath": self.path(item),
            "System.WorkItemType": item.type,
            "System.State": item.state,
            "System.Reason": "Moved to state " + item.state,
            "System.AssignedTo": self.identity(item.assignee) if item.assignee else None,
            "System.CreatedDate": moment(item.created),
            "System.CreatedBy": self.identity(item.author),
            "System.ChangedDate": moment(item.changed),
            "System.ChangedBy": self.identity(item.author),
            "System.CommentCount": len(item.comments),
            "System.Title": item.title,
            "System.Description": item.description,
            "System.Parent": int(item.parent) if item.parent else None,
            "System.Tags": "; ".join(item.tags),
            CRITERIA: item.criteria,
            PRIORITY: item.priority or None,
            POINTS: item.points,
            DUE: f"{item.due}T00:00:00Z" if item.due else None,
            **item.values,
        }
        return {name: value for name, value in values.items() if value not in (None, "")}

    def searched(self, item: AzureWorkItem) -> dict[str, JSON]:
        """Return the fields that a query may ask for."""
        links = [each for each in item.links if each.kind == "Hyperlink"]
        return {
            **self.fields(item),
            "System.History": " ".join(each.text for each in item.comments),
            "System.HyperLinkCount": len(links),
        }

    def item(
        self, item: AzureWorkItem, *, names: Sequence[str] = (), expand: str = "none"
    ) -> dict[str, JSON]:
        """Return a work item.

        Args:
            item: Which one.
            names: The fields that are wanted; all when there are none.
            expand: What else is wanted.
        """
        fields = self.fields(item)
        payload: dict[str, JSON] = {
            "id": item.id,
            "rev": self.board.revisions[item.id],
            "fields": {name: fields[name] for name in names if name in fields} if names else fields,
            "url": self.url(item.id),
        }
        if item.markdown and not names:
            payload["multilineFieldsFormat"] = dict.fromkeys(_TEXTS, "markdown")
        if expand.lower() in {"relations", "all"} and (relations := [*self._relations(item)]):
            payload["relations"] = relations
        if expand.lower() in {"links", "all"}:
            payload["_links"] = {
                "html": {"href": f"{self.site}/{item.project}/_workitems/edit/{item.id}"}
            }
        return payload

    def comment(self, item: AzureWorkItem, comment: AzureComment) -> dict[str, JSON]:
        """Return a comment."""
        author = self.identity(comment.author)
        return {
            "workItemId": item.id,
            "id": comment.number,
            "version": 2 if comment.updated else 1,
            "text": comment.text,
            "format": "markdown" if comment.markdown else "html",
            "createdBy": author,
            "createdDate": moment(comment.at),
            "modifiedBy": author,
            "modifiedDate": moment(comment.updated or comment.at),
            "url": f"{self.url(item.id)}/comments/{comment.number}",
        }

    def updates(self, item: AzureWorkItem) -> list[JSON]:
        """Return the history of a work item, oldest first."""
        first: JSON = {
            "id": 1,
            "workItemId": item.id,
            "rev": 1,
            "revisedBy": self.identity(item.author),
            "revisedDate": moment(item.created),
            "fields": {
                "System.State": {"newValue": next(iter(states_of(item.type) or {"New": ""}))},
                "System.ChangedDate": {"newValue": moment(item.created)},
            },
        }
        entries = [first, *self._changes(item)]
        # What changed otherwise is an update, too.
        more = range(len(entries) + 1, self.board.revisions[item.id] + 1)
        at: JSON = {"System.ChangedDate": {"newValue": moment(item.changed)}}
        others: list[JSON] = [
            {"id": number, "workItemId": item.id, "rev": number, "fields": at} for number in more
        ]
        return [*entries, *others]

    def identity(self, who: str) -> dict[str, JSON]:
        """Return Azure's reference to a person."""
        person = self.board.person(who)
        return {
            "displayName": person.name,
            "url": f"https://spsprodweu1.vssps.visualstudio.com/_apis/Identities/{person.azure}",
            "id": person.azure,
            "uniqueName": person.email,
            "descriptor": f"aad.{person.azure}",
        }

    def project(self, name: str) -> JSON:
        """Return a project."""
        guid = self.board.projects[name]
        return {
            "id": guid,
            "name": name,
            "url": f"{self.site}/_apis/projects/{guid}",
            "state": "wellFormed",
            "visibility": "private",
        }

    def iterations(self, project: str) -> JSON:
        """Return the tree of a project's sprints."""
        children = [
            self._node(project, each.name, each.number, each.starts, each.ends)
            for each in self.board.iterations(project)
        ]
        root = self._node(project, project, 1, None, None)
        return {
            **root,
            "path": f"\\{project}\\Iteration",
            "hasChildren": True,
            "children": children,
        }

    def path(self, item: AzureWorkItem) -> str:
        """Return the path of the sprint that a work item is in."""
        return f"{item.project}\\{item.iteration}" if item.iteration else item.project

    def url(self, number: int | str) -> str:
        """Return the address of a work item, for programs."""
        return f"{self.site}/_apis/wit/workItems/{number}"

    def _relations(self, item: AzureWorkItem) -> Iterator[JSON]:
        for link in item.links:
            if link.kind in _PLAIN:
                name = "name" if link.kind == "ArtifactLink" else "comment"
                yield {"rel": link.kind, "url": link.to, "attributes": {name: link.name}}
            else:
                yield self._relation(link.kind, link.to)
        for below in self.board.below(item):
            yield self._relation("Hierarchy-Forward", str(below.id))
        for file in item.attached:
            named: dict[str, JSON] = {"name": file.name, "resourceSize": 1024}
            if file.comment:
                named["comment"] = file.comment
            url = f"{self.site}/_apis/wit/attachments/{file.id}"
            yield {"rel": "AttachedFile", "url": url, "attributes": named}

    def _relation(self, kind: str, number: str) -> JSON:
        names = {
            "Hierarchy-Forward": "Child",
            "Hierarchy-Reverse": "Parent",
            "Related": "Related",
            "Duplicate-Forward": "Duplicate",
            "Duplicate-Reverse": "Duplicate Of",
            "Dependency-Forward": "Successor",
            "Dependency-Reverse": "Predecessor",
        }
        return {
            "rel": f"{_LINKS}{kind}",
            "url": self.url(number),
            "attributes": {"isLocked": False, "name": names[kind]},
        }

    def _changes(self, item: AzureWorkItem) -> Iterator[JSON]:
        for number, change in enumerate(item.history, 2):
            value: Mapping[str, JSON] = {
                name: self.identity(text) if change.field == "System.AssignedTo" else text
                for name, text in (("oldValue", change.before), ("newValue", change.after))
                if text
            }
            yield {
                "id": number,
                "workItemId": item.id,
                "rev": number,
                "revisedBy": self.identity(change.author),
                # Azure tells when a revision ended; the last one never has.
                "revisedDate": "9999-01-01T00:00:00Z",
                "fields": {
                    change.field: dict(value),
                    "System.ChangedDate": {"newValue": moment(change.at)},
                },
            }

    def _node(
        self, project: str, name: str, number: int, starts: date | None, ends: date | None
    ) -> dict[str, JSON]:
        payload: dict[str, JSON] = {
            "id": number,
            "identifier": ids.uuid(f"azure/iteration/{project}/{name}"),
            "name": name,
            "structureType": "iteration",
            "hasChildren": False,
            "path": f"\\{project}\\Iteration\\{name}",
        }
        if starts and ends:
            payload["attributes"] = {
                "startDate": f"{starts}T00:00:00Z",
                "finishDate": f"{ends}T00:00:00Z",
            }
        return payload


def moment(at: datetime) -> str:
    """Return a time as Azure writes it: milliseconds, without zeros at the end."""
    text = at.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]
    return f"{text.rstrip('0').rstrip('.') if '.' in text else text}Z"
