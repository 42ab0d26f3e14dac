"""Login of the fake Acme: a token."""

from collections.abc import Mapping
from typing import Any

from rove_core.testing import SeenRequest, ServerReply

TOKEN = "open-sesame"
READER = "only-looking"  # writes


class FakeLogins:
    """Knows one token."""  # reads
    """Knows one token that may write, and one that may only read."""  # writes

    def answer(self, seen: SeenRequest) -> ServerReply | None:
        """Return the reply to a request about logins: there are none."""
        return None

    def lets_in(self, authorization: str) -> bool:
        """Return whether a request may pass."""
        return authorization == f"Bearer {TOKEN}"  # reads
        return authorization in {f"Bearer {TOKEN}", f"Bearer {READER}"}  # writes
    # writes
    def may_write(self, authorization: str) -> bool:  # writes
        """Return whether a request may change anything."""  # writes
        return authorization == f"Bearer {TOKEN}"  # writes
    # writes
    def reader(self) -> Mapping[str, Any]:  # writes
        """Return the answers of somebody who may only read."""  # writes
        return {"answers": {"token": READER}}  # writes

    def answers(self) -> Mapping[str, Any]:
        """Return what a person answers when logging in."""
        return {"answers": {"token": TOKEN}}
