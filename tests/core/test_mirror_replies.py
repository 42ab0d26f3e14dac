"""What an update of a mirror receives is stored in the mirror alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from attrs import define, field
from tests.core.mirrored import Wiki
from tests.core.test_mirror import mirror_of, updated

from rove_core import ContextItem, ItemRef, ListedChange, ListScope, hookimpl
from rove_core.http.call_time import current_patience
from rove_core.mirror.update_limits import FOR_A_BUILD, IN_BACKGROUND, UpdateLimits


@define(eq=False)
class WatchedWiki(Wiki):
    """A wiki that notes whether the replies to a call may be stored."""

    keeps: dict[str, bool] = field(factory=dict)

    @hookimpl
    async def rove_list(self, scope: ListScope) -> AsyncIterator[ListedChange]:
        """List as the wiki does."""
        self._note("list")
        async for change in Wiki.rove_list(self, scope):
            yield change

    @hookimpl
    async def rove_item_detail(self, ref: ItemRef) -> ContextItem:
        """Read as the wiki does."""
        self._note("detail")
        return await Wiki.rove_item_detail(self, ref)

    def _note(self, call: str) -> None:
        patience = current_patience()
        self.keeps[call] = patience is None or patience.keeps_replies


@pytest.mark.parametrize("limits", [IN_BACKGROUND, FOR_A_BUILD])
def test_an_update_keeps_no_replies(tmp_path: Path, limits: UpdateLimits) -> None:
    """Neither of listings nor of items: else dropping the mirror would leave them in the cache."""
    wiki = WatchedWiki(whole=False)
    wiki.write("DOC-1", "tokens expire")
    mirror = mirror_of(tmp_path, "DOC")
    updated(mirror, wiki, limits)
    updated(mirror, wiki, IN_BACKGROUND)

    assert wiki.keeps == {"list": False, "detail": False}
