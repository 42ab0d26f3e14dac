"""Let Rove say which items of your accounts a text names."""

import asyncio
from typing import Annotated

from attrs import frozen

from rove_core import Operation, Project, hookimpl


@frozen
class Mention:
    """An item that a text names.

    Attributes:
        account: The account that can read it.
        id: How its source names it.
        title: Its title.
    """

    account: str
    id: str
    title: str


async def mentions(
    rove: Project,
    *,
    text: Annotated[str, "Anybody's text: a commit message, a mail."],
    limit: Annotated[int, "How many items at most."] = 10,
) -> tuple[Mention, ...]:
    """Name the items that a text mentions."""
    refs = rove.accounts.recognise(text)[:limit]
    items = await asyncio.gather(*(rove.accounts.item_detail(ref) for ref in refs))
    return tuple(Mention(item.account, item.ref.id, item.title) for item in items)


def _show(found: tuple[Mention, ...]) -> str:
    return "\n".join(f"{each.account}  {each.id}  {each.title}" for each in found)


@hookimpl
def rove_operations() -> tuple[Operation, ...]:
    """Bring one operation."""
    return (Operation(mentions, show=_show),)
