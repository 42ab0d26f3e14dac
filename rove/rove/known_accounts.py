"""The accounts that a command may name."""

from typing import TYPE_CHECKING

from rove_core.auth.accounts import AccountRecord

if TYPE_CHECKING:
    from rove_core.project.local import LocalProject


def project_accounts(rove: "LocalProject") -> tuple[AccountRecord, ...]:
    """Return the user's accounts, and those that only this project names: a folder needs none."""
    records = rove.book.accounts()
    names = {record.name for record in records}
    unrecorded = [name for name in rove.settings.sources.use if name not in names]
    return (
        *records,
        *(AccountRecord(name=name, kind=name.partition(":")[0]) for name in unrecorded),
    )
