"""List commits since a cursor, and commits that left the history."""

import json
from collections.abc import Sequence
from typing import Final

from attrs import frozen

from rove_code.repositories import Commit
from rove_code.repository_facts import short
from rove_core import KnownIds, ListScope, read_cursor

#: After so many commits a listing can go on.
STEP: Final = 100


@frozen
class HistoryChanges:
    """Pages through a repository's history.

    Attributes:
        added: The commits that were not listed yet, newest first.
        gone: The names of those that were listed and are not part of the history any more.
        remaining: The names of those that were listed and still are.
    """

    added: Sequence[Commit]
    gone: Sequence[str]
    remaining: frozenset[str]

    @classmethod
    def since(cls, history: Sequence[Commit], scope: ListScope) -> "HistoryChanges":
        """Return what changed since the cursor of a scope.

        A history that was rewritten, by a rebase for example, has other commits.

        Args:
            history: All commits.
            scope: What is listed.
        """
        before = frozenset(map(str, KnownIds.of(read_cursor(scope.cursor).get("commits"))))
        stored = before.union(each.id for each in scope.unconfirmed)
        there = {short(each.id) for each in history}
        added = [
            each
            for each in history
            if short(each.id) not in before and (scope.since is None or each.at >= scope.since)
        ]
        added.sort(key=lambda each: each.at, reverse=True)
        return cls(added, sorted(stored - there), before & there)

    def cursor(self, done: int) -> str:
        """Return where to go on after so many of the added commits."""
        ids = KnownIds()
        for name in (*self.remaining, *(short(each.id) for each in self.added[:done])):
            ids.add(name)
        return json.dumps({"commits": ids.to_json()}, separators=(",", ":"))
