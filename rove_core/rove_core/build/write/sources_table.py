"""The table of sources at the end of a document: what was found, and how current that is."""

from collections.abc import Iterator, Sequence
from datetime import UTC
from typing import Final

from rove_core.build.compose.outline import ConsultedSource
from rove_core.build.write.lines import line
from rove_core.build.write.merge import KeyedBlock
from rove_core.mirror.source_copy import SourceCopy

_HEAD: Final = "| Source | Items Found | Last Updated |\n|--------|-------------|--------------|"


def sources_table(consulted: Sequence[ConsultedSource]) -> Iterator[KeyedBlock]:
    """Yield the head of the table and a row for each source."""
    yield KeyedBlock("table", _HEAD)
    yield from map(table_row, consulted)


def table_row(row: ConsultedSource) -> KeyedBlock:
    """Return the row of a source in the table."""
    updated = f"{row.updated.astimezone(UTC):%Y-%m-%d}" if row.updated else ""
    updated = _copy_text(row.copy) if row.copy else updated
    failed = f"failed: {line(row.failure)}" if row.failure else ""
    last = "; ".join(filter(None, (updated, failed)))
    return KeyedBlock(f"table:{row.account}", f"| {line(row.title, 60)} | {row.found} | {last} |")


def _copy_text(copy: SourceCopy) -> str:
    at = copy.at.astimezone(UTC)
    why = f"{copy.why_outdated}, " if copy.is_outdated else ""
    text = f"{at:%Y-%m-%d}, {why}local copy of {at:%H:%M} UTC"
    text += f" of {line(copy.coverage, 60)}" if copy.coverage else ""
    return text + (f" without {line(copy.unlisted, 60)}" if copy.unlisted else "")
