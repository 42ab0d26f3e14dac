"""Random changes of a repository on GitHub."""

from attrs import evolve
from tests.changes import VendorChanges

from rove_core.testing import VirtualClock
from rove_sim.company_github import PullRequest, RepositoryComment, RepositoryIssue
from rove_sim.github import GitHub


def repository_changes(github: GitHub, repository: str, clock: VirtualClock) -> VendorChanges:
    """Return what changes the issues and pull requests of a repository."""

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

    return VendorChanges(clock=clock, add=add, edit=edit, answer=answer, delete=delete)
