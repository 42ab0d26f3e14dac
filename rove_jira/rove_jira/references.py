"""Recognise ticket ids and addresses of a site in text."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import define, field

from rove_core import ticket_ids

#: Where the address of a page names the ticket it shows.
_SHOWN: Final = re.compile(
    r"(?:/(?:browse|issues|issue)/|/custom/\d+/|[?&]selectedIssue=)([A-Z][A-Z0-9_]+-[0-9]+)(?![\w-])",
    re.ASCII,
)


@define
class JiraReferences:
    """Finds the keys of an account's tickets.

    Attributes:
        hosts: Where its pages are.
        prefixes: What the keys begin with, as far as is known.
    """

    hosts: Sequence[str]
    prefixes: Sequence[str]
    _page: re.Pattern[str] = field(init=False)

    @_page.default
    def _own_pages(self) -> re.Pattern[str]:
        hosts = "|".join(map(re.escape, self.hosts))
        return re.compile(rf"https?://(?:{hosts})(?=/)([^\s<>|\"]*)", re.IGNORECASE)

    def learn(self, key: str) -> None:
        """Know the project of a ticket that was read: it may be younger than the login."""
        prefix = key.rpartition("-")[0]
        if self.prefixes and prefix and prefix not in self.prefixes:
            self.prefixes = (*self.prefixes, prefix)

    def keys(self, text: str) -> Sequence[str]:
        """Return the keys that a text names, each once: by its pages, by themselves."""
        return [*dict.fromkeys([*self._keys_in_addresses(text), *ticket_ids(text, self.prefixes)])]

    def _keys_in_addresses(self, text: str) -> Iterator[str]:
        for page in self._page.finditer(text) if "://" in text else ():
            yield from _SHOWN.findall(page[1])
