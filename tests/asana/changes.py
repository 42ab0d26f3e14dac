"""Random changes of a workspace of Asana."""

from attrs import evolve
from tests.changes import VendorChanges

from rove_core.testing import VirtualClock
from rove_sim.asana import Asana
from rove_sim.company_asana import AsanaPlace, AsanaStory, AsanaTask


def workspace_changes(asana: Asana, clock: VirtualClock) -> VendorChanges:
    """Return what changes the tasks of a workspace; sometimes all sync tokens expire."""

    def add(number: int, words: str) -> str:
        at, gid = clock.now(), str(1_300_000_000_000_000 + number)
        pilot = AsanaPlace(project="Pilot", section="To do")
        asana.put(AsanaTask(gid=gid, name=words, author="ann", created=at, places=(pilot,)))
        return gid

    def edit(gid: str, words: str) -> None:
        asana.put(evolve(asana.task(gid), name=words, updated=clock.now()))

    def answer(gid: str, words: str) -> None:
        task = asana.task(gid)
        said = AsanaStory(author="ben", at=clock.now(), text=words)
        asana.put(evolve(task, stories=(*task.stories, said)))

    def delete(gid: str) -> None:
        asana.remove(gid)
        if gid[-1] in "05":
            asana.forget_events()

    def move(gid: str, number: int) -> str:
        to = AsanaPlace(project="Vault" if number % 2 else "Pilot")
        asana.put(evolve(asana.task(gid), places=(to,)))
        return gid

    return VendorChanges(clock=clock, add=add, edit=edit, answer=answer, delete=delete, move=move)
