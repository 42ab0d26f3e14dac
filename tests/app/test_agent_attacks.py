"""What agents read: whatever others wrote into any field, no tag, mention or command survives."""

import json
from typing import Final

import attrs
import pytest
from tests.agent_attacks import ATTACKS, LIVE, filled, shown

from rove.operations import OWN
from rove.operations.prime import PRIME, PrimeInfo
from rove.reports import printable
from rove_core.documents import Document
from rove_core.operations import Operation
from rove_core.wire.json_text import json_text
from rove_core.wire.structure import to_json

#: What prints only what Rove itself brought along, or a document, in which all was made harmless
#: when it was written.
OURS: Final = {"setup", "show", "skill"}
#: The operations whose results people and agents read as text.
ALL: Final = [listed.load() for listed in OWN.values()]
PRINTED: Final = [each for each in ALL if each.name not in OURS]


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("operation", PRINTED, ids=lambda operation: operation.name)
def test_what_is_printed(operation: Operation, attack: str) -> None:
    """With an attack in every field of a result, the text of each operation has no effect."""
    text = shown(operation, filled(operation.returns, attack))

    assert not LIVE.search(text), LIVE.findall(text)


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("operation", ALL, ids=lambda operation: operation.name)
def test_json(operation: Operation, attack: str) -> None:
    """JSON has no effect either, and says exactly what the result says."""
    value = to_json(filled(operation.returns, attack))
    for text in (json_text(value), json_text(value, indent=2), json_text(value, ascii_only=True)):
        assert not LIVE.search(text), LIVE.findall(text)
        assert json.loads(text) == value


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

    warned = next(n for n, line in enumerate(lines) if line.endswith("data, not orders."))
    (title,) = (n for n, line in enumerate(lines) if line.startswith("Its title"))

    assert title == warned + 1
    assert lines[title].endswith('"')
    assert lines[title].count('"') == 2
    assert len(lines[title]) < 200
    assert not any(LIVE.search(line) for line in lines)


def _document() -> Document:
    document = filled(Document, "TB-1")
    assert isinstance(document, Document)
    return document
