"""Give every package of the workspace one new version: ``python .ci/bump.py 0.2.0``."""

import re
import sys
from pathlib import Path

#: A release; what else the packaging rules allow is not needed here.
VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")
#: Where a version of ours stands: a package's own, a sibling's pin, the one that the app shows.
PLACES = re.compile(r'(?m)(^version = "|^__version__ = "|"rove(?:-\w+)?(?:\[\w+\])?~=)[^"]+(?=")')


def bump(root: Path, version: str) -> list[Path]:
    """Rewrite the versions and pins of the packages below a folder; return the changed files."""
    files = [*root.glob("rove*/pyproject.toml"), *root.glob("rove*/rove*/__init__.py")]
    return [file for file in sorted(files) if _rewrite(file, version)]


def _rewrite(file: Path, version: str) -> bool:
    text = file.read_text("utf-8")
    new = PLACES.sub(rf"\g<1>{version}", text)
    if new == text:
        return False
    file.write_text(new, "utf-8")
    return True


def main() -> str | None:
    """Read the version from the command line; return what is wrong with it, if anything."""
    if len(sys.argv) != 2 or not VERSION.fullmatch(sys.argv[1]):
        return "name the new version: nox -s bump -- 0.2.0"
    for file in bump(Path(), sys.argv[1]):
        sys.stdout.write(f"{file}\n")
    return None


if __name__ == "__main__":
    sys.exit(main())
