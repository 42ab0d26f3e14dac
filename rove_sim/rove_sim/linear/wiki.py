"""Linear's documents, project pages and initiatives."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from rove_sim import ids
from rove_sim.company_linear import (
    LinearDocument,
    LinearInitiative,
    LinearIssue,
    LinearProject,
    LinearUpdate,
)
from rove_sim.graphql import Answer, Arguments, Node
from rove_sim.linear.directory import actors, entity, member, project_id, project_node, user
from rove_sim.linear.faults import not_found
from rove_sim.linear.workspace import Workspace, words


def wiki_root(workspace: Workspace, issue: Callable[[LinearIssue], Node]) -> Node:
    """Return the questions about documents, projects and initiatives.

    Args:
        workspace: Whose.
        issue: Tells of an issue.
    """
    wiki = LinearWiki(workspace, issue)
    return {
        "document": partial(_one, "Document", wiki.documents),
        "project": partial(_one, "Project", wiki.projects),
        "initiative": partial(_one, "Initiative", wiki.initiatives),
        "initiatives": workspace.several(wiki.initiatives),
        "searchDocuments": lambda asked: wiki.found(wiki.documents(), asked),
        "searchProjects": lambda asked: wiki.found(wiki.projects(), asked),
    }


class LinearWiki:
    """Answers queries about documents, projects and initiatives.

    Args:
        workspace: Whose.
        issue: Tells of an issue.
    """

    def __init__(self, workspace: Workspace, issue: Callable[[LinearIssue], Node]) -> None:
        self._workspace = workspace
        self._issue = issue

    def documents(self, issue: str = "") -> list[Node]:
        """Return the documents, those of one issue if it is named."""
        documents = self._workspace.company.linear_documents
        return [self._document(each) for each in documents if not issue or each.issue == issue]

    def projects(self) -> list[Node]:
        """Return the projects."""
        return [self.project(each) for each in self._workspace.company.linear_projects]

    def initiatives(self) -> list[Node]:
        """Return the initiatives."""
        return [self._initiative(each) for each in self._workspace.company.linear_initiatives]

    def found(self, nodes: list[Node], arguments: Arguments) -> Answer:
        """Return a page of results that have all words."""
        terms = words(str(arguments["term"]))
        fitting = [node for node in nodes if terms <= words(" ".join(_searched_texts(node)))]
        return self._workspace.several(lambda: fitting, ordered=True)(arguments)

    def project(self, entry: LinearProject) -> Node:
        """Return a project with its page."""
        several, company = self._workspace.several, self._workspace.company
        return {
            **project_node(self._workspace, entry),
            "creator": member(self._workspace, entry.lead),
            "lastUpdate": lambda _: (
                self._update(entry.updates[-1], project_id(entry)) if entry.updates else None
            ),
            "documents": several(
                lambda: [
                    self._document(each)
                    for each in company.linear_documents
                    if each.project == entry.name
                ]
            ),
            "projectUpdates": several(
                lambda: [self._update(each, project_id(entry)) for each in entry.updates]
            ),
            "initiatives": several(
                lambda: [
                    self._initiative(each)
                    for each in company.linear_initiatives
                    if each.name == entry.initiative
                ]
            ),
        }

    def _document(self, document: LinearDocument) -> Node:
        home = self._workspace.home
        id_ = ids.uuid(f"linear/document/{document.title}")
        company = self._workspace.company
        projects = [each for each in company.linear_projects if each.name == document.project]
        initiatives = [
            each for each in company.linear_initiatives if each.name == document.initiative
        ]
        issue = self._workspace.find(document.issue) if document.issue else None
        times = [document.created, *(each.updated or each.at for each in document.comments)]
        return {
            **entity(id_, document.created, document.updated or max(times)),
            "title": document.title,
            "content": document.content or None,
            "slugId": _slug_id(id_),
            "url": f"{home}/document/{_named(document.title, id_)}",
            "trashed": None,
            **actors(self._workspace, document.author, "creator"),
            "project": lambda _: self.project(projects[0]) if projects else None,
            "initiative": lambda _: self._initiative(initiatives[0]) if initiatives else None,
            "issue": lambda _: self._issue(issue) if issue else None,
            "metadata": {},
            "comments": self._workspace.several(
                lambda: [
                    {
                        **entity(
                            ids.uuid(f"linear/comment/{each.id or each.at}"), each.at, each.updated
                        ),
                        **actors(self._workspace, each.author, "user", "externalUser"),
                        "body": each.text,
                        "parentId": None,
                        "url": f"{home}/document/{_named(document.title, id_)}"
                        f"#comment-{ids.uuid(f'linear/comment/{each.id or each.at}')[:8]}",
                    }
                    for each in document.comments
                ]
            ),
        }

    def _initiative(self, initiative: LinearInitiative) -> Node:
        id_ = ids.uuid(f"linear/initiative/{initiative.name}")
        several, company = self._workspace.several, self._workspace.company
        changed = max([self._workspace.founded, *(each.at for each in initiative.updates)])
        return {
            **entity(id_, self._workspace.founded, changed),
            "name": initiative.name,
            "description": initiative.description or None,
            "content": initiative.content or None,
            "slugId": _slug_id(id_),
            "url": f"{self._workspace.home}/initiative/{_named(initiative.name, id_)}",
            "status": initiative.status,
            "owner": member(self._workspace, initiative.owner),
            "targetDate": None,
            "documents": several(
                lambda: [
                    self._document(each)
                    for each in company.linear_documents
                    if each.initiative == initiative.name
                ]
            ),
            "projects": several(
                lambda: [
                    self.project(each)
                    for each in company.linear_projects
                    if each.initiative == initiative.name
                ]
            ),
            "initiativeUpdates": several(
                lambda: [self._update(each, id_) for each in initiative.updates]
            ),
        }

    def _update(self, update: LinearUpdate, of: str) -> Node:
        id_ = ids.uuid(f"linear/update/{of}/{update.at}")
        person = self._workspace.member(update.author) or self._workspace.company.owner
        return {
            **entity(id_, update.at),
            "body": update.text,
            "health": update.health,
            "url": f"{self._workspace.home}/update/{id_[:8]}",
            "user": user(self._workspace, person),
        }


def _one(kind: str, every: Callable[[], list[Node]], arguments: Arguments) -> Answer:
    for node in every():
        if arguments["id"] in (node["id"], node["slugId"]):
            return node
    raise not_found(kind)


def _searched_texts(node: Node) -> Iterator[str]:
    """Yield the texts that a search looks in."""
    names = ("title", "name", "description", "content")
    yield from (text for name in names if isinstance(text := node.get(name), str))


def _slug_id(id_: str) -> str:
    return id_[:12].replace("-", "")


def _named(title: str, id_: str) -> str:
    """Return the end of an address: the title, then what leads there."""
    return "-".join([*re.findall(r"[a-z0-9]+", title.lower()), _slug_id(id_)])
