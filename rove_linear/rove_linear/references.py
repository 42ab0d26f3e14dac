"""Recognise issue ids and addresses of a workspace in text."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from attrs import frozen

from rove_core import ItemRef, ticket_ids

HOST: Final = "linear.app"

_PAGE: Final = re.compile(
    rf"\bhttps?://{re.escape(HOST)}/([\w-]+)/issue/([A-Za-z][A-Za-z0-9_]*-[0-9]+)\b"
)
#: The kinds that have a page of their own; an address ends with what leads there.
WIKI_KINDS: Final = ("document", "project", "initiative")
_WIKI_PAGE: Final = re.compile(
    rf"\bhttps?://{re.escape(HOST)}/([\w-]+)/({'|'.join(WIKI_KINDS)})"
    r"/(?:[a-z0-9-]*-)?([0-9a-f]{11,12})(?![\w-])"
)
_ADDRESS: Final = re.compile(r"\bhttps?://\S+")


@frozen(slots=False)
class LinearReferences:
    """Recognises the issues of one account.

    Attributes:
        account: The account's name.
        workspace: Its part of Linear's host; empty while it is not known.
        prefixes: What its identifiers begin with; none while they are not known.
    """

    account: str
    workspace: str = ""
    prefixes: tuple[str, ...] = ()

    def ref(self, identifier: str, url: str = "") -> ItemRef:
        """Return where an issue is, without its title in the address: titles change."""
        if self.workspace:
            url = f"https://{HOST}/{self.workspace}/issue/{identifier}"
        return ItemRef(account=self.account, kind="ticket", id=identifier, url=url)

    def wiki_ref(self, kind: str, slug: str, url: str = "") -> ItemRef:
        """Return where a document, a project or an initiative is."""
        if not self._is_page(url) and self.workspace:
            url = f"https://{HOST}/{self.workspace}/{kind}/{slug}"
        return ItemRef(account=self.account, kind=kind, id=f"{kind}/{slug}", url=url)

    def _is_page(self, url: str) -> bool:
        found = _WIKI_PAGE.fullmatch(url)
        return found is not None and found[1].lower() == self.workspace.lower()

    def found(self, text: str) -> list[ItemRef]:
        """Return the issues that a text names: by address, by identifier, as a branch."""
        words = _ADDRESS.sub(" ", text) if "://" in text else text
        named = (*ticket_ids(words, self.prefixes), *self._branches(words))
        return list(dict.fromkeys([*self.pages(text), *map(self.ref, named)]))

    def pages(self, text: str) -> Iterator[ItemRef]:
        """Yield the issues whose addresses in this workspace a text contains."""
        for workspace, identifier in _PAGE.findall(text) if "://" in text else ():
            if workspace.lower() == self.workspace.lower():
                yield self.ref(identifier.upper())
        for page in _WIKI_PAGE.finditer(text) if "://" in text else ():
            if page[1].lower() == self.workspace.lower():
                yield self.wiki_ref(page[2], page[3], page[0])

    def _branches(self, words: str) -> Iterator[str]:
        """Yield the identifiers of branches as Linear names them: ``ann/tb-123-rotate-keys``."""
        if self.prefixes:
            yield from (found[0].upper() for found in self._branch.finditer(words))

    @cached_property
    def _branch(self) -> re.Pattern[str]:
        prefix = "|".join(map(re.escape, self.prefixes))
        return re.compile(rf"(?:\A|(?<=[\w.-]/))(?i:{prefix})-[0-9]+(?=-\w)")
