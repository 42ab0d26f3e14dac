"""Random changes of a workspace of Linear."""

from attrs import evolve
from tests.changes import VendorChanges

from rove_core.testing import VirtualClock
from rove_sim.company_linear import LinearComment, LinearIssue
from rove_sim.linear import Linear


def workspace_changes(linear: Linear, clock: VirtualClock) -> VendorChanges:
    """Return what changes the issues of a workspace."""

    def add(number: int, words: str) -> str:
        at, name = clock.now(), f"TB-{900 + number}"
        linear.put(LinearIssue(identifier=name, title=words, author="ann", created=at, updated=at))
        return name

    def edit(name: str, words: str) -> None:
        linear.put(evolve(linear.issue(name), title=words, updated=clock.now()))

    def answer(name: str, words: str) -> None:
        issue = linear.issue(name)
        said = LinearComment(author="ben", at=clock.now(), text=words)
        linear.put(evolve(issue, comments=(*issue.comments, said)))

    def delete(name: str) -> None:
        if name[-1] in "02468":
            linear.remove(name)
        else:
            now = clock.now()
            linear.put(evolve(linear.issue(name), trashed=True, archived=now))

    def move(name: str, number: int) -> str:
        to = f"OPS-{900 + number}"
        linear.move(name, to, clock.now())
        return to

    return VendorChanges(clock=clock, add=add, edit=edit, answer=answer, delete=delete, move=move)
