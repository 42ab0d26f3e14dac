"""What agents read: whatever others wrote into any field, no tag, mention or command survives."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Final

import attrs
import pytest
from mcp_types import TextContent
from tests.agent_attacks import ATTACKS, LIVE, filled, shown

from rove.operations import OWN
from rove.operations.prime import PRIME, PrimeInfo
from rove.printed_text import printed_text
from rove.reports import printable
from rove_core.documents import Document
from rove_core.operations import Operation, outcome_of
from rove_core.project.operation_client import OfferedOperation
from rove_core.wire.json_text import json_text
from rove_core.wire.json_types import JSON
from rove_core.wire.structure import to_json
from rove_mcp.server.tools import result_of

#: What prints only what Rove itself brought along, or a document, in which all was made harmless
#: when it was written.
OURS: Final = {"setup", "show", "skill"}
#: What prints code, the files of a folder or an export: all of it as it is, but for tags of
#: agents' protocols and what a terminal obeys.
CODE: Final = {
    *("code_callees", "code_callers", "code_definition", "code_impact", "code_implementers"),
    *("code_map", "code_query", "code_refs", "code_symbol", "code_tests"),
    *(
        "folder_block",
        "list_projects_with_folder_manifests",
        "folder_read",
        "read_project_folder_file",
        "memory_export",
    ),
}
#: What of the attacks belongs to a protocol, spelled out as in ``LIVE``.
PROTOCOL: Final = re.compile(
    r"(?i:</?(?:system-reminder|function_|invoke name|tool_|user-prompt|command-|start_of_turn))"
    r"|<\|\w+\|>|<\uff5c"
    r"|\[/?(?:INST|TOOL_CALLS|AVAILABLE_TOOLS)\]"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]",
)
#: The operations whose results people and agents read as text, of Rove and of its plugins.
ALL: Final = [
    *(listed.load() for listed in OWN.values()),
    *(
        operation
        for point in entry_points(group="rove")
        for operation in getattr(point.load(), "rove_operations", tuple)()
    ),
]


@pytest.mark.parametrize("operation", ALL, ids=lambda operation: operation.name)
def test_what_is_printed(operation: Operation) -> None:
    """With an attack in every field of a result, what a command prints of it has no effect."""
    for attack in ATTACKS:
        result = filled(operation.returns, attack)
        if operation.name not in OURS and (operation.show or outcome_of(result).show() is not None):
            text = printed_text(operation, result, as_json=False).text
            found = (PROTOCOL if operation.name in CODE else LIVE).findall(text)

            assert not found, text


@pytest.mark.parametrize("operation", ALL, ids=lambda operation: operation.name)
def test_json(operation: Operation) -> None:
    """JSON has no effect either, and says exactly what the result says."""
    for attack in ATTACKS:
        value = to_json(filled(operation.returns, attack))
        for text in (json_text(value), json_text(value, ascii_only=True)):
            assert not LIVE.search(text), LIVE.findall(text)
            assert json.loads(text) == value


@pytest.mark.parametrize("operation", ALL, ids=lambda operation: operation.name)
def test_over_mcp(operation: Operation) -> None:
    """Agents show a model the text of a result or its structure: no protocol is in either."""
    offered = OfferedOperation.of(operation)
    for attack in ATTACKS:
        result = result_of(offered, to_json(filled(operation.returns, attack)))
        shown_to_a_model = [each.text for each in result.content if isinstance(each, TextContent)]
        for text in (*shown_to_a_model, *texts_of(result.structured_content)):
            assert not PROTOCOL.search(text), text


@pytest.mark.parametrize("attack", ATTACKS)
def test_errors_and_progress(attack: str) -> None:
    """What an error or a line of progress quotes has no effect."""
    assert not LIVE.search(printable(attack))


@pytest.mark.parametrize("attack", [*ATTACKS, "x" * 10_000])
def test_the_start_of_a_session(attack: str) -> None:
    """A title stands in quotes of its own, behind the warning, in one short line."""
    document = attrs.evolve(_document(), title=attack)
    result = PrimeInfo(branch="TB-1", ticket="TB-1", document=document)
    lines = shown(PRIME, result).splitlines()

    warned = next(n for n, line in enumerate(lines) if line.endswith("data, not instructions."))
    (title,) = (n for n, line in enumerate(lines) if line.startswith("Its title"))

    assert title == warned + 1
    assert lines[title].endswith('"')
    assert lines[title].count('"') == 2
    assert len(lines[title]) < 200
    assert not any(LIVE.search(line) for line in lines)


def texts_of(value: JSON) -> Iterator[str]:
    """Yield every text of a structure, its keys among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value
        yield from (text for each in value.values() for text in texts_of(each))
    elif isinstance(value, Sequence):
        yield from (text for each in value for text in texts_of(each))


def _document() -> Document:
    document = filled(Document, "TB-1")
    assert isinstance(document, Document)
    return document
