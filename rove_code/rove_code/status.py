"""Status of stored repositories."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from rove_code.answer import VersionStatus
from rove_code.model import UnreadFile, Version
from rove_code.parsing import language_of
from rove_code.store import CodeStore


def version_status(version: Version, store: CodeStore) -> VersionStatus:
    """Return the status of a version."""
    keys = {file.path: (file.blob, language_of(file.path)) for file in version.files}
    found = store.find(set(keys.values()))
    rows = {path: found.get(key) for path, key in keys.items()}
    skipped = [UnreadFile(path, row.skipped) for path, row in rows.items() if row and row.skipped]
    read = [file for file in version.files if not ((row := rows[file.path]) and row.skipped)]
    return VersionStatus(
        version.repository,
        version.name,
        version.commit,
        len(read),
        sum(row is None for row in rows.values()),
        sum(file.size for file in read),
        dict(Counter(language_of(file.path) for file in read).most_common()),
        (*version.skipped, *skipped),
    )


def stored_size(folder: Path, name: str) -> tuple[int, datetime | None]:
    """Return the size of stored files by name, and when they last changed."""
    found = [*folder.glob(f"{name}.*"), *folder.glob(f"{name}/*")]
    stats = [file.stat() for file in found if file.is_file()]
    latest = max((each.st_mtime for each in stats), default=None)
    changed_at = None if latest is None else datetime.fromtimestamp(latest, UTC)
    return sum(each.st_size for each in stats), changed_at
