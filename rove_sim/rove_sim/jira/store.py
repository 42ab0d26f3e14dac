"""The tickets of a site, and its search index, which lags behind."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from attrs import evolve, frozen

from rove_core import JSON
from rove_core.clock import Clock
from rove_sim import ids
from rove_sim.company import Company
from rove_sim.company_jira import JiraProject, Ticket, TicketComment
from rove_sim.jira.adf import document
from rove_sim.jira.words import plain

_ALWAYS = datetime.min.replace(tzinfo=UTC)


@frozen
class _Version:
    since: datetime
    ticket: Ticket | None


class TicketStore:
    """All tickets of a site, each with its versions.

    Attributes:
        lag: How long the search takes to learn of a change.
        unindexed: Keys of tickets that the search does not find just now.
        sprints: The states of sprints by their names: ``future`` and ``closed`` ones; a sprint
            that only tickets name is ``active``.
    """

    def __init__(self, company: Company, clock: Clock) -> None:
        self.lag = timedelta()
        self.unindexed: set[str] = set()
        self.sprints: dict[str, str] = {}
        self._clock = clock
        self._people = {person.key: person for person in company.people}
        self._projects = {project.key: project for project in company.projects}
        self._versions: dict[str, list[_Version]] = {}
        self._keys: dict[str, str] = {}
        self._pointing: dict[str, dict[str, None]] = {}
        self._words: dict[str, str] = {}
        for ticket in company.tickets:
            self.put(ticket, since=_ALWAYS)

    def put(self, ticket: Ticket, *, since: datetime | None = None) -> Ticket:
        """Store a ticket's new state, and return it with its ids."""
        whole = _filled(ticket)
        self._keys.update(dict.fromkeys([*whole.old_keys, whole.id], whole.key))
        for other in (whole.parent, *(link.to for link in whole.links)):
            self._pointing.setdefault(other, {})[whole.key] = None
        key = project_of(whole)
        self._projects.setdefault(key, JiraProject(key=key, name=key))
        self._add(whole.key, _Version(since or self._clock.now(), whole))
        return whole

    def drop(self, key: str) -> None:
        """Delete a ticket."""
        self._add(key, _Version(self._clock.now(), None))

    def move(self, key: str, to: str) -> Ticket:
        """Give a ticket another key, in another project; its old one still leads to it."""
        ticket = self.find(key)
        if ticket is None:
            raise KeyError(key)
        self.drop(ticket.key)
        now = self._clock.now()
        return self.put(evolve(ticket, key=to, old_keys=(*ticket.old_keys, key), updated=now))

    def hide(self, project: str) -> None:
        """Take the right to see a project away."""
        self._projects[project] = evolve(self._projects[project], hidden=True)

    def find(self, name: str) -> Ticket | None:
        """Return the ticket that a key, an earlier key or an id names, if the token may see it."""
        versions = self._versions.get(self._keys.get(name.upper(), name.upper()))
        return self._visible(versions[-1].ticket) if versions else None

    def all(self) -> Iterator[Ticket]:
        """Yield the tickets that the token may see."""
        found = (self._visible(versions[-1].ticket) for versions in self._versions.values())
        return (ticket for ticket in found if ticket)

    def searchable(self, fresh: frozenset[str] = frozenset()) -> Iterator[Ticket]:
        """Yield the tickets as the lagging index has them, except for named ids."""
        late = self._clock.now() - self.lag
        for versions in self._versions.values():
            tickets = [each.ticket for each in versions if each.since <= late]
            old = self._visible(tickets[-1]) if tickets else None
            new = self._visible(versions[-1].ticket)
            ticket = new if new and new.id in fresh else old
            if ticket and ticket.key not in self.unindexed:
                yield ticket

    def pointing(self, key: str) -> list[Ticket]:
        """Return the tickets that name another one as their parent or link to it."""
        found = (self.find(each) for each in self._pointing.get(key, ()))
        return [ticket for ticket in found if ticket]

    def projects(self) -> list[JiraProject]:
        """Return the projects that the token may see, also those that only tickets name."""
        visible = (each for each in self._projects.values() if not each.hidden)
        return sorted(visible, key=lambda each: each.key)

    def next_key(self, project: str) -> str:
        """Return the key of the next ticket of a project."""
        numbers = [
            int(key.rpartition("-")[2])
            for key in self._versions
            if key.rpartition("-")[0] == project
        ]
        return f"{project}-{max(numbers, default=0) + 1}"

    def sprint_names(self, project: str = "") -> list[str]:
        """Return the names of the sprints, optionally of one project."""
        used = [
            each.sprint for each in self.all() if each.sprint and project in ("", project_of(each))
        ]
        return sorted({*used, *self.sprints})

    def sprint_state(self, name: str) -> str:
        """Return whether a sprint is ``future``, ``active`` or ``closed``."""
        return self.sprints.get(name, "active")

    def project(self, ticket: Ticket) -> JiraProject:
        """Return a ticket's project."""
        return self._projects[project_of(ticket)]

    def document(self, text: str, adf: JSON) -> JSON:
        """Return a text's document tree; None when there is no text."""
        if adf is not None:
            return adf
        return document(text, self._mention) if text.strip() else None

    def words(self, text: str, adf: JSON) -> str:
        """Return the searchable words of a text."""
        if adf is not None:
            return adf if isinstance(adf, str) else plain(adf)
        if text not in self._words:
            self._words[text] = plain(self.document(text, None))
        return self._words[text]

    def _mention(self, key: str) -> tuple[str, str] | None:
        person = self._people.get(key)
        return (person.jira, person.name) if person else None

    def _visible(self, ticket: Ticket | None) -> Ticket | None:
        shown = ticket and not ticket.hidden and not self.project(ticket).hidden
        return ticket if shown else None

    def _add(self, key: str, version: _Version) -> None:
        self._versions.setdefault(key, []).append(version)


def project_of(ticket: Ticket) -> str:
    """Return the key of a ticket's project."""
    return ticket.key.rpartition("-")[0]


def _filled(ticket: Ticket) -> Ticket:
    base = 10_000 * (1 + ids.number(f"jira/project/{project_of(ticket)}", below=9_000))
    own = ticket.id or str(base + int(ticket.key.rpartition("-")[2]))
    comments = tuple(
        comment if comment.id else evolve(comment, id=f"{own}{position:03d}")
        for position, comment in enumerate(ticket.comments, 1)
    )
    return evolve(ticket, id=own, comments=comments, updated=ticket.updated or _latest(ticket))


def _latest(ticket: Ticket) -> datetime:
    times = [each.updated or each.at for each in ticket.comments]
    return max([ticket.created, *times, *(change.at for change in ticket.changelog)])


def with_comment(ticket: Ticket, comment: TicketComment) -> Ticket:
    """Return a ticket with a comment more, or with the one of the same id replaced."""
    others = [each for each in ticket.comments if each.id != comment.id]
    comments = sorted([*others, comment], key=lambda each: each.at)
    return evolve(ticket, comments=tuple(comments))
