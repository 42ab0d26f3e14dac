"""What nobody left a secret in is left alone."""

import sysconfig
from pathlib import Path
from typing import Final

from rove_core.safety.secrets import find_secrets

SUFFIXES: Final = {".py", ".pyi", ".txt", ".rst", ".md"}
#: Characters to read: a Python without its own tests has about as many.
MOST: Final = 20_000_000


def test_this_python() -> None:
    """In its library and documentation less than one secret a MB is seen."""
    letters, hits = 0, []
    for place in ("stdlib", "purelib"):
        for path in sorted(Path(sysconfig.get_path(place)).rglob("*")):
            if path.suffix in SUFFIXES and path.is_file() and letters < MOST:
                text = path.read_text("utf-8", errors="replace")
                letters += len(text)
                hits += [
                    (path, found.kind, text[found.start : found.end])
                    for found in find_secrets(text)
                ]
    print(*hits, sep="\n")  # noqa: T201  # pytest shows it on failure

    assert len(hits) <= letters / 1_000_000
