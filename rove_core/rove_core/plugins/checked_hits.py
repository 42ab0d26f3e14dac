"""Search hits that were validated and sanitised before: several searches find the same."""

from typing import Final

from attrs import define, field, frozen

from rove_core.items import ContextItem, ItemRef
from rove_core.plugins.watchdog import step
from rove_core.safety.secret import live_secrets

#: More hits than one build finds.
_MOST: Final = 1_024


@frozen(eq=False)
class _CheckedHit:
    """A hit as its source gave it, and its harmless form.

    Attributes:
        given: As the source gave it.
        harmless: Without secrets, hidden characters and links elsewhere.
        secrets: The logins of that time; the text must be searched again for a later one.
    """

    given: ContextItem
    harmless: ContextItem
    secrets: tuple[str, ...]


@define(eq=False)
class CheckedHits:
    """The latest hits that were checked, by their reference."""

    _known: dict[ItemRef, _CheckedHit] = field(factory=dict, init=False)

    def get(self, account: str, hook: str, given: object) -> ContextItem | None:
        """Return the harmless form of a hit if exactly this one was checked before.

        Args:
            account: The account whose source gave it.
            hook: The hook that gave it.
            given: What it gave.
        """
        if type(given) is not ContextItem:
            return None
        with step(account, hook):  # What a source gave may run code of its own.
            try:
                known = self._known.get(given.ref)
                if known is None or account != given.ref.account or known.given != given:
                    return None
            except Exception:  # noqa: BLE001  # the validation says what is wrong with it
                return None
        return known.harmless if known.secrets == tuple(live_secrets()) else None

    def keep(self, given: ContextItem, harmless: ContextItem) -> None:
        """Keep the harmless form of a hit that was validated and not cut."""
        self._known.pop(given.ref, None)
        self._known[given.ref] = _CheckedHit(given, harmless, tuple(live_secrets()))
        if len(self._known) > _MOST:
            del self._known[next(iter(self._known))]
