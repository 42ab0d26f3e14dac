"""The same from code that is not async."""

import sys
from pathlib import Path

from rove_core import Event, LoginNeeded, open_project, run


def on_event(event: Event) -> None:
    """Say how far the work is."""
    print(event.stage, event.account, event.note, file=sys.stderr)


async def document(ticket: str) -> Path:
    """Return the path of a ticket's document."""
    async with open_project(on_event=on_event) as rove:
        # Not to wait for a limit: what cannot be asked now is left for a refresh.
        return (await rove.build(ticket, wait=False)).document.path


try:
    print(run(document("TB-456")).name)
except LoginNeeded as error:
    print(f"{error.message} {error.hint}")
