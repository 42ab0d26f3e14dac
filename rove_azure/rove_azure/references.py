"""Recognise work item ids and addresses of an organization in text."""

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

from attrs import frozen

from rove_azure.settings import CLOUD
from rove_core import ItemNotFound, ItemRef

#: Where the address of a page names the work item it shows.
_SHOWN: Final = re.compile(
    r"(?:/_workitems/edit/|/_apis/wit/workitems/|[?&](?:workitem|id)=)([1-9][0-9]{0,9})(?![\w-])",
    re.IGNORECASE | re.ASCII,
)
#: How other tools name a work item.
_NAMED: Final = re.compile(
    r"(?<![A-Za-z0-9#/])AB#([1-9][0-9]{0,9})(?![A-Za-z0-9-]|_+[A-Za-z0-9])",
    re.ASCII | re.IGNORECASE,
)
#: How work items name each other.
_NUMBERED: Final = re.compile(
    r"(?<![A-Za-z0-9#&/])#([1-9][0-9]{0,9})(?![A-Za-z0-9-]|_+[A-Za-z0-9])", re.ASCII
)
_ID: Final = re.compile(r"(?:AB#|#)?([1-9][0-9]{0,9})", re.ASCII | re.IGNORECASE)
_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_OLD: Final = ".visualstudio.com"


@frozen(slots=False)
class AzureReferences:
    """Recognises the work items of one account.

    Attributes:
        account: The account's name.
        site: Where people see the organization.
    """

    account: str
    site: str

    def ref(self, number: int | str) -> ItemRef:
        """Return where a work item is; its page is found without its project, which may change."""
        url = f"{self.site}/_workitems/edit/{number}"
        return ItemRef(account=self.account, kind="ticket", id=str(number), url=url)

    def found(self, text: str, origin: ItemRef | None) -> list[ItemRef]:
        """Return the work items that a text names: by address, as ``AB#12``, among its own ``#12``.

        Args:
            text: Anybody's text.
            origin: The item it stands in.
        """
        words = _ADDRESS.sub(" ", text) if "://" in text else text
        found = [*self._pages(text), *_NAMED.findall(words)]
        if origin is not None and origin.account == self.account:
            found += _NUMBERED.findall(words)
        return [self.ref(number) for number in dict.fromkeys(found)]

    def _pages(self, text: str) -> Iterator[str]:
        """Yield the numbers of work items whose addresses a text contains."""
        for page in self._page.finditer(text) if "://" in text else ():
            if shown := _SHOWN.search(page[1]):
                yield shown[1]

    @cached_property
    def _page(self) -> re.Pattern[str]:
        places = "|".join(re.escape(each) for each in places_of(self.site))
        return re.compile(rf"https?://(?:{places})(/[^\s<>|\"]*)", re.IGNORECASE)


def places_of(site: str) -> list[str]:
    """Return where an organization is seen, without schemes: Microsoft's have an older address."""
    parts = urlsplit(site)
    path = parts.path.rstrip("/")
    places = [f"{parts.netloc}{path}"]
    if parts.netloc.lower() == CLOUD:
        places.append(f"{path.strip('/')}{_OLD}")
    return places


def number_of(ref: ItemRef) -> int:
    """Return the number of a work item, however it is named.

    Raises:
        ItemNotFound: It names none.
    """
    found = _ID.fullmatch(ref.id)
    if found is None:
        raise ItemNotFound(f"{ref.id!r} is not a number of a work item, like 123")
    return int(found[1])
