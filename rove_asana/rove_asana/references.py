"""Recognise task ids and addresses of a workspace in text."""

import re
from collections.abc import Iterator
from typing import Final

from attrs import frozen

from rove_core import ItemRef, ticket_ids

HOST: Final = "app.asana.com"

#: A task's page with its workspace, as Asana has it now, and without, as it was before 2025.
_PAGE: Final = re.compile(
    rf"\bhttps?://{re.escape(HOST)}/"
    r"(?:1/(?P<workspace>[0-9]{1,20})/(?:[a-z_]{1,20}/[0-9]{1,20}/){0,2}task/(?P<task>[0-9]{4,20})"
    r"|0/(?:(?:home|inbox|search)/)?[0-9]{1,20}/(?P<old>[0-9]{4,20}))(?![0-9])"
)
_ADDRESS: Final = re.compile(r"\bhttps?://\S+")
CUSTOM_ID: Final = re.compile(r"[A-Z][A-Z0-9_]*-[0-9]+")


@frozen
class AsanaReferences:
    """Recognises the tasks of one account.

    Attributes:
        account: The account's name.
        workspace: The id of its workspace; empty while it is not known.
        prefixes: What the ids begin with that custom fields number; none while not known.
    """

    account: str
    workspace: str = ""
    prefixes: tuple[str, ...] = ()

    def ref(self, gid: str) -> ItemRef:
        """Return where a task is, by its id."""
        is_own = self.workspace and not CUSTOM_ID.fullmatch(gid)
        url = f"https://{HOST}/1/{self.workspace}/task/{gid}" if is_own else ""
        return ItemRef(account=self.account, kind="task", id=gid, url=url)

    def found(self, text: str) -> list[ItemRef]:
        """Return the tasks that a text names: by address, and by custom id."""
        words = _ADDRESS.sub(" ", text) if "://" in text else text
        named = ticket_ids(words, self.prefixes) if self.prefixes else ()
        return list(dict.fromkeys([*self.pages(text), *map(self.ref, named)]))

    def pages(self, text: str) -> Iterator[ItemRef]:
        """Yield the tasks whose addresses a text contains, except other workspaces'."""
        for page in _PAGE.finditer(text) if HOST in text else ():
            if page["workspace"] in (None, self.workspace):
                yield self.ref(page["task"] or page["old"])
