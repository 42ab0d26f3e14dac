"""Sections that plugins add to a document."""

import json
from pathlib import Path
from typing import Final

import pytest

from rove_core import Section, quote
from rove_core.build.write.plugin_sections import section_blocks

CORPUS: Final = sorted((Path(__file__).parent / "attacks").glob("*.jsonl"))


def _written(content: str) -> str:
    _, *parts = section_blocks(Section(heading="Memory", content=content))
    return "\n\n".join(part.text for part in parts)


@pytest.mark.parametrize("corpus", CORPUS, ids=lambda path: path.stem)
def test_a_quote_stays_as_it_is(corpus: Path) -> None:
    """What a plugin quotes with rove_core.quote is in the document word for word."""
    attacks = [text for text in map(json.loads, corpus.read_text("ascii").splitlines()) if text]
    for attack in attacks:
        assert _written(quote(attack)) == quote(attack), attack


def test_a_quote_between_paragraphs() -> None:
    """Text before and after a quote stays outside of it."""
    content = "decided:\n\n> Tokens live\n> 15 minutes\n\nby Ann"

    assert _written(content) == content


def test_a_quote_cannot_hold_what_a_paragraph_cannot() -> None:
    """HTML and images that a plugin puts behind the mark of a quote are text."""
    written = _written("> <script>x</script> ![x](https://evil.example/x)\n> # Heading")

    assert "<script" not in written
    assert "![x](" not in written
    assert "> # Heading" not in written
