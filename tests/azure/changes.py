"""Random changes of an organization of Azure DevOps."""

from attrs import evolve
from tests.changes import VendorChanges

from rove_core.testing import VirtualClock
from rove_sim.azure import AzureDevOps
from rove_sim.company_azure import AzureComment, AzureWorkItem


def organization_changes(azure: AzureDevOps, clock: VirtualClock) -> VendorChanges:
    """Return what changes the work items of an organization."""

    def add(number: int, words: str) -> str:
        at, own = clock.now(), 900 + number
        azure.put(
            AzureWorkItem(
                id=own, project="Tracker", title=words, author="ann", created=at, updated=at
            )
        )
        return str(own)

    def edit(name: str, words: str) -> None:
        azure.put(evolve(azure.item(name), title=words, updated=clock.now()))

    def answer(name: str, words: str) -> None:
        item, at = azure.item(name), clock.now()
        said = AzureComment(number=azure.board.next_comment, author="ben", at=at, text=words)
        azure.put(evolve(item, comments=(*item.comments, said), updated=at))

    def move(name: str, number: int) -> str:  # noqa: ARG001  # it keeps its number
        to = "Web" if azure.item(name).project == "Tracker" else "Tracker"
        azure.move(name, to, clock.now())
        return name

    return VendorChanges(
        clock=clock, add=add, edit=edit, answer=answer, delete=azure.remove, move=move
    )
