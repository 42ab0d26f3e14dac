"""Random changes of a site of Jira."""

from tests.changes import VendorChanges

from rove_core.testing import VirtualClock
from rove_sim.company_jira import Ticket
from rove_sim.jira import Jira


def site_changes(site: Jira, clock: VirtualClock) -> VendorChanges:
    """Return what changes the tickets of a site."""
    me = site.company.owner.key

    def add(number: int, words: str) -> str:
        at = clock.now()
        key = f"TB-{900 + number}"
        return site.add_ticket(Ticket(key=key, title=words, author=me, created=at, updated=at)).key

    def edit(name: str, words: str) -> None:
        site.change_ticket(name, me, title=words)

    def answer(name: str, words: str) -> None:
        site.add_comment(name, me, words)

    def move(name: str, number: int) -> str:
        return site.tickets.move(name, f"OPS-{900 + number}").key

    return VendorChanges(
        clock=clock, add=add, edit=edit, answer=answer, delete=site.delete_ticket, move=move
    )
