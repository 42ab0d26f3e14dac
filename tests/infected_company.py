"""A company in which somebody has written an attack into every text, name and label."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final
from zlib import crc32

import attrs
from tests.asana.conftest import company as asana_company
from tests.azure.conftest import company as azure_company

from rove_sim import Company, sample_company
from rove_sim import company_asana as asana
from rove_sim import company_azure as azure
from rove_sim import company_github as github
from rove_sim import company_jira as jira
from rove_sim import company_linear as linear
from rove_sim import company_slack as slack
from rove_sim.company_people import CompanyNote, Person

__all__ = ["INFECTED", "Infection", "tracked_company"]

#: Which texts of each kind of thing are infected, and how: a name is infected the same wherever it
#: occurs, rich text is escaped. All other fields are ids, times, addresses, or the vendor's words.
INFECTED: Final[Mapping[type, Mapping[str, str]]] = {
    Person: {"name": "words"},
    CompanyNote: {"text": "words", "path": "file"},
    jira.JiraProject: {"name": "words"},
    jira.TicketLink: {"type": "words"},
    jira.RemoteLink: dict.fromkeys(("title", "summary", "relationship", "application"), "words"),
    jira.DevelopmentEntry: dict.fromkeys(("name", "repository", "application"), "words"),
    jira.File: {"name": "name", "text": "words"},
    jira.TicketComment: {"text": "words"},
    jira.TicketChange: {"before": "words", "after": "words"},
    jira.Ticket: dict.fromkeys(
        ("title", "description", "priority", "resolution", "sprint", "labels", "components"),
        "words",
    )
    | {"status": "name", "type": "name", "fields": "values"},
    slack.Channel: {"topic": "words", "purpose": "words"},
    slack.SharedFile: {"name": "name", "title": "words", "text": "words"},
    slack.SlackMessage: {"text": "slack", "blocks": "blocks"},
    github.RepositoryComment: {"text": "words"},
    github.ProjectPlace: {"project": "name", "status": "name"},
    github.RepositoryIssue: {"title": "words", "body": "words", "labels": "words"},
    github.ReviewComment: {"text": "words", "path": "words", "hunk": "words"},
    github.PullRequestReview: {"text": "words"},
    github.RepositoryCommit: {"message": "words"},
    github.ChangedFile: {"path": "words", "patch": "words"},
    github.PullRequest: {"title": "words", "body": "words", "labels": "words", "branch": "words"},
    github.DiscussionReply: {"text": "words"},
    github.DiscussionComment: {"text": "words"},
    github.RepositoryDiscussion: dict.fromkeys(("title", "body", "category", "labels"), "words"),
    github.CompanyRepository: {"description": "words"},
    linear.LinearComment: {"text": "words"},
    linear.LinearAttachment: {"title": "words", "subtitle": "words"},
    linear.LinearChange: {"before": "words", "after": "words"},
    linear.LinearUpdate: {"text": "words"},
    linear.LinearProject: {"name": "name", "initiative": "name"}
    | dict.fromkeys(("description", "content"), "words"),
    linear.LinearInitiative: {"name": "name", "description": "words", "content": "words"},
    linear.LinearDocument: {"project": "name", "initiative": "name"}
    | dict.fromkeys(("title", "content"), "words"),
    linear.LinearCycle: {"name": "words"},
    linear.LinearIssue: {"state": "name", "project": "name"}
    | dict.fromkeys(("title", "description", "labels"), "words"),
    asana.AsanaField: {"name": "name", "options": "name"},
    asana.AsanaProject: {"name": "name", "sections": "name"},
    asana.AsanaPlace: {"project": "name", "section": "name"},
    asana.AsanaValue: {"field": "name", "value": "name"},
    asana.AsanaStory: {"text": "rich"},
    asana.AsanaAttachment: {"name": "words"},
    asana.AsanaTask: {"name": "words", "notes": "rich", "tags": "words"},
    azure.AzureComment: {"text": "rich"},
    azure.AzureLink: {"name": "words"},
    azure.AzureFile: {"name": "name", "comment": "words"},
    azure.AzureChange: {"before": "words", "after": "words"},
    azure.AzureIteration: {"project": "name", "name": "name"},
    azure.AzureWorkItem: {"project": "name", "state": "name", "iteration": "name"}
    | {"title": "words", "description": "rich", "criteria": "rich", "tags": "words"},
}


def tracked_company() -> Company:
    """Return the sample company, which keeps some of its work in Asana and Azure DevOps too."""
    sample, tasks, items = sample_company(), asana_company(), azure_company()
    return attrs.evolve(
        sample,
        people=(*sample.people, *tasks.people),
        asana_projects=tasks.asana_projects,
        tasks=tasks.tasks,
        azure_projects=items.azure_projects,
        iterations=items.iterations,
        work_items=items.work_items,
    )


@attrs.define
class Infection:
    """Puts the next of some attacks behind each text, with the name of its place.

    Attributes:
        attacks: What takes turns.
        first: The number of the attack that comes first.
    """

    attacks: Sequence[str]
    first: int = 0
    _texts: int = 0

    def of(self, thing: Any) -> Any:  # noqa: ANN401  # of any class of a company
        """Return a thing of a company with an attack in each of its texts."""
        if isinstance(thing, tuple):
            return tuple(map(self.of, thing))
        if not attrs.has(type(thing)):
            return thing
        ways = INFECTED.get(type(thing), {})
        changes = {}
        for field in attrs.fields(type(thing)):
            value = getattr(thing, field.name)
            place = f"evil{type(thing).__name__}{field.name.title()}"
            way = ways.get(field.name)
            changes[field.name] = self._value(value, place, way) if way else self.of(value)
        return attrs.evolve(thing, **changes)

    def _value(self, value: Any, place: str, way: str) -> Any:  # noqa: ANN401  # of any type
        if isinstance(value, tuple | list):
            return type(value)(self._value(each, place, way) for each in value)
        if isinstance(value, Mapping) and way == "blocks":
            return {
                name: self._text(each, place, "slack")
                if name == "text" and isinstance(each, str)
                else self._value(each, place, way)
                for name, each in value.items()
            }
        if isinstance(value, Mapping):
            return {
                self._text(name, place, "name"): self._value(each, place, way)
                for name, each in value.items()
            }
        return self._text(value, place, way) if isinstance(value, str) and value else value

    def _text(self, value: str, place: str, way: str) -> str:
        if way == "blocks" or value.isdecimal():
            return value
        if way == "name":
            return f"{value} {self._attack(crc32(value.encode()))}"
        self._texts += 1
        attack = self._attack(self._texts)
        if way == "file":
            stem, dot, ending = value.rpartition(".")
            name = attack.replace("/", "\u2215")[:40]
            return f"{stem} {place} {name}{dot}{ending}"
        if way == "rich" or (way == "slack" and self._texts % 2):
            attack = escape(attack, quote=False)
        return f"{value} {place} {attack}"

    def _attack(self, number: int) -> str:
        return self.attacks[(self.first + number) % len(self.attacks)]
