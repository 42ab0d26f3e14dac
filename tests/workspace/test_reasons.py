"""Where a tool is told to look away, the same line says why."""

import re
from pathlib import Path

#: A code for the linter, or one in brackets for the type checker.
SILENCED = re.compile(r"# (?:noqa: [A-Z\d, ]*\d|type: ignore\[[\w, -]+\])")
REASONED = re.compile(SILENCED.pattern + r"  # (?!noqa|type:)\S")


def test_every_exception_has_a_reason(package: str, root: Path) -> None:
    """No package silences a linter or a type checker without a word."""
    assert _unexplained(root / package) == []


def test_every_exception_in_the_tests_has_a_reason(root: Path) -> None:
    """Tests are held to the same."""
    assert _unexplained(root / "tests") == []


def _unexplained(folder: Path) -> list[str]:
    return [
        f"{file}:{number} {line.strip()}"
        for file in sorted(folder.rglob("*.py"))
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if SILENCED.search(line) and not REASONED.search(line)
    ]
