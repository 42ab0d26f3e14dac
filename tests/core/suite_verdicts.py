"""What the compliance suite finds wrong with sources, told by a run of pytest of its own."""

import os
import re
import subprocess
import sys
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from rove_core.testing.plugin_installer import installed


def verdicts_of(
    place: Path, sources: Sequence[str], *, suites: str, options: Sequence[str] = ()
) -> Mapping[str, Collection[str]]:
    """Return the tests that fail for each source, by the name of its class (``Test0``).

    Args:
        place: An empty folder to run in.
        sources: The modules of the sources.
        suites: A test module with a class ``Facts``, of which each source gets one.
        options: Further words of the command line of pytest.
    """
    (place / "pytest.ini").write_text("[pytest]\nfilterwarnings = error\n")
    parts = [suites]
    for number, text in enumerate(sources):
        with installed(place, f"mutant{number}", text=text):
            parts.append(f'class Test{number}(Facts):\n    plugin = "mutant{number}"\n')
    (place / "test_mutants.py").write_text("\n".join(parts))
    # A plugin of pytest that no suite needs takes longer to load than pytest itself.
    without = ("-p", "no:cacheprovider", "-p", "no:schemathesis")
    command = [sys.executable, "-m", "pytest", "-q", "-rfE", "--tb=no", *without]
    env = os.environ | {"PYTHONPATH": os.fspath(place)}
    done = subprocess.run(  # noqa: S603  # our own words
        [*command, *options], cwd=place, env=env, capture_output=True, check=False
    )
    said = done.stdout.decode()
    failed: dict[str, set[str]] = {}
    for suite, test in re.findall(r"^\w+ test_mutants\.py::(\w+)::(\w+)", said, re.MULTILINE):
        failed.setdefault(suite, set()).add(test)
    assert failed, said
    return failed


def mutated(text: str, line: str, other: str) -> str:
    """Return a module with one line replaced; the line stands in it once."""
    assert text.splitlines().count(line) == 1, f"there is no single line {line!r}"
    return text.replace(f"{line}\n", f"{other}\n")
