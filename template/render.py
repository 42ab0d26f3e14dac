"""Copy the plugin that lies beside this file under a name of your own.

    python template/render.py NAME TARGET

NAME is what your source is called, in small letters (``wiki``). TARGET is the folder to make.
"""

# ruff: noqa: INP001  # a program, not a package

import re
import sys
from pathlib import Path

_HERE = Path(__file__).parent
_TEMPLATE = _HERE / "rove_acme"
_NAME = re.compile(r"[a-z][a-z0-9]*")


def main(arguments: list[str]) -> str:
    """Render the plugin, and return what to tell."""
    if len(arguments) != 2:
        sys.exit(__doc__)
    name, target = arguments[0], Path(arguments[1])
    if not _NAME.fullmatch(name):
        sys.exit(f"{name!r} is no name: take small letters and digits, a letter first, like wiki")
    if (_HERE.parent / f"rove_{name}").exists():
        sys.exit(f"rove_{name} is a package of Rove's own: take another name")
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        sys.exit(f"{target} is already there: take a new or an empty folder")
    for file in _files():
        copy = target / _renamed(str(file.relative_to(_TEMPLATE)), name)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(_renamed(file.read_text("utf-8"), name), "utf-8")
    return f"rove-{name} is in {target}. Next: cd {target} && pip install -e '.[test]' && pytest"


def _files() -> list[Path]:
    """Return the files of the template, but nothing that tools left there."""
    return [
        file
        for file in sorted(_TEMPLATE.rglob("*"))
        if file.is_file()
        and not any(
            part.startswith((".", "__pycache__")) for part in file.relative_to(_TEMPLATE).parts
        )
    ]


def _renamed(text: str, name: str) -> str:
    return (
        text.replace("acme", name).replace("Acme", name.capitalize()).replace("ACME", name.upper())
    )


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:]) + "\n")
