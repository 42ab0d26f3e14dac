"""Three kinds of source, made of the template by few edits that the pages alone explain."""

import tomllib
from pathlib import Path

import pytest
from benchmarks.mutants import announced, first_failure

_EDITS = Path(__file__).parent / "three_kinds"
#: Passages that an author may have to edit until a source of another vendor reaches gold.
_MOST = 9


@pytest.mark.parametrize("kind", ["file", "token", "oauth"])
def test_edited_template_reaches_gold(tmp_path: Path, kind: str) -> None:
    """Another file format, header, login or paging takes fewer than ten edits."""
    edits = tomllib.loads((_EDITS / f"{kind}.toml").read_text("utf-8"))["edits"]
    plugin = announced(tmp_path / "plugin", kind=kind, name="shelf")
    for edit in edits:
        file = plugin / edit["file"]
        text = file.read_text("utf-8") if edit["old"] else ""
        assert edit["old"] in text, f"{edit['file']} lacks {edit['old']!r}"
        file.write_text(text.replace(edit["old"], edit["new"]) if text else edit["new"], "utf-8")

    assert len(edits) <= _MOST
    assert first_failure(plugin, name="shelf") == ""
