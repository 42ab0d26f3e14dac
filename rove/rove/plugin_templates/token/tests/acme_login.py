"""How the Acme in the box lets people in: by a token."""

from collections.abc import Mapping
from typing import Any

from rove_core.testing import SeenRequest, ServerReply

TOKEN = "open-sesame"


class Logins:
    """Knows one token."""

    def answer(self, seen: SeenRequest) -> ServerReply | None:
        """Return the reply to a request about logins: there are none."""
        return None

    def lets_in(self, authorization: str) -> bool:
        """Return whether a request may pass."""
        return authorization == f"Bearer {TOKEN}"

    def answers(self) -> Mapping[str, Any]:
        """Return what a person answers when logging in."""
        return {"answers": {"token": TOKEN}}
