"""Which containers of a listing can still be read."""

from collections.abc import Awaitable, Callable, Collection, Sequence

from rove_core.errors import ItemNotFound
from rove_core.listing.changes import Container, ListScope


async def readable_names(
    scope: ListScope, containers: Callable[[], Awaitable[Sequence[Container]]]
) -> list[str]:
    """Return the names of the containers that can be read now.

    Args:
        scope: The scope of the listing. Its ``readable`` takes precedence, because it requests the
            containers only once for all listings of an update.
        containers: Requests the containers.
    """
    return [each.name for each in await (scope.readable or containers)()]


def check_readable(scope: ListScope, readable: Collection[str], *, kind: str) -> None:
    """Check that every container of a scope can be read.

    Args:
        scope: The scope of the listing.
        readable: The names of the containers that can be read.
        kind: What the vendor calls a container, like ``project``.

    Raises:
        ItemNotFound: The first container that cannot be read.
    """
    for name in scope.containers:
        if name not in readable:
            raise ItemNotFound(f"{kind} {name}: not found, or not visible to this account")
