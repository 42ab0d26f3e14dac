"""Random changes of a workspace of Slack."""

from tests.changes import VendorChanges

from rove_core.testing import VirtualClock
from rove_sim.slack import Slack

_CHANNEL = "backend-team"


def channel_changes(workspace: Slack, clock: VirtualClock) -> VendorChanges:
    """Return what changes the threads of a channel."""

    def ts(name: str) -> str:
        return name.rpartition("/")[2]

    def add(_: int, words: str) -> str:
        return f"C0BACKEND/{workspace.post(_CHANNEL, 'mike', words)}"

    def edit(name: str, words: str) -> None:
        workspace.edit(_CHANNEL, ts(name), words)

    def answer(name: str, words: str) -> None:
        workspace.post(_CHANNEL, "mike", words, thread=ts(name))

    def delete(name: str) -> None:
        workspace.delete(_CHANNEL, ts(name))

    return VendorChanges(clock=clock, add=add, edit=edit, answer=answer, delete=delete)
