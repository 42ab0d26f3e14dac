"""Markdown becomes a document that Atlassian takes, and no word of it is lost."""

import gzip
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rove_core import adf_to_markdown, markdown_to_adf

PIECES = (
    "# Heading one\n",
    "Setext words\n===\n",
    "- item *one*\n  - nested `two`\n\n    > quoted inside\n\n    # heading inside\n",
    "3. third **bold ~~gone~~**\n4. fourth\n\n   ```py\n   code_line()\n   ```\n",
    "> a quote\n>\n> - with a list\n>\n> | a | b |\n> |---|---|\n> | c | d |\n",
    "| head | other |\n|---|---|\n| cell `x` | [link](https://a.example/b?c=1) |\n",
    "```python\nif a < b and c > d:\n    pass\n```\n",
    "    indented code\n",
    "---\n",
    "words with <b>html</b>, &amp; and a\nsoft break, a  \nhard one ![picture](https://a.example/p.png)\n",
    "<div>\nblock html\n</div>\n",
    "**`code in bold`** and [`code in a link`](https://a.example)\n",
    "日本語 عربي 😀 _under_score_ \\*escaped\\*\n",
)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("plain", [{"type": "paragraph", "content": [{"type": "text", "text": "plain"}]}]),
        ("", []),
        ("***", [{"type": "rule"}]),
        (
            "```\nx = 1\n```",
            [{"type": "codeBlock", "content": [{"type": "text", "text": "x = 1"}]}],
        ),
        (
            "a\nb",
            [{"type": "paragraph", "content": [{"type": "text", "text": "a b"}]}],
        ),
    ],
)
def test_markdown_becomes_blocks(text: str, content: list[object]) -> None:
    """Each block is one of Atlassian's, and neighbours with the same marks are one text."""
    assert markdown_to_adf(text) == {"type": "doc", "version": 1, "content": content}


@pytest.mark.parametrize("text", PIECES)
def test_every_word_comes_back(text: str) -> None:
    """Read as any document of Jira is, it has the same words in their order."""
    assert _words(adf_to_markdown(markdown_to_adf(text))) == _words(text)


@pytest.mark.parametrize("depth", [9, 30, 3_000])
@pytest.mark.parametrize("lead", ["> ", "- ", "*"])
def test_however_deep_words_are_kept(lead: str, depth: int) -> None:
    """What no program can follow is kept as it was typed."""
    document = markdown_to_adf(f"{lead * depth}word{'*' * depth if lead == '*' else ''}")

    assert "word" in json.dumps(document)


@given(text=st.lists(st.sampled_from(PIECES) | st.text(max_size=30), max_size=6).map("\n".join))
@settings(max_examples=60)
def test_whatever_is_written_is_a_document(text: str) -> None:
    """Nothing that somebody types makes a document that Atlassian refuses."""
    document = markdown_to_adf(text)
    if schema := _schema():
        jsonschema.Draft4Validator(schema).validate(document)

    assert isinstance(adf_to_markdown(document), str)


def _words(text: str) -> list[str]:
    """Return the words of a text, without what only marks it up."""
    plain = re.sub(r"^```\w*|\]\([^)]*\)|&amp;|\\|^ *\d+[.)]", " ", text, flags=re.MULTILINE)
    return re.findall(r"\w+", plain.replace("_", ""))


@cache
def _schema() -> dict[str, Any]:
    """Return Atlassian's own description of documents; nothing where it is not at hand."""
    folder = os.environ.get("ROVE_SPECS", "")
    if not folder:
        return {}
    data = gzip.decompress(Path(folder, "adf-schema.full.json.gz").read_bytes())
    schema: dict[str, Any] = json.loads(data)
    return schema
