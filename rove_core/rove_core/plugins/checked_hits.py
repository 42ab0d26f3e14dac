"""Cache of validated and sanitised search hits, since several searches find the same ones."""

from typing import Final

from attrs import define, field, frozen

from rove_core.items import ContextItem, ItemRef
from rove_core.plugins.watchdog import step
from rove_core.safety.secret import live_secrets

#: More hits than one build finds.
_MOST: Final = 1_024


@frozen(eq=False)
class _CheckedHit:
    """A hit as its source returned it, and its sanitised form.

    Attributes:
        original: The hit as the source returned it.
        harmless: The hit without secrets, hidden characters and foreign links.
        secrets: The logins at that time; with others, the text must be searched again.
    """

    original: ContextItem
    harmless: ContextItem
    secrets: tuple[str, ...]


@define(eq=False)
class CheckedHits:
    """The latest checked hits, by reference."""

    _hits: dict[ItemRef, _CheckedHit] = field(factory=dict, init=False)

    def get(self, account: str, hook: str, hit: object) -> ContextItem | None:
        """Return the sanitised form of a hit if exactly this one was checked before.

        Args:
            account: The account whose source returned it.
            hook: The hook that returned it.
            hit: The hit.
        """
        if type(hit) is not ContextItem:
            return None
        with step(account, hook):  # The hit may run code of the plugin.
            try:
                entry = self._hits.get(hit.ref)
                if entry is None or account != hit.ref.account or entry.original != hit:
                    return None
            except Exception:  # noqa: BLE001  # the validation says what is wrong with it
                return None
        return entry.harmless if entry.secrets == tuple(live_secrets()) else None

    def keep(self, hit: ContextItem, harmless: ContextItem) -> None:
        """Store the sanitised form of a hit that was validated and not cut."""
        self._hits.pop(hit.ref, None)
        self._hits[hit.ref] = _CheckedHit(hit, harmless, tuple(live_secrets()))
        if len(self._hits) > _MOST:
            del self._hits[next(iter(self._hits))]
