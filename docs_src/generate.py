"""Fill in what docs/ takes from the code: ``python -m docs_src.generate [--check]``.

A page is written by hand. Two things in it are not:

- a code block that names a file after its language (``python docs_src/x/y.py``) holds that
  file, or the one function or class of it that ``#name`` picks;
- what stands between ``<!-- begin NAME -->`` and ``<!-- end NAME -->`` is made by the function
  of that name in :data:`docs_src.blocks.BLOCKS`.

The schemas below docs/reference/schemas and the pictures below docs/pictures are written whole.
"""

import json
import os
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click

from docs_src.blocks import filled
from docs_src.pictures import PICTURES
from rove.operations import own_operations
from rove_core.operations import published_schemas

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
SCHEMAS = DOCS / "reference" / "schemas"
DRAWN = DOCS / "pictures"


def main(arguments: Sequence[str]) -> int:
    """Write what is stale, or with ``--check`` only say what is, and return the exit code."""
    os.environ["ROVE_LOAD_PLUGINS"] = ",".join(shipped())
    wrong = stale()
    for path, text in wrong.items():
        click.echo(path.relative_to(ROOT))
        if "--check" not in arguments:
            _replace(path, text)
    return 1 if wrong and "--check" in arguments else 0


def shipped() -> list[str]:
    """Return the plugins of this checkout: others that are installed are not its to describe."""
    project = tomllib.loads((ROOT / "rove" / "pyproject.toml").read_text("utf-8"))["project"]
    sources = project["optional-dependencies"]["all"]
    return [each.partition("~=")[0].removeprefix("rove-") for each in sources]


def stale() -> Mapping[Path, str | None]:
    """Return the files that are not as they should be, and what should be in them, if anything."""
    expected = {path: text for path, text in _wanted() if _held(path) != text}
    return {**expected, **dict.fromkeys(_strays())}


def _wanted() -> Iterator[tuple[Path, str]]:
    for page in sorted(DOCS.rglob("*.md")):
        yield page, filled(page.read_text("utf-8"), ROOT)
    for name, schema in published_schemas(own_operations()).items():
        yield SCHEMAS / name, json.dumps(schema, indent=2) + "\n"
    for name, draw in PICTURES.items():
        yield DRAWN / name, draw(ROOT)


def _strays() -> list[Path]:
    names = published_schemas(own_operations())
    schemas = [path for path in sorted(SCHEMAS.glob("*")) if path.name not in names]
    return [*schemas, *(path for path in sorted(DRAWN.glob("*")) if path.name not in PICTURES)]


def _held(path: Path) -> str | None:
    return path.read_text("utf-8") if path.exists() else None


def _replace(path: Path, text: str | None) -> None:
    if text is None:
        path.unlink()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
