"""Small parts of tickets: people, statuses, projects, linked tickets."""

from datetime import datetime, tzinfo

from attrs import frozen

from rove_core import JSON
from rove_sim import ids
from rove_sim.company import Company
from rove_sim.company_jira import JiraProject, Ticket
from rove_sim.company_people import Person
from rove_sim.jira.store import TicketStore
from rove_sim.jira.vocabulary import category, category_id, number


@frozen
class SiteValues:
    """Renders a site's values for one reader.

    Attributes:
        site: The address of the site.
        zone: The reader's own, in which times are written.
    """

    company: Company
    tickets: TicketStore
    site: str
    zone: tzinfo

    @property
    def rest(self) -> str:
        """The address that all others begin with."""
        return f"{self.site}/rest/api/3"

    def user(self, who: str | Person) -> dict[str, JSON]:
        """Return a person as the site shows them: without the address, as is the default."""
        person = who if isinstance(who, Person) else self.company.person(who)
        return {
            "self": f"{self.rest}/user?accountId={person.jira}",
            "accountId": person.jira,
            "displayName": person.name,
            "active": person.active,
            "timeZone": person.time_zone,
            "accountType": "app" if person.bot else "atlassian",
            "avatarUrls": {"48x48": f"{self.site}/avatar/{person.jira}/48"},
        }

    def project(self, project: JiraProject) -> dict[str, JSON]:
        """Return a project."""
        own = str(10_000 + ids.number(f"jira/project/{project.key}", below=9_000))
        return {
            "self": f"{self.rest}/project/{own}",
            "id": own,
            "key": project.key,
            "name": project.name,
            "projectTypeKey": "software",
            "simplified": False,
            "style": "classic",
            "isPrivate": project.private,
        }

    def time(self, at: datetime) -> str:
        """Return a time as Jira writes it."""
        local = at.astimezone(self.zone)
        return f"{local:%Y-%m-%dT%H:%M:%S}.{local.microsecond // 1000:03d}{local:%z}"

    def status(self, name: str) -> dict[str, JSON]:
        """Return a status with its category."""
        own, colour = category_id(name)
        key, called = category(name)
        return {
            "self": f"{self.rest}/status/{number('status', name)}",
            "description": "",
            "name": name,
            "id": number("status", name),
            "statusCategory": {"id": own, "key": key, "colorName": colour, "name": called},
        }

    def type(self, name: str) -> dict[str, JSON]:
        """Return a type of tickets."""
        return {
            "self": f"{self.rest}/issuetype/{number('type', name)}",
            "id": number("type", name),
            "description": "",
            "name": name,
            "subtask": name == "Sub-task",
            "hierarchyLevel": {"Epic": 1, "Sub-task": -1}.get(name, 0),
        }

    def named(self, kind: str, name: str) -> JSON:
        """Return something that has a name and no more; None when it has none."""
        if not name:
            return None
        own = number(kind, name)
        return {"self": f"{self.rest}/{kind}/{own}", "id": own, "name": name}

    def brief(self, ticket: Ticket) -> dict[str, JSON]:
        """Return a ticket as another one shows it."""
        return {
            "id": ticket.id,
            "key": ticket.key,
            "self": f"{self.rest}/issue/{ticket.id}",
            "fields": {
                "summary": ticket.title,
                "status": self.status(ticket.status),
                "priority": self.named("priority", ticket.priority),
                "issuetype": self.type(ticket.type),
            },
        }
