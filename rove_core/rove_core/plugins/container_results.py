"""The containers that a source returns."""

from collections.abc import Collection, Sequence
from typing import Self

from attrs import frozen

from rove_core.errors import PluginFailed
from rove_core.listing import Container
from rove_core.plugins.limits import MOST_CONTAINERS
from rove_core.safety.sanitise import harmless_container


@frozen
class ReadableContainers:
    """Those of some containers that an account can read.

    Attributes:
        containers: The containers.
        total: How many containers the account can read; 0 if that was not queried.
    """

    containers: Sequence[Container]
    total: int = 0

    @classmethod
    def of(cls, found: Sequence[Container], names: Collection[str]) -> Self:
        """Return those of all readable containers that have one of some names."""
        return cls([each for each in found if each.name in names], len(found))


def harmless_containers(
    account: str, found: Sequence[Container], names: Collection[str] | None, *, key: bytes
) -> Sequence[Container]:
    """Return containers without secrets and hidden characters in their titles.

    Args:
        account: Their account.
        found: What its source returned.
        names: The names of those to return; all if None.
        key: The key for the marks of secrets.

    Raises:
        PluginFailed: There are too many. Without the last ones, it would seem that these cannot be
            read, and their copies would be removed.
    """
    if len(found) > MOST_CONTAINERS:
        message = f"{account}: its source gave more than {MOST_CONTAINERS} containers"
        raise PluginFailed(message, account=account)
    chosen = None if names is None else {*names}
    return [
        harmless_container(each, key=key) for each in found if chosen is None or each.name in chosen
    ]
