"""Issues by identifier, with quick answers to what is below an issue and what relates to it."""

from collections import UserDict
from collections.abc import Iterable, Iterator

from rove_sim.company_linear import LinearIssue


class IssueIndex(UserDict[str, LinearIssue]):
    """Issues by identifier.

    Each issue of a listing is shown with its children and relations: to look for them among all
    issues would make a listing of thousands take hours.
    """

    def __init__(self, issues: Iterable[LinearIssue] = ()) -> None:
        # By the identifier that they name: the identifiers of those that name it, in order.
        self._below: dict[str, dict[str, None]] = {}
        self._relating: dict[str, dict[str, None]] = {}
        super().__init__({issue.identifier: issue for issue in issues})

    def below(self, identifier: str) -> list[LinearIssue]:
        """Return the issues whose parent is called so."""
        return [self.data[each] for each in self._below.get(identifier, ())]

    def relating(self, names: Iterable[str]) -> Iterator[LinearIssue]:
        """Yield the issues with a relation to an issue that has one of these names."""
        found = (name for each in names for name in self._relating.get(each.upper(), ()))
        yield from (self.data[each] for each in dict.fromkeys(found))

    def __setitem__(self, identifier: str, issue: LinearIssue) -> None:
        """Add an issue, or change it into this one."""
        if before := self.data.get(identifier):
            self._forget_names(before, still_named=issue)
        self.data[identifier] = issue
        if issue.parent:
            self._below.setdefault(issue.parent, {})[identifier] = None
        for each in issue.relations:
            self._relating.setdefault(each.issue.upper(), {})[identifier] = None

    def __delitem__(self, identifier: str) -> None:
        """Remove an issue."""
        self._forget_names(self.data[identifier])
        del self.data[identifier]

    def _forget_names(self, issue: LinearIssue, *, still_named: LinearIssue | None = None) -> None:
        """Forget what an issue names, except what another state of it names too."""
        if still_named is None or still_named.parent != issue.parent:
            self._below.get(issue.parent, {}).pop(issue.identifier, None)
        still = (
            {each.issue.upper() for each in still_named.relations} if still_named else set[str]()
        )
        for each in issue.relations:
            if each.issue.upper() not in still:
                self._relating.get(each.issue.upper(), {}).pop(issue.identifier, None)
