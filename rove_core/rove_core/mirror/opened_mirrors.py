"""The mirrors that a build has opened: what it stored of dropped ones is erased at its end."""

import asyncio
import logging
from pathlib import Path
from typing import Final

from attrs import define, field

from rove_core.errors import RoveError
from rove_core.mirror.mirrors import Mirrors, OpenMirrors
from rove_core.store.account_removal import forget_unquoted

_LOG: Final = logging.getLogger("rove.mirror")


@define(eq=False)
class OpenedMirrors:
    """Opens mirrors for the passes of one build, and remembers them."""

    _open: OpenMirrors
    _opened: list[Mirrors] = field(factory=list, init=False)

    async def __call__(self, *, update: bool = True, refresh: bool = False) -> Mirrors:
        """Return the mirrors, updated as far as that is quick."""
        mirrors = await self._open(update=update, refresh=refresh)
        self._opened.append(mirrors)
        return mirrors

    @property
    def damaged(self) -> frozenset[str]:
        """The accounts in whose opened mirrors a damaged place was found."""
        opened = (usable for each in self._opened for usable in each.usable.values())
        return frozenset(each.mirror.account for each in opened if each.mirror.is_damaged)

    async def forget_dropped(self, index: Path) -> None:
        """Erase from a project's index what no document quotes of mirrors dropped meanwhile.

        Whoever dropped one erased what was stored by then.
        """
        await asyncio.to_thread(self._forget_dropped, index)

    def _forget_dropped(self, index: Path) -> None:
        for account in sorted({name for each in self._opened for name in each.dropped}):
            try:
                forget_unquoted(index, account)
            except (OSError, RoveError) as error:
                _LOG.warning("texts of %s may still be in %s: %s", account, index, error)
