"""Notes for the reader of a document about what its build could not search or read."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC
from typing import Final

from rove_core.build.compose.outline import ConsultedSource
from rove_core.build.gather.fetches import Fetches
from rove_core.mirror.mirrors import Mirrors
from rove_core.mirror.source_copy import SourceCopy
from rove_core.tasks.runner import ReportProgress

_FEWER_WORDS: Final = "{title} was searched with fewer words than usual: its limit was reached."
_DAMAGED: Final = "its copy is damaged, so the account is searched: rove mirror status"
_UNREAD: Final = "Not in the local copies, and not read: {names}."
#: Maximum items that a note names; it counts the rest.
_MOST_NAMES: Final = 10


async def report_outdated(mirrors: Mirrors, report: ReportProgress) -> None:
    """Report damaged copies, and the accounts that were not reached with the age of theirs."""
    for account in mirrors.damaged:
        await report("copy", account=account, note=_DAMAGED)
    for account in mirrors.usable:
        if note := _outdated_note(mirrors.copy_of(account)):
            await report("copy", account=account, note=note)


def outdated_notes(rows: Iterable[ConsultedSource]) -> Sequence[str]:
    """Return the same of the sources of a document."""
    notes = ((each.account, _outdated_note(each.copy)) for each in rows)
    return [f"{account} {note}" for account, note in notes if note]


def _outdated_note(copy: SourceCopy | None) -> str:
    if copy is None or not copy.is_outdated:
        return ""
    return f"{copy.why_outdated}; from the copy of {copy.at.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def fetch_notes(fetches: Fetches, title: Callable[[str], str]) -> tuple[str, ...]:
    """Return a note for each account with too low a limit, and one for all unread items.

    Args:
        fetches: What the build asked its accounts for.
        title: Returns the title of an account.
    """
    limited = sorted(map(title, fetches.partial))
    notes = [_FEWER_WORDS.format(title=each) for each in limited]
    if refs := sorted({(title(ref.account), ref.id) for ref in fetches.unread_beyond}):
        groups: dict[str, list[str]] = {}
        for name, item in refs[:_MOST_NAMES]:
            groups.setdefault(name, []).append(item)
        names = "; ".join(f"{name} {', '.join(items)}" for name, items in groups.items())
        rest = f", {len(refs) - _MOST_NAMES} more" if len(refs) > _MOST_NAMES else ""
        notes.append(_UNREAD.format(names=names + rest))
    return tuple(notes)
