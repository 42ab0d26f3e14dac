"""Read one item of an account, and list the references in a text."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Final

from attrs import evolve

from rove_core.auth.login_hints import login_advice
from rove_core.errors import ItemNotFound, ScopeMissing
from rove_core.items import AnyAccount, ContextItem, ItemRef
from rove_core.operations import Operation
from rove_core.safety.text import quote
from rove_core.store.items import read_items
from rove_core.terminal.tables import columns

if TYPE_CHECKING:
    from rove_core.project.project import Project

#: What stands before the name of a file in its id, as ``ItemRef.file`` writes it.
_FILE: Final = "/file/"
#: How many attached files are read at most.
_MOST_FILES: Final = 20
#: How a source that knows no better says that an item is not there.
_ANYBODY = "not visible to this account"


async def sources_item(
    rove: "Project",
    *,
    account: Annotated[str, "An account that this project uses, or its kind."],
    id: Annotated[str, "The item's id or address."],  # noqa: A002  # so it is called on every wire
    kind: Annotated[str | None, "The item's kind (thread), if the id alone is not enough."] = None,
    attachments: Annotated[bool, "Also read the attached files."] = False,
) -> ContextItem:
    """Read one item in full, with its discussion and its links."""
    meant = rove.account(account)
    ref = (
        ItemRef(account=meant.name, kind=kind, id=id) if kind else await _find_item(rove, meant, id)
    )
    item = await _read(rove, meant, ref)
    return await _with_files(rove, meant, item) if attachments else item


async def _read(rove: "Project", meant: AnyAccount, ref: ItemRef) -> ContextItem:
    """Return an item as the plugins that filter items let it pass."""
    with login_advice(meant, rove.plugins.kind(meant.kind)):
        try:
            item = await rove.accounts.item_detail(ref)
        except ItemNotFound as error:
            if _ANYBODY in error.message:
                raise _not_found(meant, ref.id) from error
            raise
    passing = rove.accounts.filter_item(meant.name, item)
    if passing is None:
        raise ItemNotFound(
            f"{meant.name}: {ref.id} is kept back by a plugin that filters items",
            hint="See which plugins there are with: rove --source-plugins",
        )
    return passing


async def _with_files(rove: "Project", account: AnyAccount, item: ContextItem) -> ContextItem:
    """Return an item with the files attached to it behind its discussion.

    A file that cannot be read costs a note.
    """
    refs = [part.ref.file(name) for part in (item, *item.thread) for name in part.facts.attachments]
    found: list[ContextItem] = []
    gaps: list[str] = []
    for ref in [*dict.fromkeys(refs)][:_MOST_FILES]:
        try:
            found.append(await _read(rove, account, ref))
        except (ItemNotFound, ScopeMissing) as error:
            gaps.append(f"file not read: {error.message}")
    if len(refs) > _MOST_FILES:
        gaps.append(f"{len(refs) - _MOST_FILES} more files not read")
    facts = evolve(item.facts, incomplete=(*item.facts.incomplete, *gaps))
    return evolve(item, facts=facts, thread=(*item.thread, *found))


async def sources_recognise(
    rove: "Project",
    *,
    text: Annotated[str, "Anybody's text."],
    account: Annotated[str | None, "Ask only this account."] = None,
) -> tuple[ItemRef, ...]:
    """List the items that a text refers to."""
    accounts = [rove.account(account).name] if account else None
    return tuple(rove.accounts.recognise(text, accounts=accounts))


async def _find_item(rove: "Project", account: AnyAccount, text: str) -> ItemRef:
    """Return the item that an id (in any case) or an address names.

    What Rove has printed is known from the index; anything else is asked for as it stands.
    """
    if _FILE in text and "://" not in text:
        return ItemRef(account=account.name, kind="file", id=text)
    for spelled in (text, text.upper()):
        refs = rove.accounts.recognise(spelled, accounts=[account.name])
        if exact := next((ref for ref in refs if ref.id == spelled), None):
            return exact
        if len(refs) == 1:
            return refs[0]
    as_typed = ItemRef(account=account.name, kind="", id=text)
    stored = await rove.store.read(read_items, [as_typed])
    return stored[0].ref if stored else as_typed


def _not_found(account: AnyAccount, text: str) -> ItemNotFound:
    who = account.identity.name if account.identity else "this account"
    return ItemNotFound(
        f"{account.name}: {text} is not found, or not visible to {who}",
        hint=f"Check the id; what one can read there says: rove sources test {account.name}",
        account=account.name,
    )


def _show_item(item: ContextItem) -> str:
    return "\n".join(_lines(item)).rstrip()


def _lines(item: ContextItem) -> Iterator[str]:
    yield from columns([[f"{item.ref.id}: {item.title}"], [_byline(item)]])
    if item.url:
        yield from columns([[item.url]])
    yield f"\n{quote(item.content)}\n"
    yield from columns([link.relation, link.ref.kind, link.ref.id] for link in item.links)
    for part in item.thread:
        yield from columns([[f"-- {_headline(part)}"]])
        yield f"{quote(part.content)}\n"
    yield from columns([f"Incomplete: {gap}"] for gap in item.facts.incomplete)


def _headline(part: ContextItem) -> str:
    return f"{part.title}, {_byline(part)}" if part.role == "file" else _byline(part)


def _byline(item: ContextItem) -> str:
    return ", ".join(filter(None, (item.author, f"{item.timestamp:%Y-%m-%d %H:%M} UTC")))


def _show_refs(refs: tuple[ItemRef, ...]) -> str:
    return "\n".join(columns((ref.account, ref.kind, ref.id, ref.url) for ref in refs))


ITEM = Operation(sources_item, toolset="sources", command="sources item", show=_show_item)
RECOGNISE = Operation(
    sources_recognise, toolset="sources", command="sources recognise", show=_show_refs
)
