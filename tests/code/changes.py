"""Random changes of a repository's history."""

from itertools import count

from tests.changes import VendorChanges
from tests.code.developer import Developer

from rove_code.repository_facts import short
from rove_core.testing import VirtualClock


def history_changes(developer: Developer, clock: VirtualClock) -> VendorChanges:
    """Return what changes the history of a repository."""
    places = count()

    def add(number: int, words: str) -> str:
        developer.write(f"note-{number}-{next(places)}.md", words)
        return short(developer.commit(words))

    def delete(name: str) -> None:
        told = history(developer)
        if name not in told:
            return  # It was written anew, after one before it was deleted.
        names = [*told]
        developer.git("reset", "--quiet", "--hard", f"{name}~1")
        for later in reversed(names[: names.index(name)]):
            add(0, told[later])

    return VendorChanges(clock=clock, add=add, delete=delete)


def history(developer: Developer) -> dict[str, str]:
    """Return the titles of all commits by their ids, the newest first."""
    lines = developer.git("log", "--format=%H %s").splitlines()
    return {short(name): title for name, _, title in (line.partition(" ") for line in lines)}
