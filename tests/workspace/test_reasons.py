"""Where a tool is told to look away, the same line says why."""

import re
from pathlib import Path

#: ``# reason``, and the same after a ``type: ignore[...]``.
SILENCED = re.compile(r"# (?:noqa: [A-Z]|type: ignore\[)")
REASONED = re.compile(r"# (?:noqa: [A-Z\d, ]+?|type: ignore\[[\w, -]+\])  # \w")


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
        if len(SILENCED.findall(line)) > len(REASONED.findall(line))
    ]
