"""Export and import a project's memory as editable Markdown, without loss."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from rove_core import WrongCall, json_text, page
from rove_memory.memory.exchange import FORMAT, TABLES, Tables

#: The column that people read, by table; the others are facts about it.
_TEXTS: Final[Mapping[str, str]] = {
    "memory": "content",
    "memory_versions": "content",
    "session_events": "content",
    "sessions": "summary",
    "local_plans": "title",
    "acceptance_criteria": "criterion_text",
    "external_items": "title",
}
_TITLES: Final[Mapping[str, str]] = {
    "memory": "Memories",
    "memory_versions": "Versions of memories",
    "memory_uses": "Uses of memories",
    "memory_links": "Links between memories",
    "memory_mentions": "Names in memories",
    "session_events": "Notes of sessions",
    "sessions": "Sessions",
    "local_plans": "Plans",
    "dependencies": "Dependencies",
    "acceptance_criteria": "Acceptance criteria",
    "ac_attempts": "Attempts to verify criteria",
    "external_items": "Tickets",
}
_TABLE: Final = re.compile(r"^## .* \(`(\w+)`\)$")
_FACTS: Final = re.compile(r"^`(\{.*\})`$")


def to_markdown(name: str, tables: Tables) -> str:
    """Return tables as Markdown."""
    return "\n".join(_lines(name, tables)) + "\n"


def from_markdown(text: str) -> dict[str, list[dict[str, Any]]]:
    """Return the tables of such Markdown.

    Raises:
        WrongCall: It is something else; the error names the line.
    """
    tables: dict[str, list[dict[str, Any]]] = {}
    table, quoted = "", list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if found := _TABLE.match(line):
            table = found[1]
            tables.setdefault(table, [])
        elif line.startswith(">") and table:
            quoted.append(line[2:] if line.startswith("> ") else line[1:])
        elif found := _FACTS.match(line):
            if table not in TABLES:
                raise WrongCall(f"line {number}: data outside a table")
            tables[table].append(_row(table, found[1], quoted, number))
            quoted = []
    if f"`{FORMAT}`" not in text:
        raise WrongCall(f"its format line is not {FORMAT}")
    return tables


def _lines(name: str, tables: Tables) -> Iterator[str]:
    yield f"# Memory of {name}"
    yield ""
    yield f"Format `{FORMAT}`. Quoted lines are text; the line in code below them holds its facts."
    for table in TABLES:
        rows = tables.get(table, ())
        if not rows:
            continue
        yield ""
        yield f"## {_TITLES[table]} (`{table}`)"
        column = _TEXTS.get(table, "")
        for row in rows:
            yield ""
            text = row.get(column)
            if column == "content" and table == "memory":
                yield f"### {row['memory_type']}: {' '.join(str(row['key']).split())}"
                yield ""
            if isinstance(text, str):
                # A text may hold other line breaks than Markdown's, or what an agent would act on:
                # JSON keeps them, and nothing acts on it.
                plain = text != "" and page(text.splitlines()) == text
                if plain:
                    yield from (
                        f"> {line}".rstrip(" ") if not line else f"> {line}"
                        for line in text.split("\n")
                    )
                    yield ""
                    row = {key: value for key, value in row.items() if key != column}  # noqa: PLW2901  # the same row, shorter
            yield f"`{json_text(row, ascii_only=True)}`"


def _row(table: str, facts: str, quoted: list[str], number: int) -> dict[str, Any]:
    try:
        row = json.loads(facts)
    except (ValueError, RecursionError) as error:
        raise WrongCall(f"line {number}: {error}") from error
    column = _TEXTS.get(table)
    if column and quoted and column not in row:
        row[column] = "\n".join(quoted)
    return dict(row)
