"""Random changes of a repository on GitHub."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from random import Random

from attrs import evolve
from tests.changes import VendorChanges

from rove_core.testing import VirtualClock
from rove_sim.company_github import (
    PullRequest,
    RepositoryComment,
    RepositoryCommit,
    RepositoryIssue,
)
from rove_sim.github import GitHub


def repository_changes(github: GitHub, repository: str, clock: VirtualClock) -> VendorChanges:
    """Return what changes the issues, pull requests and commits of a repository."""

    def change(name: str, **parts: object) -> None:
        item = github.hub.item(repository, int(name.rpartition("#")[2]))
        if item is None:
            raise KeyError(name)
        changed = evolve(item, updated=clock.now(), **parts)  # type: ignore[arg-type]  # as given
        github.put(changed)

    def add(number: int, words: str) -> str:
        at = clock.now()
        kind = PullRequest if number % 3 == 0 else RepositoryIssue
        github.put(
            kind(
                repository=repository,
                number=900 + number,
                title=words,
                author="sarah",
                created=at,
                updated=at,
            )
        )
        return f"{repository}#{900 + number}"

    def edit(name: str, words: str) -> None:
        change(name, title=words)

    def answer(name: str, words: str) -> None:
        change(name, comments=(RepositoryComment(author="sarah", at=clock.now(), text=words),))

    def delete(name: str) -> None:
        if isinstance(github.hub.item(repository, int(name.rpartition("#")[2])), PullRequest):
            return  # GitHub has no way to.
        change(name, deleted=True)

    return VendorChanges(
        clock=clock,
        add=add,
        edit=edit,
        answer=answer,
        delete=delete,
        others=_commit_changes(github, repository, clock),
    )


def _commit_changes(
    github: GitHub, repository: str, clock: VirtualClock
) -> Mapping[str, Callable[[Random], None]]:
    def commits() -> tuple[RepositoryCommit, ...]:
        known = github.hub.repository(repository)
        return known.commits if known else ()

    def merge(chance: Random) -> None:
        """Push a commit that was made up to a day before, and one that merges it."""
        times = [clock.now() - timedelta(seconds=chance.randint(1, 80_000)), clock.now()]
        made = [RepositoryCommit(message=f"At {at}", author="sarah", at=at) for at in times]
        github.hub.push(repository, (*commits(), *made), clock.now())

    def take_back(_: Random) -> None:
        """Take back the last push, as one with the same head has the same history.

        Only a check finds that a commit of more than two weeks ago is gone.
        """
        if commits() and clock.now() - commits()[-1].at < timedelta(days=13):
            github.hub.push(repository, commits()[:-2], clock.now())

    return {"merge": merge, "take back": take_back}
