"""The content of a Linear workspace, with lookups between its parts."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from rove_sim import ids
from rove_sim.company import Company
from rove_sim.company_linear import LinearCycle, LinearIssue, LinearProject
from rove_sim.company_people import Person
from rove_sim.graphql import Node
from rove_sim.linear.issue_index import IssueIndex
from rove_sim.linear.pages import Connection, PageSize

_IDENTIFIER: Final = re.compile(r"(?<![A-Za-z0-9])([A-Za-z][A-Za-z0-9_]*-\d+)(?!\d)")

#: The states that every team has.
_STATES: Final = ("Backlog", "Todo", "In Progress", "In Review", "Done", "Canceled", "Duplicate")


class Workspace:
    """The issues of one company, as they are now.

    Attributes:
        company: Its people, projects and cycles.
        size: How many a page holds.
        issues: By their identifiers.
        hidden: The keys of teams that cannot be seen.
        files: What was uploaded, by its address.
        now: Returns the current time.
        founded: When what has no time of its own was made.
    """

    def __init__(self, company: Company, size: PageSize, now: Callable[[], datetime]) -> None:
        self.company = company
        self.size = size
        self.now = now
        self.files: dict[str, bytes] = {}
        self.hidden: set[str] = set()
        self.issues = IssueIndex(company.issues)
        made = [issue.created for issue in company.issues]
        self._nodes: dict[str, tuple[LinearIssue, Node]] = {}
        self._words: dict[str, tuple[LinearIssue, bool, frozenset[str]]] = {}
        self.founded = min(made, default=datetime(2020, 1, 1, tzinfo=UTC))

    @property
    def home(self) -> str:
        """Where people see it."""
        return f"https://linear.app/{self.company.slug}"

    def cached_node(
        self, issue: LinearIssue, build: Callable[["Workspace", LinearIssue], Node]
    ) -> Node:
        """Return a cached node of an issue, rebuilt when it changed."""
        entry = self._nodes.get(issue.identifier)
        if entry is None or entry[0] is not issue:
            entry = self._nodes[issue.identifier] = (issue, build(self, issue))
        return entry[1]

    def words(self, issue: LinearIssue, *, comments: bool) -> frozenset[str]:
        """Return the words of an issue, cached until it changes."""
        entry = self._words.get(issue.identifier)
        if entry is None or entry[0] is not issue or entry[1] is not comments:
            found = words(issue_text(issue, comments=comments))
            entry = self._words[issue.identifier] = (issue, comments, found)
        return entry[2]

    def find(self, name: str) -> LinearIssue | None:
        """Return an issue by its UUID or its identifier, which may be one it had before."""
        key = name.upper()
        issue = self.issues.get(key)
        if issue and team_key(issue) not in self.hidden:
            return issue
        for issue in self.visible():
            if name == issue_id(issue) or key in issue.old_identifiers:
                return issue
        return None

    def on_branch(self, branch: str) -> LinearIssue | None:
        """Return the issue that a branch's name contains."""
        found = (self.find(name) for name in _IDENTIFIER.findall(branch))
        return next(filter(None, found), None)

    def below(self, issue: LinearIssue) -> list[LinearIssue]:
        """Return the issues that are part of an issue."""
        return self.issues.below(issue.identifier)

    def relating(self, issue: LinearIssue) -> Iterator[LinearIssue]:
        """Yield the issues that may have a relation to an issue, by any name that it has had."""
        return self.issues.relating([issue.identifier, issue_id(issue), *issue.old_identifiers])

    def project(self, issue: LinearIssue) -> LinearProject | None:
        """Return the project that an issue is part of; one that only issues name is empty."""
        by_name = {project.name: project for project in self.company.linear_projects}
        return by_name.get(issue.project) or (
            LinearProject(name=issue.project) if issue.project else None
        )

    def cycle(self, issue: LinearIssue) -> LinearCycle | None:
        """Return the cycle that an issue is planned for."""
        found = (each for each in self.cycles(team_key(issue)) if each.number == issue.cycle)
        return next(found, None)

    def member(self, who: str) -> Person | None:
        """Return an employee."""
        matches = (one for one in self.company.people if who in (one.key, one.name))
        return next(matches, None)

    def teams(self) -> list[str]:
        """Return the keys of the teams that can be seen."""
        return list(dict.fromkeys(team_key(issue) for issue in self.visible()))

    def states(self, key: str) -> list[str]:
        """Return the names of the states of a team, in their order."""
        taken = [each.state for each in self.issues.values() if team_key(each) == key]
        return list(dict.fromkeys([*_STATES, *taken]))

    def labels(self) -> list[str]:
        """Return the names of all labels, which belong to no team."""
        taken = [name for issue in self.issues.values() for name in issue.labels]
        return list(dict.fromkeys([*self.company.linear_labels, *taken]))

    def cycles(self, key: str) -> list[LinearCycle]:
        """Return the cycles of a team."""
        return [each for each in self.company.cycles if each.team == key]

    def visible(self) -> list[LinearIssue]:
        """Return the issues that can be seen."""
        return [each for each in self.issues.values() if team_key(each) not in self.hidden]

    def several(self, every: Callable[[], Sequence[Node]], *, ordered: bool = False) -> Connection:
        """Return things to be given page by page."""
        return Connection(every, self.size, ordered)


def words(text: str) -> frozenset[str]:
    """Return the words of a text in lower case."""
    return frozenset(re.findall(r"\w+", text.lower()))


def issue_text(issue: LinearIssue, *, comments: bool) -> str:
    """Return all that is written in an issue, and below it when that is wanted."""
    below = [comment.text for comment in issue.comments] if comments else []
    return "\n".join([issue.identifier, issue.title, issue.description, *below])


def issue_id(issue: LinearIssue) -> str:
    """Return an issue's UUID."""
    return issue.id or ids.uuid(f"linear/issue/{issue.identifier}")


def team_key(issue: LinearIssue) -> str:
    """Return the team prefix of an issue's identifier."""
    return issue.identifier.rpartition("-")[0]


def changed(issue: LinearIssue) -> datetime:
    """Return when an issue last changed."""
    times = [comment.updated or comment.at for comment in issue.comments]
    changes = [change.at for change in issue.history]
    return issue.updated or max([issue.created, *times, *changes])
