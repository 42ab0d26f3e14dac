"""What the types promise is what mypy sees: right plugins are clean, mistakes are caught."""

import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Mapping[int, list[str]]]:
    """Give what mypy says of both files in one run: file, line, codes."""
    pytest.importorskip("mypy", reason="mypy is for the session that checks types")
    cache = tmp_path_factory.mktemp("mypy")
    files = ["tests/typing/acme", "tests/typing/mistakes.py"]
    command = [sys.executable, "-m", "mypy", "--no-pretty", "--cache-dir", str(cache), *files]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    found: dict[str, dict[int, list[str]]] = {}
    for path, line, code in re.findall(r"(?m)^(.+?):(\d+): error: .*\[([\w-]+)\]$", said.stdout):
        found.setdefault(Path(path).name, {}).setdefault(int(line), []).append(code)
    assert found, said.stdout + said.stderr
    return found


def test_right_plugin_is_clean(errors: Mapping[str, Mapping[int, list[str]]]) -> None:
    """A third party's plugin passes the strictest check without a trick."""
    assert set(errors) == {"mistakes.py"}


def test_mistakes_are_caught(errors: Mapping[str, Mapping[int, list[str]]]) -> None:
    """Every mistake is refused on its line and for its reason, and nothing else is."""
    text = (HERE / "mistakes.py").read_text("utf-8")
    expected = {
        number: sorted(line.partition("# E: ")[2].split(", "))
        for number, line in enumerate(text.splitlines(), 1)
        if "# E: " in line
    }

    assert {line: sorted(codes) for line, codes in errors["mistakes.py"].items()} == expected
